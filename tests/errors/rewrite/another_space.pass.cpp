// The twin of another_space.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return sum(-a);
};
constexpr auto replacement = [](auto, auto a) {
  return -sum(a);
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement, stg::any_value.on_in_edges());
