// The twin of edges_of_a_graph.fail.cpp.
#include <stg/stg.hpp>

auto size_of(const stg::graph& graph) { return graph.edges(); }
