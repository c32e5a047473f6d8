#include <stg/stg.hpp>

#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

stg::batch sampled(const stg::graph& graph, const std::vector<std::int32_t>& seeds) {
  const stg::neighbour_sampler sampler(graph, {.fan_outs = {5, 3}});
  return sampler.sample(seeds, 7);
}
