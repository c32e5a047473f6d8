// The number of nodes.
// build error: stg: a graph's vertices are counted by graph\.vertices\(\)
// each NAME: num_nodes number_of_nodes num_vertices
#include <stg/stg.hpp>

auto size_of(const stg::graph& graph) {
  return graph.NAME();  // <- here
}
