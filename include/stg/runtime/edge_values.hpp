// Values per edge, and per step of a scan and edge, in the order in which kernels read them: row k belongs to the edge
// with id k.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // uint64_t
#include <utility>  // move

namespace stg {

/// Tells graphs apart by their edges, in the order of their ids. Copies of a graph, in any place, and graphs of the
/// same edges have the same identity, if the edges into each vertex come in the same order; the order of vertices in
/// the edge list does not matter. `unknown` agrees with all.
enum class edge_identity : std::uint64_t { unknown = 0 };

namespace detail {

/// The common part of edge values, a class Self each: a tensor, and the identity of the edges in its order of ids.
template <class Self, TensorElement T> class tensor_of_edges {
 public:
  using value_type = T;

  /// Wraps a tensor with edges in the order of their ids already: of a graph, `in_id_order(t, graph.edge_identity())`,
  /// or of an unknown one, so that calls compare only shapes. Nothing is checked here.
  static Self in_id_order(tensor<T> values, stg::edge_identity of = stg::edge_identity::unknown) {
    Self e;
    e.values_ = std::move(values);
    e.edges_ = of;
    return e;
  }

  /// The identity of their edges.
  stg::edge_identity edge_identity() const { return edges_; }
  /// The place of the values, and a copy of them in a different place.
  location place() const { return values_.place(); }
  Self to(location where) const { return in_id_order(values_.to(where), edges_); }
  /// A copy that owns its memory.
  Self clone() const { return to(place()); }

  /// As a tensor's, for later use of the values.
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

/// A tensor with rows in edge-id order. Made by `graph.edge_values(w)` from the user's order, once, so that calls need
/// not permute; a plain tensor cannot be bound to an edge feature by mistake, nor can the values of one graph in a call
/// of another.
///
///   auto w = graph.edge_values(weights);        // weights: (edges, ...) in the order of the edge list
///   auto back = graph.to_input_order(w);
template <TensorElement T>
class STG_NODISCARD(STG_TENSOR_IS_NOT_USED) edge_values : public detail::tensor_of_edges<edge_values<T>, T> {};

/// A tensor (steps, edges, ...) with edges in the order of their ids at every step: bound to an
/// over<"T">(edge_feature<...>), and returned by a program with edge values for each step. Made by
/// `graph.edge_steps(w)` from the order of the edge list.
///
///   auto w = graph.edge_steps(weights);          // weights: (T, edges, ...)
///   auto back = graph.to_input_order(w);
template <TensorElement T> class edge_steps : public detail::tensor_of_edges<edge_steps<T>, T> {};

/// Writes the values as a tensor, in the order of edge ids.
template <class Self, class T> std::ostream& operator<<(std::ostream& out, const detail::tensor_of_edges<Self, T>& e) {
  return out << e.values();
}

}  // namespace stg
