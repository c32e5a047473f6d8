// The graph: an edge list sorted by destination and by source, with one edge id for both.
#pragma once

#include <stg/base/instead.hpp>           // STG_INSTEAD
#include <stg/runtime/adjacency.hpp>      // adjacency
#include <stg/runtime/edge_values.hpp>    // edge_steps, edge_values, tensor
#include <stg/runtime/integer_range.hpp>  // IntegerRange

#include <cstddef>           // byte
#include <cstdint>           // int32_t, int64_t
#include <initializer_list>  // initializer_list
#include <memory>            // shared_ptr
#include <span>              // span
#include <vector>            // vector

namespace stg {

class communicator;
struct rank_rows;

namespace detail {
struct graph_access;
class kind_table;
}  // namespace detail

/// Edges as they were given: edge i goes from src[i] to dst[i].
struct edge_list {
  std::vector<std::int32_t> src, dst;
  bool operator==(const edge_list&) const = default;
};

/// A directed graph that never changes. Parallel edges, self-loops and isolated vertices are kept; an empty graph is a
/// graph. Copies share one state. The id of an edge is its position when edges are sorted by destination, input order
/// kept within a destination; `edge_values` and `to_input_order` translate. A graph lies on the host, or is a copy on a
/// device, for programs that run there: rows are then for kernels alone, and all else is answered from the host's
/// graph, which the copy keeps alive. What is made from a graph lies on the host.
///
///   auto g = stg::graph::from_edges(3, src, dst).add_self_loops();
///   auto on_device = g.to(stg::cuda());
///   for (auto k = g.in_edges().begin(v); k != g.in_edges().end(v); ++k) use(g.in_edges().neighbour(k));
class STG_NODISCARD(STG_GRAPH_IS_NOT_USED) graph {
 public:
  /// No vertices and no edges.
  graph();

  /// Edge i goes from src[i] to dst[i], both in [0, vertices). Errors name the edge: spans of different lengths, an
  /// endpoint that is negative or not below `vertices`; and `vertices` negative or beyond 2^31 - 1.
  ///
  ///   const std::int64_t src[] = {0, 2}, dst[] = {1, 1};
  ///   auto g = stg::graph::from_edges(3, src, dst);       // vertex 1 has two in-edges
  static graph from_edges(std::int64_t vertices, std::span<const std::int64_t> src, std::span<const std::int64_t> dst);
  static graph from_edges(std::int64_t vertices, std::span<const std::int32_t> src, std::span<const std::int32_t> dst);
  /// The same of any two ranges of integers: vectors of `long long`, tensors of int64, lists in braces.
  ///
  ///   auto g = stg::graph::from_edges(3, {0, 2}, {1, 1});
  template <detail::IntegerRange Src, detail::IntegerRange Dst>
  static graph from_edges(std::int64_t vertices, const Src& src, const Dst& dst) {
    using detail::span_of, detail::ArrayOf;
    if constexpr (ArrayOf<Src, std::int64_t> && ArrayOf<Dst, std::int64_t>)
      return from_edges(vertices, span_of<std::int64_t>(src), span_of<std::int64_t>(dst));
    else if constexpr (ArrayOf<Src, std::int32_t> && ArrayOf<Dst, std::int32_t>)
      return from_edges(vertices, span_of<std::int32_t>(src), span_of<std::int32_t>(dst));
    else
      return from_edges(vertices, std::span<const std::int64_t>(detail::widened(src)),
                        std::span<const std::int64_t>(detail::widened(dst)));
  }
  static graph from_edges(std::int64_t vertices, std::initializer_list<std::int64_t> src,
                          std::initializer_list<std::int64_t> dst) {
    return from_edges(vertices, std::span(src.begin(), src.size()), std::span(dst.begin(), dst.size()));
  }
  /// The same of PyTorch Geometric's edge_index, (2, edges): sources, then destinations. Error for another shape.
  ///
  ///   auto g = stg::graph::from_edge_index(2708, stg::read_npy<std::int64_t>("edge_index.npy"));
  static graph from_edge_index(std::int64_t vertices, const const_tensor<std::int64_t>& edge_index);
  static graph from_edge_index(std::int64_t vertices, const const_tensor<std::int32_t>& edge_index);

