// The same of graphs of several kinds, in a vector.
// build error: stg: fan-outs are one of a sampler's options; name them: \{\.fan_outs = \{5, 3\}\}
#include <stg/sampling/graphs_sampler.hpp>
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
stg::graphs_batch sampled(const stg::graphs& graph, const std::vector<std::int32_t>& seeds) {
  const std::vector<std::int64_t> neighbours = {5, 3};
  const stg::graphs_sampler sampler(graph, neighbours);  // <- here
  return sampler.sample(paper, seeds, 1);
}
