// An edge value read as one of the vertex.
// build error: stg: v\(x\) takes a vertex value; an edge value is read as e\(x\) and aggregated: sum\(e\(x\)\)
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto w = writes.feature<"w">;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  return p(w);  // <- here
};
auto compiled = stg::compile<model>();
