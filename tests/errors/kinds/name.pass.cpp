// The twin of name.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto paper = stg::vertex_set<"paper">;
