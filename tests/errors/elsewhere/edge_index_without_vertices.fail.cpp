// An edge_index without the number of vertices.
// build error: stg: a graph has its number of vertices first: graph::from_edge_index\(vertices, edge_index\)
#include <stg/stg.hpp>

auto graph_of(const stg::tensor<std::int64_t>& edge_index) {
  return stg::graph::from_edge_index(edge_index);  // <- here
}
