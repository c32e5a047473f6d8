// The twin of exp_of_feature.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(exp(v.in_edges().src(x)));
};
auto compiled = stg::compile<model>();
