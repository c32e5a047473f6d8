// The twin of workers_of_a_loader.fail.cpp.
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>

auto batches_of(const stg::graph& graph) {
  return stg::loader(stg::neighbour_sampler(graph, {.fan_outs = {5}}), {0, 1}, {.threads = 2});
}
