// A replacement that counts edges, of which relation nothing says.
// build error: stg: a replacement reads edges and its pattern none; say of a wildcard: any_value\.on_in_edges\(\)
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return a * 2.0;
};
constexpr auto replacement = [](auto v, auto a) {
  return a * v.in_degree();
};
[[maybe_unused]] constexpr auto rule =
    stg::rewrite_rule(pattern, replacement, stg::any_value.on_vertices());  // <- here
