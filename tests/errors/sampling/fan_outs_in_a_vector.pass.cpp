// The twin of fan_outs_in_a_vector.fail.cpp.
#include <stg/sampling/graphs_sampler.hpp>
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
stg::graphs_batch sampled(const stg::graphs& graph, const std::vector<std::int32_t>& seeds) {
  const std::vector<std::int64_t> neighbours = {5, 3};
  const stg::graphs_sampler sampler(graph, {.fan_outs = neighbours});
  return sampler.sample(paper, seeds, 1);
}