  /// The same of compressed rows as SciPy's csr_array has them: edges from vertex v go to neighbours[offsets[v]] up to
  /// neighbours[offsets[v + 1]], in ascending order (A.sort_indices()). offsets: (vertices + 1). The edge list has the
  /// order of the rows. Errors name the place: offsets that descend or do not end at the number of edges, a row that is
  /// not in order, a neighbour that is no vertex.
  ///
  ///   auto g = stg::graph::from_csr(indptr, indices);
  static graph from_csr(std::span<const std::int64_t> offsets, std::span<const std::int64_t> neighbours);
  static graph from_csr(std::span<const std::int64_t> offsets, std::span<const std::int32_t> neighbours);
  static graph from_csr(std::span<const std::int32_t> offsets, std::span<const std::int32_t> neighbours);

  // Of other arguments and names: what to write.
  STG_INSTEAD_FREE("stg: a graph has its number of vertices first: graph::from_edges(vertices, src, dst)",
                   static graph from_edges(detail::any, detail::any))
  STG_INSTEAD_FREE("stg: a graph has its number of vertices first: graph::from_edge_index(vertices, edge_index)",
                   static graph from_edge_index(detail::any))
  STG_INSTEAD_MADE("stg: a graph is made by a function: stg::graph::from_edges(vertices, src, dst)",
                   graph(detail::any, detail::any))
  STG_INSTEAD_MADE("stg: a graph is made by a function: stg::graph::from_edges(vertices, src, dst)",
                   graph(detail::any, detail::any, detail::any))
  STG_INSTEAD("stg: a graph's vertices are counted by graph.vertices()", std::int64_t num_nodes() const)
  STG_INSTEAD("stg: a graph's vertices are counted by graph.vertices()", std::int64_t number_of_nodes() const)
  STG_INSTEAD("stg: a graph's vertices are counted by graph.vertices()", std::int64_t num_vertices() const)
  STG_INSTEAD("stg: a graph's edges are counted by graph.edges()", std::int64_t num_edges() const)
  STG_INSTEAD("stg: a graph's edges are counted by graph.edges()", std::int64_t number_of_edges() const)
  STG_INSTEAD("stg: degrees of a graph are in_degrees()[v] and out_degrees()[v]",
              std::int64_t in_degree(detail::any) const)
  STG_INSTEAD("stg: degrees of a graph are in_degrees()[v] and out_degrees()[v]",
              std::int64_t out_degree(detail::any) const)
  STG_INSTEAD("stg: the edges of a graph as two lists are graph.edge_list()", stg::edge_list edge_index() const)

  /// Where the rows lie: stg::host, or stg::cuda(device).
  location place() const;
  /// The graph with its rows elsewhere; itself when they lie there. Errors: no such device, or no memory on it.
  graph to(location where) const;

  std::int64_t vertices() const;
  /// Rows of out_edges() and of in_edges(): vertices(), but for a relation between two vertex sets (graphs.hpp), whose
  /// vertices() are those of its destinations.
  std::int64_t sources() const;
  std::int64_t destinations() const;
  std::int64_t edges() const;

  // What looks at the graph's memory, and is valid while a copy of the graph lives.

  /// Row = destination, neighbour = source, edge_id(k) == k. On a device: to be handed to kernels, and not read here.
  adjacency in_edges() const&;
  void in_edges() const&& = delete;  // stg: the graph is gone with its edges; give it a name first
  /// Row = source, neighbour = destination, edge ids of in_edges().
  adjacency out_edges() const&;
  void out_edges() const&& = delete;  // stg: the graph is gone with its edges; give it a name first
  /// In-edges of each destination, out-edges of each source; loops and parallel edges count.
  std::span<const std::int32_t> in_degrees() const&;
  void in_degrees() const&& = delete;  // stg: the graph is gone with its degrees; give it a name first
  std::span<const std::int32_t> out_degrees() const&;
  void out_degrees() const&& = delete;  // stg: the graph is gone with its degrees; give it a name first

  /// Makes now what programs make of a large graph when they first need it, and what then belongs to the graph: where
  /// edge values go to be read along out-edges, 6 bytes per edge. For a first call that is as fast as the others.
  void prepare() const;

  /// Whether both are copies of one graph; equal edges are not enough.
  bool is_same_as(const graph& other) const { return state_ == other.state_; }
  /// Which edges the values of this graph's edges belong to: the same for all copies, and for graphs that were made
  /// apart with the same edges in the same order of ids. Computed once, when it is first asked for.
  stg::edge_identity edge_identity() const;

  /// Whether it stands for a graph of several kinds, stg::graphs.
  bool has_kinds() const { return kinds() != nullptr; }
  const detail::kind_table* kinds() const;
  /// Of the part that a rank has of a cut graph (distributed_graph.hpp): the rank's rows; else null.
  const rank_rows* ranks() const;
  /// Who carries messages by hand, of a graph that knows its ranks; else null.
  communicator* messages() const;

