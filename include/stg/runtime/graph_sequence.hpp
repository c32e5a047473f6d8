// Graphs that change over time: snapshots with edge weights over one set of vertices, kept whole or as changes.
#pragma once

#include <stg/runtime/edge_values.hpp>  // edge_values
#include <stg/runtime/graph.hpp>        // graph
#include <stg/runtime/location.hpp>     // location
#include <stg/runtime/sizes.hpp>        // sizes
#include <stg/runtime/snapshot.hpp>     // snapshot_edges
#include <stg/runtime/step_graphs.hpp>  // sequence_weights, step_graphs

#include <cstdint>   // int64_t
#include <memory>    // shared_ptr
#include <optional>  // optional
#include <span>      // span
#include <string>    // string

namespace stg {

/// Edges that one step removes from the one before and adds to it. A removed edge without weights is any of the
/// parallel ones: the one of the lowest weight. An edge with a changed weight is removed and added.
struct snapshot_changes {
  snapshot_edges removed{}, added{};
};

/// Windows over events: step k has the events of times in [begin + k · stride, begin + k · stride + length). The last
/// step is the first whose window ends behind the last event. Both are above 0, in the unit of time. If the end of one
/// window is the beginning of a later one, both are one number: adjacent windows have each event once, and windows of r
/// strides have each r times, except at both ends. If all three numbers are decimals, so are borders: window 3 of
/// stride 0.1 begins at 0.3, not at 3 * 0.1, which is a little more.
struct event_windows {
  double length = 0, stride = 0;
  std::optional<double> begin{};  ///< that of the first event where it is not given; earlier events are in no window
  /// One edge for all events of a window from one vertex to a second: it weighs the sum of their values, or their
  /// number if events have none. false: each event is an edge and weighs its value.
  bool merged = false;
};

/// How a sequence keeps its snapshots.
enum class snapshot_store {
  automatic,  ///< resident if that takes no more than the limit, else changes
  resident,   ///< all graphs, ready to be read
  changes     ///< one graph, and what differs between each step and the next
};
struct sequence_options {
  snapshot_store store = snapshot_store::automatic;
  std::int64_t byte_limit = std::int64_t{1} << 30;  ///< of resident snapshots
  std::string file{};                               ///< what edges were read from; errors name it
};

/// A sequence of graphs over one set of vertices, one for each step. Edges of a snapshot are ascending by destination,
/// then source, then weight (-0 before 0): this is the order of its ids and of its edge list, so the graph's
/// `edge_values` and `to_input_order` copy. Parallel edges, loops, and steps without edges are kept. Both stores have
/// the same graphs and weights, bit by bit.
///
/// Resident snapshots take 20 bytes for each edge, 4 of them for its weight, and 24 for each vertex and step. The store
/// of changes takes 12 bytes (8 without weights) for each edge that comes or goes, and once 68 for each edge of the
/// largest snapshot and 48 for each vertex, and 8 more per thread: the current graph, room for the next one, and
/// scratch. Its first jump over several steps takes 12 bytes more for each edge. `bytes` gives the current size.
///
/// A program whose scans read edges is called with a sequence as with a graph: step t sees the graph of step t, there
/// and back (docs/time.md). A call shows steps as `at` does, and a tape keeps what it needs of the sequence.
///
/// A program on a device takes a sequence brought there by `sequence.to(stg::cuda())`: each step reads its graph there,
/// and nothing moves between host and device while it runs.
///
/// Weights are floats; none is NaN. A sequence is moved, not copied. Several threads may read a resident one at a time,
/// calls included. A sequence of changes shows one step at a time, so one thread at a time uses it: a call, `at`,
/// `weights_at` or `to` during use by a second thread is an error. References returned by `at` are not watched: they
/// show the step of the latest request.
///
///   stg::snapshot_edges monday{{0, 2}, {1, 1}, {0.5, 3}}, tuesday{{0, 1}, {1, 0}, {0.5, 2}};
///   auto days = stg::graph_sequence::from_steps(3, {{monday, tuesday}});
///   days.at(1).edges();                                                  // 2
///   days.weights_at(1).values();                                         // 2 of 1 -> 0, then 0.5 of 0 -> 1
///   model(days, x = X, w = days.weights());                              // with over<"T">(edge_feature<"w">)
class STG_NODISCARD(STG_GRAPH_IS_NOT_USED) graph_sequence {
 public:
  /// From the edges of each step. Errors name the step and the edge, counted from 0, and the file if options have one:
  /// an endpoint outside [0, vertices), as many sources as destinations, weights that are not one per edge, or given
  /// for some steps only (a step without edges has none), NaN, a weight beyond a float; and `vertices` negative or
  /// beyond 2^31 - 1.
  ///
  ///   auto sequence = stg::graph_sequence::from_steps(data.vertices, data.edges, {.file = "england_covid.json"});
  static graph_sequence from_steps(std::int64_t vertices, std::span<const snapshot_edges> steps,
                                   const sequence_options& options = {});
  /// From the edges of step 0 and the changes from each step to the next: changes.size() + 1 steps. Errors as above,
  /// and a removed edge that is not there, or not of the named weight.
  ///
  ///   auto sequence = stg::graph_sequence::from_changes(n, first, changes);
  static graph_sequence from_changes(std::int64_t vertices, const snapshot_edges& first,
                                     std::span<const snapshot_changes> changes, const sequence_options& options = {});
  /// From events that are ascending in time. values: one per event, or empty. Without events there are no steps. Errors
  /// name the event: as above, spans of different lengths, a time before its predecessor or not finite; a length or
  /// stride that is not above 0 or not finite, and more than 2^24 windows. They name the step if merged events weigh
  /// NaN together, or more than a float holds.
  ///
  ///   auto weeks = stg::graph_sequence::from_events(e.vertices(), e.src, e.dst, e.time,
  ///                                                 {.length = 4 * 604800.0, .stride = 604800.0, .merged = true});
  static graph_sequence from_events(std::int64_t vertices, std::span<const std::int64_t> src,
                                    std::span<const std::int64_t> dst, std::span<const double> time,
                                    const event_windows& windows, std::span<const double> values = {},
                                    const sequence_options& options = {});

