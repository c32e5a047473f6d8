#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

auto batches_of(const stg::graph& graph, const std::vector<std::int32_t>& seeds) {
  return stg::loader(stg::neighbour_sampler(graph, {.fan_outs = {5}}), seeds, {.batch_size = 4});
}
