// The twin of fans_of_a_scalar.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto a = stg::initialized(trainable(stg::scalar<"a">), stg::init::constant(0.5));
