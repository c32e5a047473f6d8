// Both directions of edges between two sets.
// build error: stg: to_undirected takes a relation from a vertex set to itself; add_reverse adds another's reverse
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline void change(stg::graphs& g) { g.to_undirected(writes); }  // <- here
