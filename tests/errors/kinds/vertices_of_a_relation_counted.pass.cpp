#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
auto many(const stg::graphs& g) { return g.vertices(paper); }
