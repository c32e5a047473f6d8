// The twin of initialized_feature.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::initialized(stg::parameter<"x", 16>, stg::init::ones);
