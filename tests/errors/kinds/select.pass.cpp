// The twin of select.fail.cpp.
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto x = author.feature<"x", 16>;
constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto a = g(author);
  return sum(select(p(y) > 0.0, p.in_edges(writes).src(a(x)), 0.0));
};
auto compiled = stg::compile<model>();