  /// The edges in the order in which `edge_values` takes them.
  stg::edge_list edge_list() const;

  /// One more loop per vertex, whether it has one or not (as PyG does). Input order: these edges, then the loops by
  /// vertex; so edge values carry over as (values, one value per vertex).
  graph add_self_loops() const;
  /// A loop for each vertex without one; loops that are there stay where they are. Input order: these edges, then the
  /// added loops by vertex. Values of edges follow along by the function of the same name in
  /// stg/runtime/self_loops.hpp, as those of add_self_loops and remove_self_loops do.
  graph add_remaining_self_loops() const;
  /// The edges that are no loops, in the order in which they were given.
  graph remove_self_loops() const;
  /// Both directions of every edge, duplicates removed (as PyG does). Input order: ascending by (source, destination);
  /// values of the edges are carried over by the function of the same name in stg/runtime/merged_edges.hpp.
  graph to_undirected() const;
  /// Parallel edges merged into one. Input order: ascending by (source, destination); values of the edges are carried
  /// over by the function of the same name there. The others are of one set of vertices; this is of a relation between
  /// two as well.
  graph coalesce() const;

  /// Puts values given per edge of the edge list, (edges, ...), into edge-id order.
  /// Error when the number of rows is not edges(), or the values lie on a device.
  template <TensorElement T> stg::edge_values<T> edge_values(const const_tensor<T>& input_order) const {
    check_rows(input_order.shape(), input_order.place());
    auto t = tensor<T>::for_overwrite(input_order.shape());
    to_id_order(reinterpret_cast<const std::byte*>(input_order.data()), reinterpret_cast<std::byte*>(t.data()),
                t.bytes());
    return stg::edge_values<T>::in_id_order(std::move(t), edge_identity());
  }

  /// The inverse: values in the order of the edge list, (edges, ...). Errors also for values of another graph.
  template <TensorElement T> tensor<T> to_input_order(const stg::edge_values<T>& in_id_order) const {
    const tensor<T>& v = in_id_order.values();
    check_rows(v.shape(), v.place());
    check_identity(in_id_order.edge_identity());
    auto t = tensor<T>::for_overwrite(v.shape());
    to_input_order(reinterpret_cast<const std::byte*>(v.data()), reinterpret_cast<std::byte*>(t.data()), t.bytes());
    return t;
  }

  /// Puts values given per step and edge, (steps, edges, ...), into edge-id order at every step. Errors as above.
  template <TensorElement T> stg::edge_steps<T> edge_steps(const const_tensor<T>& input_order) const {
    auto t = tensor<T>::for_overwrite(input_order.shape());
    each_step(input_order.shape(), input_order.place(), t.bytes(), [&](std::int64_t from, std::int64_t bytes) {
      to_id_order(reinterpret_cast<const std::byte*>(input_order.data()) + from,
                  reinterpret_cast<std::byte*>(t.data()) + from, bytes);
    });
    return stg::edge_steps<T>::in_id_order(std::move(t), edge_identity());
  }
  template <TensorElement T> tensor<T> to_input_order(const stg::edge_steps<T>& in_id_order) const {
    const tensor<T>& v = in_id_order.values();
    check_identity(in_id_order.edge_identity());
    auto t = tensor<T>::for_overwrite(v.shape());
    each_step(v.shape(), v.place(), t.bytes(), [&](std::int64_t from, std::int64_t bytes) {
      to_input_order(reinterpret_cast<const std::byte*>(v.data()) + from, reinterpret_cast<std::byte*>(t.data()) + from,
                     bytes);
    });
    return t;
  }

  struct state;  // arrays, in src/runtime/graph_state.hpp

 private:
  friend struct detail::graph_access;
  explicit graph(std::shared_ptr<const state> s) : state_(std::move(s)) {}
  void check_rows(const dimensions&, location) const;
  void check_identity(stg::edge_identity) const;
  void check_steps(const dimensions&, location) const;
  /// body(first byte, bytes) of every step.
  template <class Body>
  void each_step(const dimensions& shape, location lies, std::int64_t bytes, const Body& body) const {
    check_steps(shape, lies);
    for (std::int64_t t = 0; t < shape[0]; ++t) body(t * (bytes / shape[0]), bytes / shape[0]);
  }
  void to_id_order(const std::byte* from, std::byte* to, std::int64_t bytes) const;
  void to_input_order(const std::byte* from, std::byte* to, std::int64_t bytes) const;

  std::shared_ptr<const state> state_;
};

}  // namespace stg
