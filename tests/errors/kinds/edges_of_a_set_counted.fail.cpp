// Edges of a vertex set are counted.
// build error: stg: edges are those of a relation; write add_edges\(writes, \.\.\.\), edges\(writes\), edge_values\(writes, w\)
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
auto many(const stg::graphs& g) { return g.edges(paper); }  // <- here
