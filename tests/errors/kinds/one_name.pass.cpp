// The twin of one_name.fail.cpp.
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto x = author.feature<"x", 16>;
constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  constexpr auto again = stg::relation<"written by", paper, author>;
  return stg::outputs(sum(g(paper).in_edges(writes).src(x)), sum(g(author).in_edges(again).src(y)));
};
auto compiled = stg::compile<model>();
