// A layer without its vertex.
// build error: stg: NAME takes the vertex first: NAME.*
// each NAME: gcn_conv cheb_conv tag_conv sgc appnp arma_conv graph_conv gine_conv edge_conv pna_conv pna_towers transformer_conv res_gated_conv film_conv propagate propagate_times diffusion_conv weighted diffuse diffuse_back
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::nn::NAME(v(x), W);  // <- here
};
auto compiled = stg::compile<model>();
