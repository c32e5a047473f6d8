// The twin of edge_index_of_a_graph.fail.cpp.
#include <stg/stg.hpp>

auto edges_of(const stg::graph& graph) { return graph.edge_list(); }
