// The twin of aggregate_of_edges.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(v.in_edges().src(x));
};
auto compiled = stg::compile<model>();
