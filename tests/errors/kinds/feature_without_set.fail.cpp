// A feature of a vertex set read without it.
// build error: stg: a feature of a vertex set is read through its vertex: g\(paper\)\(x\)
// allows: further errors
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  return g(x);  // <- here
};
auto compiled = stg::compile<model>();
