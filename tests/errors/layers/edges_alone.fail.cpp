// A layer with its edges alone.
// build error: stg: NAME has too few or too many arguments; write NAME.*
// each NAME: mean_over attention_over dot_score distance_score network_score set2set<3> sort_pool<10>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::nn::NAME(v.in_edges());  // <- here
};
auto compiled = stg::compile<model>();
