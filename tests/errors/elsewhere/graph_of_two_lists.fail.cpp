// A graph of two lists.
// build error: stg: a graph is made by a function: stg::graph::from_edges\(vertices, src, dst\)
#include <stg/stg.hpp>

#include <vector>

auto graph_of(const std::vector<std::int64_t>& src, const std::vector<std::int64_t>& dst) {
  return stg::graph(src, dst);  // <- here
}
