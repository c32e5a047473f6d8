// Writing graphs as sparse matrices in NIST's Matrix Market format, which read_edge_list reads.
#pragma once

#include <stg/runtime/graph.hpp>  // edge_values, graph

#include <string>  // string

namespace stg {

/// Writes the edge from i to j as the entry in row i + 1 and column j + 1, in the order of the edge list, without
/// values (a pattern) or with one of each edge. scipy.io.mmread reads the file; `read_edge_list` gives the same edges
/// and values. T is float, double, std::int32_t or std::int64_t. Errors: a file that cannot be written, a relation
/// between two vertex sets, values of another graph, on a device, of several numbers for an edge, or that are not
/// finite.
///
///   stg::write_matrix_market("cora.mtx", graph);
///   stg::write_matrix_market("weighted.mtx", graph, graph.edge_values(weights));
void write_matrix_market(const std::string& path, const graph& g);
template <class T> void write_matrix_market(const std::string& path, const graph& g, const edge_values<T>& values);

}  // namespace stg
