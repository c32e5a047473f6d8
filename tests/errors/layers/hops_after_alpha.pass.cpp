// The twin of hops_after_alpha.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::nn::appnp(v, v(x), 10, 0.1);
};
auto compiled = stg::compile<model>();
