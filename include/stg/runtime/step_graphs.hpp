// The graphs of a call with one for each step of its scans.
#pragma once

#include <stg/runtime/adjacency.hpp>    // long_rows
#include <stg/runtime/edge_values.hpp>  // edge_identity
#include <stg/runtime/graph.hpp>        // graph
#include <stg/runtime/location.hpp>     // location

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <memory>   // shared_ptr
#include <utility>  // move

struct CUstream_st;  // the name is CUDA's

namespace stg {

class graph_sequence;

/// The sizes that a call's memory depends on, for graphs that differ from step to step; and, for a graph_sequence, each
/// of the graphs. Memory that steps share is laid out once, for as many edges as any step has; values with a row for
/// every edge of every step lie step after step, without gaps.
struct step_graphs {
  std::int64_t steps = 0;
  location place = host;                       // of the graphs
  std::int64_t all_edges = 0, most_edges = 0;  // of all steps together, and of one
  long_rows in_long{}, out_long{};             // how many there are, and their parts, at most in one step
  stg::edge_identity edges_of_all = stg::edge_identity::unknown;  // the identity for values of all steps' edges
  CUstream_st* stream = nullptr;  // of the current call, on a device; null: none, or the device's own

  /// Edges of the steps before one; of `steps`, of all.
  std::int64_t edges_before(std::int64_t step) const;
  /// Shows a step's graph, until the next is shown. Errors: no memory for it.
  const graph& at(std::int64_t step);
  /// The weights of a step's edges in the order of their ids, 4 bytes each, likewise; null if no step has edges.
  const std::byte* weights_at(std::int64_t step);
};

/// While it lives, steps are shown by one scan, or one question, alone: a sequence of changes has one graph at a time.
/// graphs: null if a call has none. Error if a second thread is showing them already.
class shown_by_one {
 public:
  explicit shown_by_one(step_graphs* graphs);
  shown_by_one(const shown_by_one&) = delete;
  shown_by_one& operator=(const shown_by_one&) = delete;
  ~shown_by_one();

 private:
  step_graphs* graphs_;  // null if all steps are there at a time
};

/// While it lives, steps of graphs on a device are shown in the order of a stream's work. graphs: null if a call has
/// none.
class shown_on_stream {
 public:
  shown_on_stream(step_graphs* graphs, CUstream_st* stream) : graphs_(graphs) {
    if (graphs_ != nullptr) graphs_->stream = stream;
  }
  shown_on_stream(const shown_on_stream&) = delete;
  ~shown_on_stream() {
    if (graphs_ != nullptr) graphs_->stream = nullptr;
  }

 private:
  step_graphs* graphs_;
};

/// The weights of a sequence's edges, to be bound to an over<"T">(edge_feature<...>) of floats in a call with the
/// sequence: each step reads its snapshot's weights in place. Made by `sequence.weights()`.
class sequence_weights {
 public:
  /// The graphs that they belong to.
  const step_graphs* of() const { return graphs_; }

 private:
  friend class graph_sequence;
  sequence_weights(std::shared_ptr<const void> sequence, const step_graphs* graphs)
      : sequence_(std::move(sequence)), graphs_(graphs) {}
  std::shared_ptr<const void> sequence_;
  const step_graphs* graphs_;
};

}  // namespace stg
