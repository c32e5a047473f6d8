// A parameter that begins with a bare number.
// build error: stg: a parameter begins with a rule: initialized\(parameter<"g", 16>, init::constant\(0\.5\)\)
#include <stg/stg.hpp>

inline constexpr auto gain = stg::initialized(stg::parameter<"gain", 16>, 0.5);  // <- here
