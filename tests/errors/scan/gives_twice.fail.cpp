// What a step gives, in two parts.
// build error: stg: a step gives all its values at once: next\(h\)\.gives\(a, b\)
#include <stg/stg.hpp>

constexpr auto step = stg::next(1.0).gives(2.0).gives(3.0);  // <- here
