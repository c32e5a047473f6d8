// Fan-outs under another name, of several kinds.
// build error: stg: in-edges of each hop are \{\.fan_outs = \{15, 10\}\}
// each NAME: num_neighbors fanouts sizes
#include <stg/stg.hpp>

#include <stg/sampling/graphs_sampler.hpp>

auto sampler_of(const stg::graphs& graph) {
  return stg::graphs_sampler(graph, {.NAME = {5, 3}});  // <- here
}
