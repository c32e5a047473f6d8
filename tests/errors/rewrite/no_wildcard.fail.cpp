// A pattern of inputs alone, which is one value and no pattern.
// build error: stg: a pattern takes the vertex and one to eight wildcards; write \[\]\(auto v, auto a\) \{ \.\.\. \}
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto pattern = [](auto v) {
  return v(x) * 1.0;
};
constexpr auto replacement = [](auto v) {
  return v(x);
};
[[maybe_unused]] constexpr auto rule = stg::rewrite_rule(pattern, replacement);  // <- here
