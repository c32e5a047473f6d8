// Edges of a vertex set are counted.
// build error: stg: edges are those of a relation, and this is a vertex set; write add_edges\(writes, \.\.\.\)
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
auto many(const stg::graphs& g) { return g.edges(paper); }  // <- here
