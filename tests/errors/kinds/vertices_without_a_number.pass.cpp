#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto venue = stg::vertex_set<"venue">;
stg::graphs filled() {
  stg::graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 4);
  g.add_vertices(venue, 2);
  return g;
}
