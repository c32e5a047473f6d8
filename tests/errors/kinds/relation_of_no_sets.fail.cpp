// A relation between what is no vertex set.
// build error: stg: a relation joins two vertex sets: relation<"writes", author, paper>
// allows: further errors
#include <stg/stg.hpp>

inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto writes = stg::relation<"writes", x, paper>;  // <- here
