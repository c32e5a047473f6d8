// Fan-outs under another name.
// build error: stg: in-edges of each hop are \{\.fan_outs = \{15, 10\}\}
// each NAME: num_neighbors fanouts sizes
#include <stg/stg.hpp>

#include <stg/sampling/neighbour_sampler.hpp>

auto sampler_of(const stg::graph& graph) {
  return stg::neighbour_sampler(graph, {.NAME = {5, 3}});  // <- here
}
