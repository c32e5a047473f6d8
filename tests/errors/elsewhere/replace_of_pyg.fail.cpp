// Draws with replacement under another name.
// build error: stg: each draw among all in-edges is \{\.with_replacement = true\}
// each NAME: neighbour_sampler graphs_sampler
#include <stg/stg.hpp>

#include <stg/sampling/graphs_sampler.hpp>
#include <stg/sampling/neighbour_sampler.hpp>

auto sampler_of(const stg::graphs& graph) {
  return stg::NAME(graph, {.fan_outs = {5, 3}, .replace = true});  // <- here
}
