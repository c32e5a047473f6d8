// The twin of gives_twice.fail.cpp.
#include <stg/stg.hpp>

constexpr auto step = stg::next(1.0).gives(2.0, 3.0);
static_assert(std::get<1>(step.given) == 3.0);
