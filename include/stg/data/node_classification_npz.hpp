// Reading PyG's data sets of one .npz file: Amazon, Coauthor, CitationFull, and the heterophilous graphs. Of stg::io.
#pragma once

#include <stg/data/dataset.hpp>  // node_classification
#include <stg/data/npz.hpp>      // unpacking_limits

#include <string>  // string

namespace stg {

/// How a file becomes a data set; by default as PyG has it.
struct npz_dataset_options {
  bool undirected = true;     ///< both directions of every edge, as to_undirected makes them
  bool binary = true;         ///< of sparse features, 1 in place of each positive number
  int split = 0;              ///< which of the splits that a heterophilous graph comes with
  unpacking_limits limits{};  ///< of each array, and of features that are sparse in the file and dense in memory
};

/// Reads a file of gnn-benchmark (adj_data, adj_indices, adj_indptr, adj_shape, attr_… likewise, labels), whose masks
/// are then empty of vertices, or of the heterophilous graphs (node_features, node_labels, edges, train_masks, …).
/// Loops are removed from the first as PyG does. Errors name the file and the array: those of `read_npz`, an array that
/// is missing, arrays that contradict each other, no split of the number.
///
///   auto photo = stg::read_node_classification_npz("amazon_electronics_photo.npz");      // 7650 vertices, 8 classes
///   auto roman = stg::read_node_classification_npz("roman_empire.npz", {.split = 3});
node_classification read_node_classification_npz(const std::string& path, const npz_dataset_options& options = {});

}  // namespace stg
