// The twin of edge_index_without_vertices.fail.cpp.
#include <stg/stg.hpp>

auto graph_of(const stg::tensor<std::int64_t>& edge_index) { return stg::graph::from_edge_index(3, edge_index); }
