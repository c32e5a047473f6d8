// The twin of operands.fail.cpp.
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto x = author.feature<"x", 16>;
constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto e = p.in_edges(writes);
  return sum(stg::cast<stg::f32>(p(y) NAME e.src(x)));
};
auto compiled = stg::compile<model>();
