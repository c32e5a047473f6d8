// The twin of unknown_extent.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return sum(a, stg::axis<0>, stg::keepdim);
};
constexpr auto replacement = [](auto, auto a) {
  return sum(a * stg::ones<stg::extent<"N">>(), stg::axis<0>, stg::keepdim);
};
[[maybe_unused]] constexpr auto rule =
    stg::rewrite_rule(pattern, replacement, stg::any_value.shaped<stg::extent<"N">>());
