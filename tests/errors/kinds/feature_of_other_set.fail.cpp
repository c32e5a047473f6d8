// A feature of another vertex set.
// build error: stg: v\(x\) takes a value of its own vertex set; read the other's through a relation: e\.src\(x\)
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  return p(x);  // <- here
};
auto compiled = stg::compile<model>();
