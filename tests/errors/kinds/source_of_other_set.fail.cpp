// The source of an edge that goes from authors to papers, read from papers.
// build error: stg: e\.src takes a value of the set that the relation starts in, e\.dst of the set that it ends in
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto e = g(paper).in_edges(writes);
  return sum(e.src(y));  // <- here
};
auto compiled = stg::compile<model>();
