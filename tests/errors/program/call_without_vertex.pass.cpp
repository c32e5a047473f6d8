// The twin of call_without_vertex.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
inline constexpr auto layer = [](auto v, auto h, auto V) {
  return tanh(matmul(mean(v.in_edges().src(h)), V));
};
constexpr auto model = [](auto v) {
  return call(layer, v, v(x), W);
};
auto compiled = stg::compile<model>();
