// Fan-outs in place of a sampler's options.
// build error: stg: fan-outs are one of a sampler's options; name them: \{\.fan_outs = \{5, 3\}\}
#include <stg/sampling/neighbour_sampler.hpp>
#include <stg/stg.hpp>

stg::batch sampled(const stg::graph& graph, const std::vector<std::int32_t>& seeds) {
  const stg::neighbour_sampler sampler(graph, {5, 3});  // <- here
  return sampler.sample(seeds, 1);
}
