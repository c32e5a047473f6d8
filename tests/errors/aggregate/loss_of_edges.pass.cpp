// The twin of loss_of_edges.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(sum(v.in_edges().src(x)), v(x));
};
auto compiled = stg::compile<model>();
