// The twin of conditions.fail.cpp.
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto cites = stg::relation<"cites", paper, paper>;
constexpr auto m = author.feature<"m", stg::boolean, 16>;
constexpr auto n = paper.feature<"n", stg::boolean, 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto e = p.in_edges(writes);
  auto c = p.in_edges(cites);
  return count(e.src(m) NAME p(n)) + count(c.src(n));
};
auto compiled = stg::compile<model>();
