#include <stg/stg.hpp>

#include <stg/sampling/link_sampler.hpp>

auto links(const stg::graph& graph) {
  return stg::link_sampler(stg::neighbour_sampler(graph, {.fan_outs = {5}}), {.negatives = 2});
}
