// A called layer that returns nothing.
// build error: stg: a layer that is called returns nothing; it ends with return h, or return std::tuple\(a, b\)
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
inline constexpr auto layer = [](auto v, auto h, auto V) {
  return tanh(matmul(mean(v.in_edges().src(h)), V));
};
inline constexpr auto silent = [](auto v, auto h, auto V) {
  tanh(matmul(mean(v.in_edges().src(h)), V));
};
constexpr auto model = [](auto v) {
  return call(silent, v, v(x), W);  // <- here
};
auto compiled = stg::compile<model>();
