// A sum along an axis replaced by what it sums.
// build error: stg: a replacement has another shape than its pattern; reduce, reshape or slice it to that
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return sum(-a, stg::axis<0>);
};
constexpr auto replacement = [](auto, auto a) {
  return -a;
};
[[maybe_unused]] constexpr auto rule =
    stg::rewrite_rule(pattern, replacement, stg::any_value.shaped<stg::extent<"N">>());  // <- here
