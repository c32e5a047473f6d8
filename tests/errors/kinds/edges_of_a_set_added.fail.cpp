// Edges of a vertex set are added.
// build error: stg: edges are those of a relation; write add_edges\(writes, \.\.\.\), edges\(writes\), edge_values\(writes, w\)
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
stg::graphs filled() {
  stg::graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 4);
  g.add_edges(paper, {0, 1}, {0, 2});  // <- here
  return g;
}
