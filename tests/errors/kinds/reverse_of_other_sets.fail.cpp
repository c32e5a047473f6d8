// A reverse that goes the same way.
// build error: stg: add_reverse takes a relation from the destination set of the other to its source set
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto written_by = stg::relation<"written by", author, paper>;
inline void change(stg::graphs& g) { g.add_reverse(written_by, writes); }  // <- here
