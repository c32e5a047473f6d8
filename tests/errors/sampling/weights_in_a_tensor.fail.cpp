// Weights of edges in a tensor.
// build error: stg: weights are values of edges; write graph\.edge_values\(weights\), of a tensor<float>
#include <stg/stg.hpp>

#include <stg/sampling/neighbour_sampler.hpp>

stg::batch sampled(const stg::graph& graph, const stg::tensor<float>& weights) {
  const stg::neighbour_sampler sampler(graph, {.fan_outs = {5}}, weights);  // <- here
  return sampler.sample({0, 7}, 1);
}
