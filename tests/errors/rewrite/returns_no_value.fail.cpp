// A pattern that returns edges.
// build error: stg: pattern and replacement return a computed value: return a \* \(b \+ c\)
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto v, auto) {
  return v.in_edges();
};
constexpr auto replacement = [](auto, auto a) {
  return a;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);  // <- here
