// A graph made by its constructor.
// build error: stg: a graph is made by a function: stg::graph::from_edges\(vertices, src, dst\)
#include <stg/stg.hpp>

auto path() {
  return stg::graph(3, {0, 1}, {1, 2});  // <- here
}
