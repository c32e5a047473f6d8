// Fan-outs given to the loader.
// build error: stg: in-edges of each hop are a sampler's: neighbour_sampler\(g, \{\.fan_outs = \{5\}\}\)
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>

auto batches_of(const stg::graph& graph) {
  return stg::loader(stg::neighbour_sampler(graph, {}), {0, 1}, {.num_neighbors = {5}});  // <- here
}
