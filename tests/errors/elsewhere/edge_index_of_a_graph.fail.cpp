// The edge_index of a graph.
// build error: stg: the edges of a graph as two lists are graph\.edge_list\(\)
#include <stg/stg.hpp>

auto edges_of(const stg::graph& graph) {
  return graph.edge_index();  // <- here
}