  graph_sequence(graph_sequence&&) noexcept;
  graph_sequence& operator=(graph_sequence&&) noexcept;
  ~graph_sequence();

  /// The place of its graphs.
  location place() const;
  /// This sequence on a device, or the host's original of a sequence brought to a device; this sequence itself if it
  /// lies there already. If a file of the program includes <stg/snapshots_on_gpu.hpp>, a sequence of changes brings
  /// these, and each step is made there of the one before; otherwise, or by `resident`, all snapshots lie there. A
  /// sequence of changes goes through its steps and ends at the last one; graphs of the host stay as well. A graph made
  /// on a device has no host graph: ask `to(host)` about its edges. Errors: no memory, no such device, `changes` of a
  /// sequence without them, or if no file includes the header.
  ///
  ///   auto there = sequence.to(stg::cuda());
  ///   model(there, x = X.to(stg::cuda()), w = there.weights(), params.to(stg::cuda()));
  graph_sequence to(location where, snapshot_store store = snapshot_store::automatic);

  std::int64_t vertices() const;
  std::int64_t steps() const;
  bool has_weights() const;
  bool is_resident() const;
  /// Edges of all steps together, and of the steps before one, up to `steps()`: the position of the step's first edge
  /// among values of all of them.
  std::int64_t edges() const;
  std::int64_t edges_before(std::int64_t step) const;
  /// Sizes that memory depends on, for peak_bytes: vertices, and edges of the largest step and of all.
  stg::sizes sizes() const;
  /// The identity for values of all steps' edges.
  stg::edge_identity edge_identity() const;
  /// Edges of a step, without making its graph. Error when there is no such step, here and below.
  std::int64_t edges_at(std::int64_t step) const;
  /// The identity of the edges of a step's graph, likewise.
  stg::edge_identity edge_identity_at(std::int64_t step) const;

  /// The graph of a step. Of resident snapshots it lives as long as the sequence. The store of changes moves there: one
  /// step forward or back is a merge of the edges with the sorted changes, several are as many merges; the reference
  /// then shows the new step's graph. A copy of the graph stays as it is, and costs the sequence new memory for the
  /// next one. When memory runs out, the sequence stays where it was.
  ///
  ///   for (std::int64_t t = 0; t < sequence.steps(); ++t) step(sequence.at(t), weight = sequence.weights_at(t), …);
  const graph& at(std::int64_t step) &;
  graph at(std::int64_t step) && { return at(step); }
  /// The weights of a step in the order of edge ids. Moves as `at` does; tapes that hold the weights keep them as they
  /// were. Error also when edges have no weights.
  const edge_values<float>& weights_at(std::int64_t step) &;
  edge_values<float> weights_at(std::int64_t step) && { return weights_at(step).clone(); }

  /// The weights of all steps, for a call with this sequence; nothing is copied. Error when there are
  /// edges and they have none.
  ///
  ///   model(sequence, x = X, w = sequence.weights());
  sequence_weights weights() const;
  /// Values per edge of each step, (edges of all steps, ...), for a call with this sequence: step after step, in the
  /// order of each step's edge ids, so the values of step t begin at edges_before(t). They are given on the host, and
  /// brought to a device by their `to`. Error for any other number of rows.
  ///
  ///   model(sequence, x = X, w = sequence.edge_steps(values));
  template <TensorElement T> stg::edge_steps<T> edge_steps(const const_tensor<T>& values) const {
    check_values(values.shape(), values.place());
    return stg::edge_steps<T>::in_id_order(values.clone(), edge_identity());
  }

  /// Bytes that the sequence holds now, and bytes that all snapshots take, or would take, if they are resident.
  std::int64_t bytes() const;
  std::int64_t bytes_if_resident() const;
  /// Edges that come and go between steps, all together.
  std::int64_t changed_edges() const;

  struct state;  // in src/runtime/graph_sequence_state.hpp

 private:
  friend class call_graph;
  friend class cut;
  friend class distributed_sequence;
  explicit graph_sequence(std::shared_ptr<state> s);
  void check_values(const dimensions& shape, location lies) const;
  std::shared_ptr<state> state_;  // tapes hold it, too
};

}  // namespace stg
