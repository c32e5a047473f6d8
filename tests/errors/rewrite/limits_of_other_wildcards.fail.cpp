// Limits for one of two wildcards.
// build error: stg: a pattern takes the vertex and as many wildcards as rewrite_rule gives limits for
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a, auto b) {
  return sum(a) * sum(b);
};
constexpr auto replacement = [](auto, auto a, auto b) {
  return sum(b) * sum(a);
};
[[maybe_unused]] constexpr auto rule =
    stg::rewrite_rule(pattern, replacement, stg::any_value.on_in_edges());  // <- here
