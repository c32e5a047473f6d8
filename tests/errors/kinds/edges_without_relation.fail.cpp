// Edges of a vertex set, of no relation.
// build error: stg: in_edges and out_edges of a vertex set take a relation: writes
// allows: further errors
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto e = g(paper).in_edges(author);  // <- here
  return sum(e.src(x));
};
auto compiled = stg::compile<model>();
