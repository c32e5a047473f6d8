// A layer of vertices or of a relation without either.
// build error: stg: NAME takes the vertex, or edges, first: NAME.*
// each NAME: sage_conv gin_conv gat_conv gatv2_conv
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::nn::NAME(v(x), W);  // <- here
};
auto compiled = stg::compile<model>();
