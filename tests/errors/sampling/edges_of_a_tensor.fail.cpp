// A loader is asked for values of edges, in a tensor.
// build error: stg: a loader takes values of edges: loader\.edges\(graph\.edge_values\(w\)\)
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

auto rows_of(stg::loader& loader, const stg::tensor<float>& w) {
  return loader.edges(w).at.source;  // <- here
}
