// The twin of degree_of_one_vertex.fail.cpp.
#include <stg/stg.hpp>

auto degree_of(const stg::graph& graph) { return graph.in_degrees()[3]; }
