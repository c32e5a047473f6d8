// The twin of huber_of_edges.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return huber(sum(v.in_edges().src(x)), v(y));
};
auto compiled = stg::compile<model>();
