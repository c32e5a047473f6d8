// The twin of pair_feature.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto y = tanh(v(x)), z = sum(v.in_edges().src(x));
  NAME(y, z);
  return y + z;
};
auto compiled = stg::compile<model>();
