// The twin of edge_value_of_vertex.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto w = writes.feature<"w">;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  return sum(p.in_edges(writes)(w));
};
auto compiled = stg::compile<model>();
