// Links around a graph, and no sampler of its neighbours.
// build error: stg: links are sampled around a sampler's vertices; write link_sampler\(neighbour_sampler\(graph, \{\.\.\.\}\), \{\.\.\.\}\)
#include <stg/stg.hpp>

#include <stg/sampling/link_sampler.hpp>

auto links(const stg::graph& graph) {
  return stg::link_sampler(graph, {.negatives = 2});  // <- here
}
