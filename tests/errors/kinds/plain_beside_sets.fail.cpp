// A plain feature beside those of vertex sets.
// build error: stg: a program reads vertices of sets or those of a plain graph, not both; read all through g\(set\)
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
inline constexpr auto z = stg::vertex_feature<"z", 16>;
constexpr auto model = [](auto g) {
  return stg::outputs(g(author)(x), g(z));
};
auto compiled = stg::compile<model>();  // <- here
