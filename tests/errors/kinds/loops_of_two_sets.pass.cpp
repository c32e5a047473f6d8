// The twin of loops_of_two_sets.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto cites = stg::relation<"cites", paper, paper>;
inline void change(stg::graphs& g) { g.NAME(cites); }
