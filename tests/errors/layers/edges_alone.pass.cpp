// The twin of edges_alone.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return sum(stg::nn::dot_score(v.in_edges(), v(x)));
};
auto compiled = stg::compile<model>();
