// The workers of a loader.
// build error: stg: batches are made by \{\.threads = 2\}, so many \{\.ahead = 4\}
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>

auto batches_of(const stg::graph& graph) {
  return stg::loader(stg::neighbour_sampler(graph, {.fan_outs = {5}}), {0, 1}, {.num_workers = 2});  // <- here
}
