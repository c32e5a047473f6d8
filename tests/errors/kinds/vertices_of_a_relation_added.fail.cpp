// Vertices of a relation are added.
// build error: stg: vertices are those of a vertex set, and this is a relation; write add_vertices\(paper, n\)
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
stg::graphs filled() {
  stg::graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 4);
  g.add_vertices(writes, 3);  // <- here
  return g;
}
