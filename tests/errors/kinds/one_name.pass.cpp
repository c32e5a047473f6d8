// The twin of one_name.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  constexpr auto again = stg::relation<"written by", paper, author>;
  return stg::outputs(sum(g(paper).in_edges(writes).src(x)), sum(g(author).in_edges(again).src(y)));
};
auto compiled = stg::compile<model>();
