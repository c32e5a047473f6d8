// The number of edges.
// build error: stg: a graph's edges are counted by graph\.edges\(\)
// each NAME: num_edges number_of_edges
#include <stg/stg.hpp>

auto size_of(const stg::graph& graph) {
  return graph.NAME();  // <- here
}
