// The twin of plain_beside_sets.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
inline constexpr auto z = stg::vertex_feature<"z", 16>;
constexpr auto model = [](auto g) {
  return stg::outputs(g(author)(x), g(paper)(y));
};
auto compiled = stg::compile<model>();
