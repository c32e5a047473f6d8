// A replacement that reads an input, which programs need not have.
// build error: stg: a replacement reads an input that its pattern does not; make it a wildcard of both
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto two = stg::scalar<"two">;
constexpr auto pattern = [](auto, auto a) {
  return a * 2.0;
};
constexpr auto replacement = [](auto v, auto a) {
  return a * v(two);
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);  // <- here
