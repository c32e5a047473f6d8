// Values per edge and step of a scan, in the order that kernels read them.
#pragma once

#include <stg/runtime/edge_values.hpp>  // edge_identity
#include <stg/runtime/tensor.hpp>       // tensor

#include <utility>  // move

namespace stg {

/// A tensor (steps, edges, ...) whose edges are in the order of their ids at every step: what is bound to an
/// over<"T">(edge_feature<...>), and what a program gives back that returns edge values for each step. Made by
/// `graph.edge_steps(w)` from the order of the edge list.
///
///   auto w = graph.edge_steps(weights);          // weights: (T, edges, ...)
///   auto back = graph.to_input_order(w);
template <TensorElement T> class edge_steps {
 public:
  using value_type = T;

  edge_steps() = default;
  /// Wraps a tensor whose edges are in the order of their ids already. Nothing is checked here.
  static edge_steps in_id_order(tensor<T> values, stg::edge_identity of = stg::edge_identity::unknown) {
    edge_steps e;
    e.values_ = std::move(values);
    e.edges_ = of;
    return e;
  }

  stg::edge_identity edge_identity() const { return edges_; }
  location place() const { return values_.place(); }
  edge_steps to(location where) const { return in_id_order(values_.to(where), edges_); }
  edge_steps clone() const { return to(place()); }

  detail::memory share() const& { return values_.share(); }
  detail::memory share() && { return std::move(values_).share(); }

  tensor<T>& values() { return values_; }
  const tensor<T>& values() const { return values_; }

 private:
  tensor<T> values_;
  stg::edge_identity edges_ = stg::edge_identity::unknown;
};

}  // namespace stg
