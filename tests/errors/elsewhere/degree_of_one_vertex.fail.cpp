// The degree of one vertex of a graph.
// build error: stg: degrees of a graph are in_degrees\(\)\[v\] and out_degrees\(\)\[v\]
// each NAME: in_degree out_degree
#include <stg/stg.hpp>

auto degree_of(const stg::graph& graph) {
  return graph.NAME(3);  // <- here
}
