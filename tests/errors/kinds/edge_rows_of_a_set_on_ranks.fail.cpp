// Edges of a part, of a vertex set.
// build error: stg: edges are those of a relation, part\.edge_rows\(writes, S\); a vertex set has part\.rows\(paper, X\)
#include <stg/distributed/distributed_graphs.hpp>
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
auto mine(const stg::distributed_graphs& part, const stg::tensor<float>& X) {
  return part.edge_rows(paper, X);  // <- here
}
