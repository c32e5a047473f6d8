// Writing graphs as lists of edges, which read_edge_list reads.
#pragma once

#include <stg/runtime/graph.hpp>  // edge_values, graph

#include <string>  // string

namespace stg {

/// Writes `src dst` or `src dst weight` per line, in the order of the edge list, with this separator: a blank, a tab or
/// a comma. A name that ends with .gz is packed by gzip where the library stg::io is linked. `read_edge_list` gives the
/// same edges and weights; a text has no vertices behind the last that has an edge. T is float, double, std::int32_t or
/// std::int64_t. Errors: those of write_matrix_market.
///
///   stg::write_edge_list("cora.txt", graph);
///   stg::write_edge_list("weighted.csv", graph, graph.edge_values(weights), ',');
void write_edge_list(const std::string& path, const graph& g, char separator = ' ');
template <class T>
void write_edge_list(const std::string& path, const graph& g, const edge_values<T>& weights, char separator = ' ');

}  // namespace stg
