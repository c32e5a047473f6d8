// A norm over the whole graph, on blocks.
// build error: stg: all_vertices, graph_norm and pair_norm read the whole graph, blocks are a sample; use over_batch
#include <stg/stg.hpp>

#include <stg/sampling/batch.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto shift = stg::parameter<"shift", 8>;
constexpr auto norm = [](auto v) {
  return stg::nn::graph_norm(v(x), shift);
};
auto params = stg::parameters<norm>();
auto model = stg::compile<norm>();

auto of_seeds(const stg::batch& b, const stg::tensor<float>& X) { return model(b.blocks(), x = X, params); }  // <- here
