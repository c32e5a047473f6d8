// The twin of no_wildcard.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return a * 1.0;
};
constexpr auto replacement = [](auto, auto a) {
  return a;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);
