// Vertices of a relation are counted.
// build error: stg: vertices are those of a vertex set, and this is a relation; write add_vertices\(paper, n\)
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
auto many(const stg::graphs& g) { return g.vertices(writes); }  // <- here
