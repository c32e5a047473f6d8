// The twin of another_shape.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return sum(-a, stg::axis<0>);
};
constexpr auto replacement = [](auto, auto a) {
  return -sum(a, stg::axis<0>);
};
[[maybe_unused]] constexpr auto rule =
    stg::rewrite_rule(pattern, replacement, stg::any_value.shaped<stg::extent<"N">>());
