// A feature of another relation.
// build error: stg: e\(x\) takes a feature of its own relation; declare it as relation\.feature<"x">
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto reviews = stg::relation<"reviews", author, paper>;
inline constexpr auto w = writes.feature<"w">;
constexpr auto model = [](auto g) {
  auto e = g(paper).in_edges(reviews);
  return sum(e(w));  // <- here
};
auto compiled = stg::compile<model>();
