// A pattern with a scan in it.
// build error: stg: a rule has no scan or call in it; it is applied to the statements of their steps
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto v, auto a) {
  return stg::scan<4>(
      v,
      [](auto, auto h) {
        return tanh(h);
      },
      a);
};
constexpr auto replacement = [](auto, auto a) {
  return a;
};
[[maybe_unused]] constexpr auto rule =
    stg::rewrite_rule(pattern, replacement, stg::any_value.on_vertices());  // <- here
