// An edge value read as one of the vertex.
// build error: stg: v\(x\) takes a vertex value; an edge value is read as e\(x\) and aggregated: sum\(e\(x\)\)
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto w = writes.feature<"w">;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  return p(w);  // <- here
};
auto compiled = stg::compile<model>();
