#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
stg::graphs filled() {
  stg::graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 4);
  g.add_edges(writes, {0, 1}, {0, 2});
  return g;
}
