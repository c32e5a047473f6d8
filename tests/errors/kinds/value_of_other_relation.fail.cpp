// A value of the edges of another relation.
// build error: stg: e\(x\) takes a value of its own relation; aggregate the other one first: sum\(x\)
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto reviews = stg::relation<"reviews", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
constexpr auto model = [](auto g) {
  auto e = g(paper).in_edges(writes);
  auto r = g(paper).in_edges(reviews);
  return sum(r(e.src(x)));  // <- here
};
auto compiled = stg::compile<model>();
