// A number read through a vertex.
// build error: stg: v\(x\) takes a vertex feature, a parameter or a computed vertex value
// allows: further errors
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  return g(author)(x) + g(author)(1.0);  // <- here
};
auto compiled = stg::compile<model>();
