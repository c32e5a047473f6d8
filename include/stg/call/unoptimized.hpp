// A program that is compiled without optimisation says so once, when it starts: its models run as drafts, or, if
// STG_DRAFT is 0, by kernels that are 27 times slower, and CMake's build type is empty unless it is set. Define
// STG_UNOPTIMIZED if this is meant.
#pragma once

#include <stg/codegen/default_backend.hpp>  // STG_DRAFT

namespace stg::detail {

/// One line on stderr, the first time; whether it was.
bool say_unoptimized(bool drafts);

}  // namespace stg::detail

#if defined(__GNUC__) && !defined(__OPTIMIZE__) && !defined(STG_UNOPTIMIZED)
namespace {
[[maybe_unused]] const bool stg_said_unoptimized = stg::detail::say_unoptimized(STG_DRAFT);
}
#endif
