#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto known = author.feature<"known", 4>;
constexpr auto words = paper.feature<"words", 4>;
constexpr auto layer = [](auto g) {
  return NAME(g(paper)(words), mean(g(paper).in_edges(writes).src(known)));
};
auto model = stg::compile<layer>();
