// The number of parts where the parts belong.
// build error: stg: cluster_sampler takes the part of each vertex: cluster_sampler\(g, stg::partition\(g, 4, 1\)\)
#include <stg/stg.hpp>

#include <stg/sampling/clusters.hpp>

auto sampler_of(const stg::graph& graph) {
  return stg::cluster_sampler(graph, 4);  // <- here
}
