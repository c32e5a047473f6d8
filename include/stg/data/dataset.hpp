// Data sets for node classification: the folder format, read and written.
#pragma once

#include <stg/data/search.hpp>            // dataset_not_found
#include <stg/runtime/graph.hpp>          // graph, tensor
#include <stg/runtime/mask.hpp>           // mask_of
#include <stg/runtime/sparse_tensor.hpp>  // sparse_tensor

#include <string>  // string

namespace stg {

/// A graph with features, a label for each vertex, and the vertices of each split.
struct node_classification {
  std::string name;
  stg::graph graph;
  tensor<float> features;         // (vertices, features); stg::sparse(features) is what a sparse_feature takes
  tensor<std::int32_t> labels;    // (vertices), in [0, classes)
  tensor<bool> train, val, test;  // (vertices)
  int classes = 0;
};

/// Reads a data set in the folder format: adj_indptr and adj_indices (CSR, row = source; the order of the edge list),
/// feat_indptr, feat_indices and optionally feat_values (CSR) or feat_bits, labels, and train, val and test (vertex
/// ids). Features are as stored (see `normalize_rows`). The number of features is one more than the largest that
/// occurs. Without a feature file features are (vertices, 0); without a split its mask is empty of vertices. `root` is
/// searched first (see `find_dataset`). Errors: dataset_not_found with the places looked at, those of `read_npy`, and
/// stg::error for what is no folder, and for files that contradict each other, naming the file and the index: offsets
/// that do not ascend, sizes that disagree, ids or labels out of range.
///
///   auto cora = stg::load_node_classification("cora");   // 2708 vertices, 10556 edges, 1433 features, 7 classes
node_classification load_node_classification(const std::string& name, const std::string& root = {});

/// The same from one folder, without a search.
node_classification read_node_classification(const std::string& folder, const std::string& name);

/// Writes a data set so that these functions read it: features that are not 0, and masks as vertex ids. Edges are by
/// source, in the order of the edge list within one. All files are put in place at once. Errors: tensors with other
/// rows than vertices, labels that are not in [0, 65536), features that are not (vertices, columns) of at most 65,536
/// columns, anything on a device, more than 2^31 - 1 edges or features, and files that cannot be written.
///
///   stg::write_node_classification("mine", data);
void write_node_classification(const std::string& folder, const node_classification& data);

/// Divides each row by its sum, as GCN and GAT do; rows that sum to 0 stay. x: (rows, ...). Error for rank 0,
/// and on a device.
void normalize_rows(tensor<float>& x);
/// The same for sparse features. Error on a device.
void normalize_rows(sparse_tensor<float>& x);

}  // namespace stg
