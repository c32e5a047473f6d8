// In-edges of a relation at the set that it starts in.
// build error: stg: in_edges takes a relation that ends in the set; this one starts there: out_edges
// allows: further errors
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto e = g(author).in_edges(writes);  // <- here
  return sum(e.dst(y));
};
auto compiled = stg::compile<model>();
