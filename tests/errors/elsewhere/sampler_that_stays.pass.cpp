// The twin of sampler_that_stays.fail.cpp.
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <utility>

auto batches_of(const stg::graph& graph) {
  stg::neighbour_sampler sampler(graph, {.fan_outs = {5}});
  return stg::loader(std::move(sampler), {0, 1}, {.batch_size = 2});
}
