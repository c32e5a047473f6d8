// A loader of a mask.
// build error: stg: seeds are ids of vertices, and this is a mask; list those where it is true
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <utility>
#include <vector>

auto batches_of(const stg::graph& graph, const std::vector<std::int32_t>& seeds) {
  stg::neighbour_sampler sampler(graph, {.fan_outs = {5}});
  return stg::loader(std::move(sampler), stg::mask_of(seeds, 9), {.batch_size = 4});  // <- here
}
