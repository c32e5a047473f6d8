// The twin of edges_of_a_graph.fail.cpp.
#include <stg/stg.hpp>

inline std::int64_t loops(const stg::graph& g) {
  const stg::graph with_loops = g.add_self_loops();
  const stg::adjacency in = with_loops.in_edges();
  return in.edges();
}
