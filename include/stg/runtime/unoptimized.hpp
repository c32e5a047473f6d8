// A program whose kernels are compiled without optimisation says so once, when it starts: training is 27 times slower,
// and CMake's build type is empty unless it is set. Define STG_UNOPTIMIZED where that is meant.
#pragma once

namespace stg::detail {

/// One line on stderr, the first time; whether it was.
bool say_unoptimized();

}  // namespace stg::detail

#if defined(__GNUC__) && !defined(__OPTIMIZE__) && !defined(STG_UNOPTIMIZED)
namespace {
[[maybe_unused]] const bool stg_said_unoptimized = stg::detail::say_unoptimized();
}
#endif
