// The twin of limits_of_other_wildcards.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a, auto b) {
  return sum(a) * sum(b);
};
constexpr auto replacement = [](auto, auto a, auto b) {
  return sum(b) * sum(a);
};
[[maybe_unused]] constexpr auto rule =
    stg::rewrite_rule(pattern, replacement, stg::any_value.on_in_edges(), stg::any_value.on_in_edges());
