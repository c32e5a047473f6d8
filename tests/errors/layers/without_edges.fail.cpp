// A layer of edges that is given a vertex.
// build error: stg: NAME takes edges first: NAME.*
// each NAME: mean_over attention_over dot_score distance_score network_score set2set<3> sort_pool<10>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::nn::NAME(v, v(x));  // <- here
};
auto compiled = stg::compile<model>();
