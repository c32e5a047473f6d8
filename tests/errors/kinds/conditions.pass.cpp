// The twin of conditions.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto cites = stg::relation<"cites", paper, paper>;
inline constexpr auto m = author.feature<"m", stg::boolean, 16>;
inline constexpr auto n = paper.feature<"n", stg::boolean, 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto e = p.in_edges(writes);
  auto c = p.in_edges(cites);
  return count(e.src(m) NAME p(n)) + count(c.src(n));
};
auto compiled = stg::compile<model>();
