// A choice between two vertex sets.
// build error: stg: select mixes vertex sets or relations; read what is at the other end as e\.src\(x\) or e\.dst\(x\)
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  auto a = g(author);
  return select(p(y) > 0.0, a(x), 0.0);  // <- here
};
auto compiled = stg::compile<model>();
