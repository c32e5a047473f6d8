#include <stg/stg.hpp>

#include <stg/sampling/neighbour_sampler.hpp>

stg::batch sampled(const stg::graph& graph, const stg::tensor<float>& weights) {
  const stg::neighbour_sampler sampler(graph, {.fan_outs = {5}}, graph.edge_values(weights));
  return sampler.sample({0, 7}, 1);
}
