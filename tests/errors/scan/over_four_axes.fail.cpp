// A vertex feature of four axes, and a fifth for the steps.
// build error: stg: a vertex or edge feature over steps has at most three axes; multiply some of them
#include <stg/stg.hpp>

constexpr auto y = stg::over<"T">(stg::vertex_feature<"y", 2, 2, 2, 2>);  // <- here
