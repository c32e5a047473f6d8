// What a feature begins with is what it is bound to.
// build error: stg: initialized takes a parameter, or a trainable scalar: initialized\(parameter<"g", 16>, init::ones\)
#include <stg/stg.hpp>

constexpr auto x = stg::initialized(stg::vertex_feature<"x", 16>, stg::init::ones);  // <- here
