// The twin of undirected_of_two_sets.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto written_by = stg::relation<"written by", paper, author>;
inline void change(stg::graphs& g) { g.add_reverse(written_by, writes); }
