// Edges of a relation between other vertex sets.
// build error: stg: the relation has nothing to do with the vertex set; take one of its own
// allows: further errors
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto x = author.feature<"x", 16>;
constexpr auto y = paper.feature<"y", 16>;
constexpr auto venue = stg::vertex_set<"venue">;
constexpr auto model = [](auto g) {
  auto e = g(venue).in_edges(writes);  // <- here
  return sum(e.src(x));
};
auto compiled = stg::compile<model>();
