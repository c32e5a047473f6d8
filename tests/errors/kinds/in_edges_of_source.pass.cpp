// The twin of in_edges_of_source.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto x = author.feature<"x", 16>;
inline constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto e = g(author).out_edges(writes);
  return sum(e.dst(y));
};
auto compiled = stg::compile<model>();
