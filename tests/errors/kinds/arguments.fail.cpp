// Arguments of two relations.
// build error: stg: NAME mixes vertex sets or relations; read what is at the other end as e\.src\(x\) or e\.dst\(x\)
// each NAME: fmod max min pow training binary
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
  return sum(NAME(e.src(x), c.src(y)));  // <- here
};
auto compiled = stg::compile<model>();
