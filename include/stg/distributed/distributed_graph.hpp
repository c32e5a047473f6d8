// distributed_graph: the part of a cut graph that a rank computes.
#pragma once

#include <cstdint>  // int32_t, int64_t
#include <memory>   // shared_ptr
#include <span>     // span
#include <utility>  // move

#include <stg/distributed/cut.hpp>            // cut
#include <stg/distributed/vertex_owners.hpp>  // vertex_owners
#include <stg/runtime/communicator.hpp>       // communicator
#include <stg/runtime/edge_values.hpp>        // edge_values
#include <stg/runtime/graph.hpp>              // graph
#include <stg/runtime/rank_rows.hpp>          // rank_rows
#include <stg/runtime/sparse_tensor.hpp>      // sparse_tensor
#include <stg/runtime/tensor.hpp>             // tensor

namespace stg {

class device_links;

class parts_folder;

/// Stands wherever a graph does: a program that is called with it computes the whole graph's values, each rank the rows
/// of its own vertices, and exchanges what neighbours read. All ranks call the same programs in the same order. Graph
/// values, such as a loss and gradients of parameters, are the same on every rank, to the bit.
///
/// Tensors over vertices have a row for each own vertex and for each halo vertex, a vertex of another rank that an edge
/// joins with an own one. All rows are there, of inputs and of results.
///
///   stg::run_ranks(4, [&](stg::communicator& ranks) {
///     const stg::distributed_graph part(cut, ranks);
///     auto now = step(part, x = part.rows(X), label = part.rows(Y), params);
///   });
class distributed_graph : public graph {
 public:
  /// The parts of this rank: rank r of k has parts [parts r / k, parts (r + 1) / k). The communicator outlives the
  /// graph. Errors: more ranks than the cut has parts, and a graph on a device or of several kinds.
  ///
  /// by: how ranks share sweeps along edges. By rows, each rank has its own rows and the halo. By features, it computes
  /// some columns, or heads, of all rows, where nothing mixes them, and has the whole graph for it: for graphs whose
  /// halos exceed own rows. Rows are added up in the same order.
  ///
  ///   const stg::distributed_graph part(cut, ranks, stg::cut_by::features);
  distributed_graph(const cut& of, communicator& ranks, cut_by by = cut_by::rows);

  communicator& ranks() const;
  /// The rank of each vertex, for rows of sampled batches.
  vertex_owners owners() const;
  /// Own vertices, which are the first rows, and those of the whole graph.
  std::int64_t own_vertices() const;
  std::int64_t all_vertices() const;
  /// The whole graph's number of each row: own rows, then the halo.
  std::span<const std::int32_t> global_vertices() const&;
  void global_vertices() const&& = delete;  // stg: the graph is gone with its numbers; give it a name first

  /// The part's rows of a tensor over all vertices, (vertices, ...). Error for another number of rows.
  template <TensorElement T> tensor<T> rows(const const_tensor<T>& of_all) const {
    check_rows_of_all(of_all.shape(), of_all.place());
    tensor<T> t = tensor<T>::for_overwrite(with_rows(of_all.shape(), vertices()));
    take_rows(reinterpret_cast<const std::byte*>(of_all.data()), reinterpret_cast<std::byte*>(t.data()), t.bytes());
    return t;
  }
  template <class T> sparse_tensor<T> rows(const sparse_tensor<T>& of_all) const {
    check_rows_of_all(of_all.shape(), of_all.place());
    return of_all.rows(global_vertices());
  }
  /// The same of a tensor with a row for each vertex at each step, (steps, vertices, ...).
  template <TensorElement T> tensor<T> step_rows(const const_tensor<T>& of_all) const {
    check_steps_of_all(of_all.shape(), of_all.place());
    tensor<T> t = tensor<T>::for_overwrite(with_rows(of_all.shape(), vertices(), 1));
    const std::int64_t steps = of_all.shape()[0];
    for (std::int64_t s = 0; s < steps; ++s)
      take_rows(reinterpret_cast<const std::byte*>(of_all.data()) + s * (of_all.bytes() / steps),
                reinterpret_cast<std::byte*>(t.data()) + s * (t.bytes() / steps), t.bytes() / steps);
    return t;
  }
  /// The part's edges of values over all edges. Error for values of another graph.
  template <TensorElement T> stg::edge_values<T> edge_rows(const stg::edge_values<T>& of_all) const {
    check_edges_of_all(of_all.edge_identity());
    const tensor<T>& all = of_all.values();
    tensor<T> t = tensor<T>::for_overwrite(with_rows(all.shape(), edges()));
    take_edges(reinterpret_cast<const std::byte*>(all.data()), reinterpret_cast<std::byte*>(t.data()), t.bytes());
    return stg::edge_values<T>::in_id_order(std::move(t), edge_identity());
  }
  /// A tensor over all vertices of results, on every rank: own rows of each. All ranks call it.
  template <TensorElement T> tensor<T> gathered(const const_tensor<T>& of_part) const {
    check_rows_of_part(of_part.shape(), of_part.place());
    tensor<T> t = tensor<T>::for_overwrite(with_rows(of_part.shape(), all_vertices()));
    const std::int64_t rows = all_vertices() == 0 ? 1 : all_vertices();
    gather(reinterpret_cast<const std::byte*>(of_part.data()), t.bytes() / rows,
           reinterpret_cast<std::byte*>(t.data()));
    return t;
  }

 private:
  friend class device_links;
  friend class distributed_sequence;
  friend class parts_folder;
  distributed_graph(const cut& of, graph part);
  static dimensions with_rows(const dimensions& of, std::int64_t rows, int axis = 0);
  void check_rows_of_all(const dimensions&, location) const;
  void check_steps_of_all(const dimensions&, location) const;
  void check_rows_of_part(const dimensions&, location) const;
  void check_edges_of_all(stg::edge_identity) const;
  void take_rows(const std::byte* from, std::byte* to, std::int64_t bytes) const;
  void take_edges(const std::byte* from, std::byte* to, std::int64_t bytes) const;
  void gather(const std::byte* from, std::int64_t row, std::byte* to) const;

  cut cut_;
  const rank_rows* part_;  // of the graph's state
};

}  // namespace stg
