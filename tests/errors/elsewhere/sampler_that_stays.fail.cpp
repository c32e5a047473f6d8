// A named sampler given to a loader.
// build error: stg: a sampler moves into its loader; write loader\(std::move\(sampler\), seeds, \{\.batch_size = 4\}\)
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <utility>

auto batches_of(const stg::graph& graph) {
  stg::neighbour_sampler sampler(graph, {.fan_outs = {5}});
  return stg::loader(sampler, {0, 1}, {.batch_size = 2});  // <- here
}
