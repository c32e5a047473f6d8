// The twin of arguments.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto cites = stg::relation<"cites", paper, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto e = p.in_edges(writes);
  auto c = p.in_edges(cites);
  return NAME(sum(e.src(x)), sum(c.src(y)));
};
auto compiled = stg::compile<model>();
