// The twin of long_seeds_of_a_loader.fail.cpp.
#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <stg/stg.hpp>

std::int64_t batches(const stg::graph& graph) {
  const std::vector<std::int32_t> seeds = {0, 7};
  stg::loader loader(stg::neighbour_sampler(graph, {.fan_outs = {5}}), seeds, {.batch_size = 1});
  return loader.batches();
}
