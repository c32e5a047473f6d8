// The twin of relation_of_no_sets.fail.cpp.
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto author = stg::vertex_set<"author">;
constexpr auto writes = stg::relation<"writes", author, paper>;
