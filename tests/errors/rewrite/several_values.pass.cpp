// The twin of several_values.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a, auto b) {
  return a + b;
};
constexpr auto replacement = [](auto, auto a, auto b) {
  return b + a;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);
