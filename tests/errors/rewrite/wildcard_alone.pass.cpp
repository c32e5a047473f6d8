// The twin of wildcard_alone.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return max(a, 0.0);
};
constexpr auto replacement = [](auto, auto a) {
  return relu(a);
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);
