// A sparse feature with a value for each step.
// build error: stg: a sparse feature is the same at every step; what has a value for each step is dense
#include <stg/stg.hpp>

constexpr auto y = stg::over<"T">(stg::sparse_feature<"y", 8>);  // <- here
