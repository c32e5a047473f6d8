// The twin of unknown_wildcard.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a, auto b) {
  return a * (b + 1.0) - a;
};
constexpr auto replacement = [](auto, auto a, auto b) {
  return a * b;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);
