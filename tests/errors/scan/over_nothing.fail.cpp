// An input over no steps.
// build error: stg: over takes the number of steps: a positive integer or the name of an extent, over<"T">
#include <stg/stg.hpp>

constexpr auto y = stg::over<0>(stg::vertex_feature<"y", 8>);  // <- here
