// A file that is compiled without -std=c++20.
// build error: stg: a file is compiled as older C\+\+; add -std=c\+\+20
// flags: -std=c++17
#include <stg/stg.hpp>  // <- here

inline constexpr auto x = stg::vertex_feature<"x", 16>;
