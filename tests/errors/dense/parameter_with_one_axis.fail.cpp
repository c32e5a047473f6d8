// A dense product with a parameter that has one axis.
// build error: stg: matmul takes a value with a feature axis and a parameter with two
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto a = stg::parameter<"a", 16>;
constexpr auto model = [](auto v) {
  return matmul(v(x), a);  // <- here
};
auto compiled = stg::compile<model>();
