// An alpha above 1.
// build error: stg: alpha, which goes back to h in each hop, is a share between 0 and 1: appnp\(v, h, 10, 0\.1\)
// names: alpha
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::nn::appnp(v, v(x), 10, 10);
};
auto compiled = stg::compile<model>();  // <- here
