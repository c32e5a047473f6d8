// A normalisation or a pool that is given the vertex.
// build error: stg: NAME takes a value first, one that is read: NAME.*
// each NAME: layer_norm pair_norm graph_norm batch_norm global_sum_pool global_mean_pool global_max_pool
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::nn::NAME(v, v(x));  // <- here
};
auto compiled = stg::compile<model>();
