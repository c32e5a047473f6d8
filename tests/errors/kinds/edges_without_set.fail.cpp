// Edges of a relation without the vertex set that owns them.
// build error: stg: the edges of a relation are those of a vertex set: g\(paper\)\.in_edges\(writes\)
// allows: further errors
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto e = g.in_edges(writes);  // <- here
  return sum(e.src(x));
};
auto compiled = stg::compile<model>();
