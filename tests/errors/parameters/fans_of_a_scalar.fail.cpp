// A scalar has no axis whose extents its bound could follow from.
// build error: stg: what begins by its fans has an axis; give a scalar a number: init::constant\(0\.5\), init::ones
#include <stg/stg.hpp>

constexpr auto a = stg::initialized(trainable(stg::scalar<"a">), stg::init::glorot_uniform);  // <- here
