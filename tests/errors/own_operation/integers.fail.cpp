// An operation of your own takes integers.
// build error: stg: an operation of your own takes real values; write cast<f32>\(x\)
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct cube : stg::elementwise<cube, "cube", 1> {
  STG_LANEWISE static auto value(auto x) { return x * x * x; }
  static constexpr auto gradient(auto d, auto x) { return 3.0 * d * x * x; }
};
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::apply<cube>(v(label));  // <- here
};
auto compiled = stg::compile<model>();
