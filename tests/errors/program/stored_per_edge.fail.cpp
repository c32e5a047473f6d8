// A value of edges that is to lie in memory.
// build error: stg: stored\(x\) is refused for an edge value, which loops over edges make; return it instead
#include <stg/stg.hpp>

constexpr auto w = stg::edge_feature<"w">;
constexpr auto model = [](auto v) {
  return sum(stored(exp(v.in_edges()(w))));
};
auto compiled = stg::compile<model>();  // <- here
