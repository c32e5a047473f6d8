// Edges of a relation between other vertex sets.
// build error: stg: the relation has nothing to do with the vertex set; take one of its own
// allows: further errors
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
inline constexpr auto venue = stg::vertex_set<"venue">;
constexpr auto model = [](auto g) {
  auto e = g(venue).in_edges(writes);  // <- here
  return sum(e.src(x));
};
auto compiled = stg::compile<model>();
