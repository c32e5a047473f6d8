#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto cites = stg::relation<"cites", paper, paper>;
void fill(stg::graphs& g) { g.add_edges(cites, {0}, {1}); }
