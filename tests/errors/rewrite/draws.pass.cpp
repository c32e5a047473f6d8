// The twin of draws.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return relu(a);
};
constexpr auto replacement = [](auto, auto a) {
  return max(a, 0.0);
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement, stg::any_value.on_vertices());
