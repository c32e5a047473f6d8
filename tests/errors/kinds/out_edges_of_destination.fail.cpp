// Out-edges of a relation at the set that it ends in.
// build error: stg: out_edges takes a relation that starts in the set; this one ends there: in_edges
// allows: further errors
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto e = g(paper).out_edges(writes);  // <- here
  return sum(e.src(x));
};
auto compiled = stg::compile<model>();
