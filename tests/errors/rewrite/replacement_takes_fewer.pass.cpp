// The twin of replacement_takes_fewer.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a, auto b) {
  return a + b * 0.0;
};
constexpr auto replacement = [](auto, auto a, auto) {
  return a;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);
