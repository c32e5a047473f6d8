// The twin of beginning_first.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto gain = stg::initialized(stg::parameter<"gain", 16>, stg::init::NAME);
