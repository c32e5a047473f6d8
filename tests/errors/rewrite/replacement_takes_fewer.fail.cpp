// A replacement that does not take what it does not read.
// build error: stg: a replacement takes the vertex and all wildcards of its pattern, in the same order
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a, auto b) {
  return a + b * 0.0;
};
constexpr auto replacement = [](auto, auto a) {
  return a;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);  // <- here
