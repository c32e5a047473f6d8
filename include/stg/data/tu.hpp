// Reading folders of TU Dortmund's collection: many small graphs with a label each.
#pragma once

#include <stg/data/graph_set.hpp>  // graph_set

#include <string>  // string

namespace stg {

/// What a folder has of NAME_A.txt, NAME_graph_indicator.txt and so on; a tensor whose file is missing has shape (0,).
/// Rows of edges are those of the edge list. Labels stay as they are written, and need not begin with 0.
struct tu_dataset {
  graph_set set;
  tensor<std::int64_t> graph_labels;               // (graphs)
  tensor<float> graph_attributes;                  // (graphs, attributes)
  tensor<std::int64_t> node_labels, edge_labels;   // (vertices, labels), (edges, labels)
  tensor<float> node_attributes, edge_attributes;  // (vertices, attributes), (edges, attributes)
};

/// Reads a folder as it is unpacked, whose name is that of its files. Vertices and graphs are counted from 1 there, and
/// from 0 on here. Errors name the file, and the line or the row: those of texts; a folder without the first two files;
/// vertices that do not come graph by graph; an edge from one graph to another, or not graph by graph; another number
/// of rows than there are vertices, edges or graphs.
///
///   auto data = stg::read_tu("MUTAG");
///   auto labels = data.graph_labels.to<std::int32_t>();
tu_dataset read_tu(const std::string& folder);

}  // namespace stg
