// graph_of_rank: a whole graph that a rank has to itself, for programs with messages by hand.
#pragma once

#include <stg/runtime/communicator.hpp>  // communicator
#include <stg/runtime/graph.hpp>         // graph

namespace stg {

/// Stands wherever a graph does: each rank computes all rows of its own graph, and meets others where its program has
/// messages (messages.hpp). Ranks may have other graphs and run other programs; their messages have counterparts. All
/// ranks make as many calls with such graphs, of programs without messages too.
///
///   stg::run_ranks(2, [&](stg::communicator& ranks) {
///     const stg::graph_of_rank mine(graph, ranks);
///     if (ranks.rank() == 0) encode(mine, x = X, params);
///     else decode(mine, params);
///   });
class graph_of_rank : public graph {
 public:
  /// The edges are copied. The communicator outlives the graph. Errors: a graph on a device, of several kinds, or a
  /// part of a cut graph, which knows its ranks.
  graph_of_rank(const graph& whole, communicator& ranks);
};

}  // namespace stg
