// The twin of relation_of_no_sets.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
