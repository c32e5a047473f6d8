// A sum over edges replaced by what it sums.
// build error: stg: a replacement lives elsewhere than its pattern; aggregate edges, or limit the wildcards
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return sum(-a);
};
constexpr auto replacement = [](auto, auto a) {
  return -a;
};
[[maybe_unused]] constexpr auto rule =
    stg::rewrite_rule(pattern, replacement, stg::any_value.on_in_edges());  // <- here
