// Edges without the number of vertices.
// build error: stg: a graph has its number of vertices first: graph::from_edges\(vertices, src, dst\)
#include <stg/stg.hpp>

#include <vector>

auto graph_of(const std::vector<std::int64_t>& src, const std::vector<std::int64_t>& dst) {
  return stg::graph::from_edges(src, dst);  // <- here
}
