// A sparse feature with two axes.
// build error: stg: a sparse feature has one axis; write sparse_feature<"x", 1433>
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 8, 16>;  // <- here
