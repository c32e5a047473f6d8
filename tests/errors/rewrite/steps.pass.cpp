// The twin of steps.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return tanh(tanh(a));
};
constexpr auto replacement = [](auto, auto a) {
  return a;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement, stg::any_value.on_vertices());
