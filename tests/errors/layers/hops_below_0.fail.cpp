// A number of hops below 0.
// build error: stg: a number of hops is 0 or more: sgc\(v, v\(x\), W, 2\), appnp\(v, h, 10, 0\.1\)
// names: hops
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return stg::nn::sgc(v, v(x), W, -2);
};
auto compiled = stg::compile<model>();  // <- here
