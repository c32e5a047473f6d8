// The twin of another_type.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return a * 1.0 < a;
};
constexpr auto replacement = [](auto, auto a) {
  return a < a;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);
