// A vertex set without a name.
// build error: stg: the name of a vertex set or relation has 1 to 62 characters
#include <stg/stg.hpp>

inline constexpr auto paper = stg::vertex_set<"">;  // <- here
