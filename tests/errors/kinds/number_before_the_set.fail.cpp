// The number of vertices before their set.
// build error: stg: add_vertices takes a vertex set, then its number of vertices: add_vertices\(paper, 4\)
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto venue = stg::vertex_set<"venue">;
stg::graphs filled() {
  stg::graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 4);
  g.add_vertices(2, venue);  // <- here
  return g;
}
