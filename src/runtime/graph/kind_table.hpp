// The vertex sets and relations of a graph of several kinds.
#pragma once

#include <algorithm>    // find_if, max
#include <cstdint>      // int64_t
#include <memory>       // shared_ptr, unique_ptr
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

#include <stg/runtime/graph.hpp>      // graph
#include <stg/runtime/graphs.hpp>     // graphs
#include <stg/runtime/kinds.hpp>      // kind_rows
#include <stg/runtime/rank_rows.hpp>  // rank_rows
#include <stg/runtime/tensor.hpp>     // memory

namespace stg::detail {

/// A vertex set, or a relation: then `edges` are its edges, and the ends have the names of their sets.
struct named_kind {
  std::string name, source, destination;
  kind_rows rows{};
  std::vector<std::int64_t> no_edges{};  // of a set: the offsets of rows without edges
  std::vector<std::int32_t> larger{};    // of a set of a sample or a part: which vertex of the large graph each is
  memory ids_on_device{};                // copies of these
  graph edges{};
  std::unique_ptr<const rank_rows> part{};  // of a set of a part of cut graphs; a relation's edges have theirs

  bool is_relation() const { return !source.empty(); }
};

/// Kinds in the order in which they were added; tables share them.
class kind_table {
 public:
  const std::vector<std::shared_ptr<const named_kind>>& all() const { return all_; }
  const named_kind* find(std::string_view name) const {
    for (const std::shared_ptr<const named_kind>& k : all_)
      if (k->name == name) return k.get();
    return nullptr;
  }
  std::int64_t most_edges() const {
    std::int64_t most = 0;
    for (const std::shared_ptr<const named_kind>& k : all_) most = std::max(most, k->edges.edges());
    return most;
  }
  /// Adds a kind, or puts it in the place of the one of its name.
  void put(std::shared_ptr<const named_kind> k) {
    const auto there =
        std::find_if(all_.begin(), all_.end(), [&](const auto& other) { return other->name == k->name; });
    if (there == all_.end()) all_.push_back(std::move(k));
    else *there = std::move(k);
  }

 private:
  std::vector<std::shared_ptr<const named_kind>> all_;
};

/// Who makes graphs of a table.
struct graphs_access {
  static graphs of(graph carrier) {
    graphs g;
    g.carrier_ = std::move(carrier);
    return g;
  }
  static const graph& carrier_of(const graphs& g) { return g.carrier_; }
};
/// A graph of no vertices that carries a table, as a state for `graph_access`.
std::shared_ptr<graph::state> state_carrying(std::shared_ptr<const kind_table> table);
/// Writes the rows of a set of so many vertices: those of a sample are `larger`, which lie in the kind.
void write_set(named_kind& set, std::int64_t count);
/// Writes the rows of a relation, which are its edges'.
void write_relation(named_kind& relation, graph edges);

inline std::string quote(std::string_view name) { return "'" + std::string(name) + "'"; }

/// What is there under a name. Error when it is not; `by` begins the sentence with who looks for it.
const named_kind& set_of(const kind_table&, std::string_view name, const std::string& by = {});
const named_kind& relation_of(const kind_table&, std::string_view name);

}  // namespace stg::detail
