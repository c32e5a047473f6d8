// A pattern that is every value.
// build error: stg: a pattern is an operation of its wildcards; a wildcard alone is every value: return a \* 1\.0
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return a;
};
constexpr auto replacement = [](auto, auto a) {
  return relu(a);
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);  // <- here
