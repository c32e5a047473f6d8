// A program over vertex sets for a GPU.
// build error: stg: a program over vertex sets runs on the CPU; compile it there: stg::compile<model>\(\)
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  return sum(g(paper).in_edges(writes).src(x));
};
auto layer = stg::compile<model>(stg::cuda());  // <- here
