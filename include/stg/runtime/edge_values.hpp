// Values per edge, and per step of a scan and edge, in the order that kernels read them: row k belongs to the edge with
// id k.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // uint64_t
#include <utility>  // move

namespace stg {

/// What tells the edges of one graph, in the order of their ids, from those of another. Copies of a graph, wherever
/// they lie, and graphs of the same edges have the same one, where those into each vertex come in the same order; which
/// vertex comes first in the edge list is no matter. `unknown` agrees with all.
enum class edge_identity : std::uint64_t { unknown = 0 };

namespace detail {

/// What values of edges have in common, a class Self each: a tensor, and whose edges are in the order of their ids in
/// it.
template <class Self, TensorElement T> class tensor_of_edges {
 public:
  using value_type = T;

  /// Wraps a tensor whose edges are in the order of their ids already: of a graph, `in_id_order(t,
  /// graph.edge_identity())`, or of one that is not told, so that calls compare no more than shapes. Nothing is checked
  /// here.
  static Self in_id_order(tensor<T> values, stg::edge_identity of = stg::edge_identity::unknown) {
    Self e;
    e.values_ = std::move(values);
    e.edges_ = of;
    return e;
  }

  /// Whose values these are.
  stg::edge_identity edge_identity() const { return edges_; }
  /// Where the values lie, and a copy of them that lies elsewhere.
  location place() const { return values_.place(); }
  Self to(location where) const { return in_id_order(values_.to(where), edges_); }
  /// A copy that owns its memory.
  Self clone() const { return to(place()); }

  /// As a tensor's, for whoever refers to the values later.
  memory share() const& { return values_.share(); }
  memory share() && { return std::move(values_).share(); }

  /// Of a temporary the tensor itself.
  ///
  ///   for (const float share : model(graph, s = S).values()) use(share);
  tensor<T>& values() & { return values_; }
  const tensor<T>& values() const& { return values_; }
  tensor<T> values() && { return std::move(values_); }

 private:
  tensor<T> values_;
  stg::edge_identity edges_ = stg::edge_identity::unknown;
};

}  // namespace detail

/// A tensor whose rows are in edge-id order. Made by `graph.edge_values(w)` from the user's order, once, so that calls
/// need not permute; a plain tensor cannot be bound to an edge feature by mistake, nor can the values of one graph in a
/// call of another.
///
///   auto w = graph.edge_values(weights);        // weights: (edges, ...) in the order of the edge list
///   auto back = graph.to_input_order(w);
template <TensorElement T>
class STG_NODISCARD(STG_TENSOR_IS_NOT_USED) edge_values : public detail::tensor_of_edges<edge_values<T>, T> {};

/// A tensor (steps, edges, ...) whose edges are in the order of their ids at every step: what is bound to an
/// over<"T">(edge_feature<...>), and what a program gives back that returns edge values for each step. Made by
/// `graph.edge_steps(w)` from the order of the edge list.
///
///   auto w = graph.edge_steps(weights);          // weights: (T, edges, ...)
///   auto back = graph.to_input_order(w);
template <TensorElement T> class edge_steps : public detail::tensor_of_edges<edge_steps<T>, T> {};

/// Writes the values, in the order of edge ids, as those of a tensor.
template <class Self, class T> std::ostream& operator<<(std::ostream& out, const detail::tensor_of_edges<Self, T>& e) {
  return out << e.values();
}

}  // namespace stg
