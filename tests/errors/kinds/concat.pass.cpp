// The twin of concat.fail.cpp.
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto x = author.feature<"x", 16>;
constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto a = g(author);
  return concat<stg::axis<0>>(p(y), sum(p.in_edges(writes).src(a(x))));
};
auto compiled = stg::compile<model>();
