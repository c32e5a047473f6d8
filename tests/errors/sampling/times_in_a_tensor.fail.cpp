// Times of edges in a tensor.
// build error: stg: times are values of edges; write graph\.edge_values\(times\), of a tensor<double>
#include <stg/stg.hpp>

#include <stg/sampling/temporal_sampler.hpp>

stg::batch sampled(const stg::graph& graph, const stg::tensor<double>& times) {
  const stg::temporal_sampler sampler(graph, {.fan_outs = {5}}, times);  // <- here
  return sampler.sample({0, 7}, 1);
}
