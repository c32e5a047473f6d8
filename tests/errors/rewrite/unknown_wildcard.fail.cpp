// A replacement of something that the pattern says nothing of.
// build error: stg: a replacement reads a wildcard that its pattern does not; read it in the pattern, too
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a, auto) {
  return a + a;
};
constexpr auto replacement = [](auto, auto a, auto b) {
  return a * b;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);  // <- here
