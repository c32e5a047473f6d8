// An operation of your own takes a sparse feature.
// build error: stg: an operation takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct cube : stg::elementwise<cube, "cube", 1> {
  STG_LANEWISE static auto value(auto x) { return x * x * x; }
  static constexpr auto gradient(auto d, auto x) { return 3.0 * d * x * x; }
};
constexpr auto x = stg::sparse_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 4>;
constexpr auto model = [](auto v) {
  return matmul(stg::apply<cube>(v(x)), W);  // <- here
};
auto compiled = stg::compile<model>();
