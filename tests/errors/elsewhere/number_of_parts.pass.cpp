// The twin of number_of_parts.fail.cpp.
#include <stg/stg.hpp>

#include <stg/sampling/clusters.hpp>

auto sampler_of(const stg::graph& graph) { return stg::cluster_sampler(graph, stg::partition(graph, 4, 1)); }
