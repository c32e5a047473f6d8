// Edges between two sets without the relation.
// build error: stg: edges are those of a relation; write add_edges\(writes, \.\.\.\), edges\(writes\), edge_values\(writes, w\)
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;

auto& with_edges(stg::graphs& graph) {
  return graph.add_edges(author, paper, {0, 1}, {1, 0});  // <- here
}
