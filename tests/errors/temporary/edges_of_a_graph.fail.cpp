// The edges of a graph that is gone at the end of the line.
// shown: stg: the graph is gone with its edges; give it a name first
#include <stg/stg.hpp>

inline std::int64_t loops(const stg::graph& g) {
  const stg::adjacency in = g.add_self_loops().in_edges();  // <- here
  return in.edges();
}
