// A rule for one number, which its lambdas capture.
// build error: stg: a rule is of lambdas without captures; what differs from site to site is a wildcard
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [two = 2.0](auto, auto a) {
  return a * two;
};
constexpr auto replacement = [](auto, auto a) {
  return a + a;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);  // <- here
