// A relation with one end.
// build error: stg: a relation joins two vertex sets: relation<"writes", author, paper>
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto cites = stg::relation<"cites", paper>;  // <- here
void fill(stg::graphs& g) { g.add_edges(cites, {0}, {1}); }
