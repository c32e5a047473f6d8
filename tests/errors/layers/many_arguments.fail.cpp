// A normalisation or a pool with more arguments than it takes.
// build error: stg: NAME has too few or too many arguments; write NAME.*
// each NAME: layer_norm pair_norm graph_norm batch_norm global_sum_pool global_mean_pool global_max_pool
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::nn::NAME(v(x), 1, 1, 1, 1, 1);  // <- here
};
auto compiled = stg::compile<model>();
