// Loops for edges between two sets.
// build error: stg: NAME takes a relation from a vertex set to itself; other edges are no loops
// each NAME: add_self_loops add_remaining_self_loops remove_self_loops
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline void change(stg::graphs& g) { g.NAME(writes); }  // <- here
