// What a call runs on: one graph, or one for each step of its scans.
#pragma once

#include <stg/runtime/blocks.hpp>          // blocks
#include <stg/runtime/graph.hpp>           // graph
#include <stg/runtime/graphs.hpp>          // graphs
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/runtime/step_graphs.hpp>     // step_graphs

#include <memory>  // shared_ptr

namespace stg {

/// Holds the graph of a call, or the snapshots of one.
class call_graph {
 public:
  call_graph() = default;
  call_graph(const graph& on) : outside_(on) {}   // NOLINT(google-explicit-constructor): a graph is one
  call_graph(const graphs& on) : outside_(on) {}  // NOLINT(google-explicit-constructor): of several kinds
  call_graph(const graph_sequence& on);           // NOLINT(google-explicit-constructor)
  call_graph(const blocks& on) : outside_(on.whole()), hops_(on) {}  // NOLINT(google-explicit-constructor)

  /// What is seen where no step is: of a sequence a graph without edges.
  const graph& outside() const { return outside_; }
  /// Null where all steps see the same.
  step_graphs* steps() const { return steps_; }
  /// The hops of a sample; of nothing where the call is over none.
  const blocks& hops() const { return hops_; }
  /// What values of its edges are known by; of those of all steps where they have a graph each.
  stg::edge_identity edge_identity() const { return steps_ ? steps_->edges_of_all : outside_.edge_identity(); }
  /// The same of edge values that a call gives: on blocks those of the edges into the seeds, which are no graph's.
  stg::edge_identity edges_of_results() const { return hops_.state_ ? stg::edge_identity::unknown : edge_identity(); }

 private:
  graph outside_;
  blocks hops_;
  std::shared_ptr<const void> sequence_;  // held
  step_graphs* steps_ = nullptr;
};

}  // namespace stg
