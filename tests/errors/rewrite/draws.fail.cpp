// A replacement that drops out, and would have to draw at every place.
// build error: stg: a replacement draws no random numbers; leave dropout outside of the rule
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return relu(a);
};
constexpr auto replacement = [](auto, auto a) {
  return dropout(relu(a), 0.5);
};
[[maybe_unused]] constexpr auto rule =
    stg::rewrite_rule(pattern, replacement, stg::any_value.on_vertices());  // <- here
