// distributed_sequence: the part of a graph that changes that a rank computes.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int32_t, int64_t
#include <span>     // span
#include <utility>  // move
#include <vector>   // vector

#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/runtime/communicator.hpp>           // communicator
#include <stg/runtime/edge_values.hpp>            // edge_steps
#include <stg/runtime/graph_sequence.hpp>         // graph_sequence
#include <stg/runtime/sparse_tensor.hpp>          // sparse_tensor
#include <stg/runtime/tensor.hpp>                 // tensor

namespace stg {

/// Stands wherever a graph_sequence does, as a distributed_graph does for a graph: each rank computes the rows of its
/// own vertices at every step, and exchanges what neighbours read at that step.
///
/// Own vertices, and the rows of a tensor over vertices, are the same at all steps: a row for each own vertex and for
/// each halo vertex, a vertex of another rank that an edge of any step joins with an own one. All rows are there, of
/// inputs and of results.
///
/// The steps of a part are resident: 24 bytes for each edge that a rank has at a step (28 with weights), 44 for each
/// row and step, and lists of what is exchanged.
///
///   stg::run_ranks(4, [&](stg::communicator& ranks) {
///     stg::distributed_sequence part(days, cut, ranks);
///     auto now = step(part, x = part.step_rows(X), w = part.weights(), params);
///   });
class distributed_sequence : public graph_sequence {
 public:
  /// The parts of this rank, as of a distributed_graph; ranks that are threads may cut one sequence. The sequence may
  /// go afterwards, the communicator outlives the part. Errors: a cut of another number of vertices, more ranks than
  /// the cut has parts, a sequence on a device, and one that is a part.
  distributed_sequence(const graph_sequence& whole, const cut& of, communicator& ranks);

  communicator& ranks() const { return rows_.ranks(); }
  /// Own vertices, which are the first rows, and those of the whole sequence.
  std::int64_t own_vertices() const { return rows_.own_vertices(); }
  std::int64_t all_vertices() const { return rows_.all_vertices(); }
  /// The number in the whole sequence of each row: own rows, then the halo.
  std::span<const std::int32_t> global_vertices() const& { return rows_.global_vertices(); }
  void global_vertices() const&& = delete;  // stg: the sequence is gone with its numbers; give it a name first

  /// The part's rows of a tensor over all vertices, (vertices, ...), which is the same at all steps; and of one with a
  /// row for each vertex at each step, (steps, vertices, ...). Errors for another number of rows.
  template <TensorElement T> tensor<T> rows(const const_tensor<T>& of_all) const { return rows_.rows(of_all); }
  template <class T> sparse_tensor<T> rows(const sparse_tensor<T>& of_all) const { return rows_.rows(of_all); }
  template <TensorElement T> tensor<T> step_rows(const const_tensor<T>& of_all) const {
    return rows_.step_rows(of_all);
  }
  /// The part's edges of values over the edges of all steps. The sequence's weights are here already: weights(). Error
  /// for values of another sequence.
  template <TensorElement T> stg::edge_steps<T> edge_rows(const stg::edge_steps<T>& of_all) const {
    check_edges_of_all(of_all.edge_identity());
    const tensor<T>& all = of_all.values();
    tensor<T> t = tensor<T>::for_overwrite(distributed_graph::with_rows(all.shape(), edges()));
    take_edges(reinterpret_cast<const std::byte*>(all.data()), reinterpret_cast<std::byte*>(t.data()), t.bytes());
    return stg::edge_steps<T>::in_id_order(std::move(t), edge_identity());
  }
  /// A tensor over all vertices of results, on every rank: own rows of each. All ranks call it.
  ///
  ///   const stg::tensor<float> last = part.gathered(states.row(part.steps() - 1));   // of (steps, vertices, ...)
  template <TensorElement T> tensor<T> gathered(const const_tensor<T>& of_part) const {
    return rows_.gathered(of_part);
  }

 private:
  struct parts;
  distributed_sequence(const cut& of, parts all);
  void check_edges_of_all(stg::edge_identity) const;
  void take_edges(const std::byte* from, std::byte* to, std::int64_t bytes) const;

  distributed_graph rows_;                       // of no edges: what is outside of steps
  stg::edge_identity whole_;                     // of the sequence that is cut
  std::vector<std::int64_t> edges_before_step_;  // of that sequence
};

}  // namespace stg
