// The twin of layer_without_its_gradient.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto layer = [](auto, auto h) {
  return round(h);
};
[[maybe_unused]] constexpr auto gradient = [](auto, auto d, auto) {
  return d;
};
constexpr auto rounded = stg::custom_gradient(layer, gradient);
constexpr auto model = [](auto v) {
  return rounded(v, v(x));
};
auto compiled = stg::compile<model>();
