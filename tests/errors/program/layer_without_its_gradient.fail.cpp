// A layer of custom_gradient without the gradient.
// build error: stg: custom_gradient takes a layer and its gradient: custom_gradient\(f, \[\]\(auto v, auto d, auto x\) \.\.\.\)
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto layer = [](auto, auto h) {
  return round(h);
};
[[maybe_unused]] constexpr auto gradient = [](auto, auto d, auto) {
  return d;
};
constexpr auto rounded = stg::custom_gradient(layer);  // <- here
constexpr auto model = [](auto v) {
  return rounded(v, v(x));
};
auto compiled = stg::compile<model>();
