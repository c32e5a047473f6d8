// What a parameter begins with before the parameter.
// build error: stg: initialized takes the parameter first: initialized\(parameter<"g", 16>, init::ones\)
// each NAME: ones glorot_normal
#include <stg/stg.hpp>

inline constexpr auto gain = stg::initialized(stg::init::NAME, stg::parameter<"gain", 16>);  // <- here
