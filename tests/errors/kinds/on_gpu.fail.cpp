// A program over vertex sets for a GPU.
// build error: stg: a program over vertex sets runs on the CPU; compile it there: stg::compile<model>\(\)
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto x = author.feature<"x", 16>;
constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  return sum(g(paper).in_edges(writes).src(x));
};
auto layer = stg::compile<model>(stg::cuda());  // <- here
