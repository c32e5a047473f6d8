// An entry of one number.
// build error: stg: x\[i\] takes a value with a feature axis, along which i counts
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return sum(v(x), stg::axis<0>)[v(label)];  // <- here
};
auto compiled = stg::compile<model>();
