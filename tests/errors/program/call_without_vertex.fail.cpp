// A called layer without its vertex.
// build error: stg: call takes the vertex behind the layer: call\(layer, v, h, W\)
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
inline constexpr auto layer = [](auto v, auto h, auto V) {
  return tanh(matmul(mean(v.in_edges().src(h)), V));
};
constexpr auto model = [](auto v) {
  return call(layer, v(x), W);  // <- here
};
auto compiled = stg::compile<model>();
