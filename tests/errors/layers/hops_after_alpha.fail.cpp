// Hops and alpha have changed places.
// build error: stg: appnp takes a whole number of hops: appnp\(v, h, 10, 0\.1\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::nn::appnp(v, v(x), 0.1, 10);  // <- here
};
auto compiled = stg::compile<model>();
