// The twin of older_standard.fail.cpp.
#include <stg/stg.hpp>

// g++ -std=c++20
inline constexpr auto x = stg::vertex_feature<"x", 16>;
