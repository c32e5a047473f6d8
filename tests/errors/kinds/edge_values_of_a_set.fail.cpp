// Edge values of a vertex set.
// build error: stg: edges are those of a relation; write add_edges\(writes, \.\.\.\), edges\(writes\), edge_values\(writes, w\)
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
auto values(const stg::graphs& g, const stg::tensor<float>& w) { return g.edge_values(paper, w).place(); }  // <- here
