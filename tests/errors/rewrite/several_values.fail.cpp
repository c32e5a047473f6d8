// A pattern of two values.
// build error: stg: a rule replaces one value by one; write a rule for each of outputs\(a, b\)
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a, auto b) {
  return stg::outputs(a + b, a - b);
};
constexpr auto replacement = [](auto, auto a, auto b) {
  return stg::outputs(b + a, a - b);
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);  // <- here
