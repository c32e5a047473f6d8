// The twin of unknown_input.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto two = stg::scalar<"two">;
constexpr auto pattern = [](auto v, auto a) {
  return a * v(two);
};
constexpr auto replacement = [](auto v, auto a) {
  return v(two) * a;
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);
