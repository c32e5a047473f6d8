// Dividing vertices into those to train on, to choose by, and to report: masks, drawn at random.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // int32_t, int64_t, uint64_t

namespace stg {

/// Masks of three parts, (vertices) each. No vertex is in two of them.
struct vertex_split {
  tensor<bool> train, val, test;
};

/// Shares of the vertices; those of `test` are what is left over, unless it is given. Cuts are at the nearest vertex.
struct split_fractions {
  double train = 0.6, val = 0.2;
  double test = -1;  // negative: the rest
};
/// Numbers of vertices; those that are left over are in no mask.
struct split_counts {
  std::int64_t train = 0, val = 0, test = 0;
};
/// Vertices of each class to train on, and those of any class for the rest: 20, 500 and 1000 are Planetoid's.
struct class_counts {
  std::int64_t train_per_class = 20, val = 500, test = 1000;
};

// The same seed draws the same split on every machine, another one another. Labels: (vertices); a vertex whose label is
// negative is in no mask. Errors: shares that are negative or more than 1 together, more vertices than there are,
// labels on a device or of rank other than 1.

/// Any vertices, as in PyTorch's random_split.
///
///   auto split = stg::random_split(graph.vertices(), stg::split_fractions{.train = 0.5, .val = 0.25}, 7);
///   step(graph, x = X, label = Y, known = split.train, params);
vertex_split random_split(std::int64_t vertices, const split_fractions& shares, std::uint64_t seed);
vertex_split random_split(std::int64_t vertices, const split_counts& counts, std::uint64_t seed);
/// So many vertices of each class to train on, then any of the others: PyG's RandomNodeSplit("random",
/// num_train_per_class, num_val, num_test). A class of fewer vertices gives all that it has.
///
///   auto split = stg::random_split(data.labels, stg::class_counts{.train_per_class = 20, .val = 500, .test = 1000},
///   7);
vertex_split random_split(const const_tensor<std::int32_t>& labels, const class_counts& counts, std::uint64_t seed);
/// The same shares of each class, so that all parts have classes in the same proportions (stratified).
vertex_split random_split(const const_tensor<std::int32_t>& labels, const split_fractions& shares, std::uint64_t seed);

}  // namespace stg
