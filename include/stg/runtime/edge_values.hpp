// Values per edge in the order that kernels read them: row k belongs to the edge with id k.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor

#include <utility>  // move

namespace stg {

/// A tensor whose rows are in edge-id order. Made by `graph.edge_values(w)` from the user's order, once, so that calls
/// need not permute; a plain tensor cannot be bound to an edge feature by mistake.
///
///   auto w = graph.edge_values(weights);        // weights: (edges, ...) in the order of the edge list
///   auto back = graph.to_input_order(w);
template <TensorElement T> class edge_values {
 public:
  using value_type = T;

  edge_values() = default;
  /// Wraps a tensor whose rows are in edge-id order already, such as an output. Nothing is checked.
  static edge_values in_id_order(tensor<T> values) {
    edge_values e;
    e.values_ = std::move(values);
    return e;
  }

  /// Where the values lie, and a copy of them that lies elsewhere.
  location place() const { return values_.place(); }
  edge_values to(location where) const { return in_id_order(values_.to(where)); }

  tensor<T>& values() { return values_; }
  const tensor<T>& values() const { return values_; }

 private:
  tensor<T> values_;
};

}  // namespace stg
