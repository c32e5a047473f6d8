// A loader with a number for its options.
// build error: stg: a loader takes a sampler, seeds, and options: loader\(neighbour_sampler\(\.\.\.\), seeds, \{\.batch_size = 4\}\)
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

auto batches_of(const stg::graph& graph, const std::vector<std::int32_t>& seeds) {
  return stg::loader(stg::neighbour_sampler(graph, {.fan_outs = {5}}), seeds, 4);  // <- here
}
