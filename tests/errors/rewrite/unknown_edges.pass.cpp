// The twin of unknown_edges.fail.cpp.
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto v, auto a) {
  return sum(v.in_edges().dst(a));
};
constexpr auto replacement = [](auto v, auto a) {
  return a * v.in_degree();
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement, stg::any_value.on_vertices());
