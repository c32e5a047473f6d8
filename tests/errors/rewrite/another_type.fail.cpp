// A condition replaced by a number.
// build error: stg: a replacement has another scalar type than its pattern; write cast<f32>\(x\)
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return a * 1.0 < a;
};
constexpr auto replacement = [](auto, auto a) {
  return a - a;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);  // <- here
