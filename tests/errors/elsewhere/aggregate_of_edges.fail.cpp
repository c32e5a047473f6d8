// An aggregate as a method of edges.
// build error: stg: edges are aggregated by what they read: NAME\(e\.src\(x\)\)
// each NAME: sum mean max
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v.in_edges().NAME(x);  // <- here
};
auto compiled = stg::compile<model>();
