// The twin of beginning_with_a_number.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto gain = stg::initialized(stg::parameter<"gain", 16>, stg::init::constant(0.5));
