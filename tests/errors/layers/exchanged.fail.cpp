// A parameter before the value that it multiplies.
// build error: stg: NAME takes a value that is read behind v: NAME.*
// each NAME: gcn_conv cheb_conv tag_conv sgc appnp arma_conv graph_conv gine_conv edge_conv pna_conv pna_towers transformer_conv res_gated_conv film_conv propagate propagate_times diffusion_conv sage_conv gin_conv gat_conv gatv2_conv
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::nn::NAME(v, W, v(x));  // <- here
};
auto compiled = stg::compile<model>();
