// The sampler as others spell it.
// build error: stg: it is spelled neighbour_sampler, as in neighbour_sampler\(graph, \{\.fan_outs = \{15, 10\}\}\)
#include <stg/stg.hpp>

#include <stg/sampling/neighbour_sampler.hpp>

auto sampler_of(const stg::graph& graph) {
  return stg::neighbor_sampler(graph, {.fan_outs = {5, 3}});  // <- here
}
