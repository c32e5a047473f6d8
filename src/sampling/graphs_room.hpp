// The graphs of a batch of several kinds in memory that is used again.
#pragma once

#include "../runtime/graph/graph_state.hpp"  // graph_access, state
#include "../runtime/graph/kind_table.hpp"   // kind_table, named_kind
#include "sampled_rows.hpp"                  // state_for

#include <stg/sampling/graphs_batch.hpp>  // graphs_batch

#include <algorithm>  // all_of
#include <cstddef>    // size_t
#include <memory>     // make_shared, shared_ptr
#include <vector>     // vector

namespace stg {

/// The table of a batch's graphs, open to be written again.
struct graphs_batch::room {
  std::shared_ptr<graph::state> carrier{};
  std::shared_ptr<detail::kind_table> table{};
  std::vector<std::shared_ptr<detail::named_kind>> sets{}, relations{};  // in the order of the batch's
  std::vector<std::shared_ptr<graph::state>> edges{};                    // of each relation

  /// Whether nobody but this and the batch holds the graphs or a part of their table.
  bool is_mine() const {
    const auto alone = [](const auto& kind) { return kind.use_count() == 2; };
    return carrier.use_count() == 2 && table.use_count() == 2 && std::all_of(sets.begin(), sets.end(), alone) &&
           std::all_of(relations.begin(), relations.end(), alone);
  }
  /// The state of a relation's edges: the last one where nobody else holds it.
  graph::state& edges_of(std::size_t relation) { return detail::state_for(edges[relation], 2); }
};

}  // namespace stg
