// Lists of edges of a vertex set are added.
// build error: stg: edges are those of a relation; write add_edges\(writes, \.\.\.\), edges\(writes\), edge_values\(writes, w\)
#include <stg/stg.hpp>

#include <vector>

constexpr auto paper = stg::vertex_set<"paper">;
void fill(stg::graphs& g, const std::vector<int>& src, const std::vector<int>& dst) {
  g.add_edges(paper, src, dst);  // <- here
}
