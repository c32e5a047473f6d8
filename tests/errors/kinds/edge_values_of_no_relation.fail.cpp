// Edge values of graphs, of no relation.
// build error: stg: edges are those of a relation; write add_edges\(writes, \.\.\.\), edges\(writes\), edge_values\(writes, w\)
#include <stg/stg.hpp>

auto values(const stg::graphs& g, const stg::tensor<float>& w) { return g.edge_values(w).place(); }  // <- here
