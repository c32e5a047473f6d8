// The twin of no_wildcard.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto pattern = [](auto, auto a) {
  return a * 1.0;
};
constexpr auto replacement = [](auto, auto a) {
  return a;
};
constexpr auto rule = stg::rewrite_rule(pattern, replacement);
