// What a call knows of the vertex sets and relations of a program: how many rows each has, and which rows its edges
// join.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/room.hpp>          // room_for
#include <stg/ir/program.hpp>         // kind
#include <stg/runtime/graph.hpp>      // graph
#include <stg/runtime/kind_rows.hpp>  // kind_rows

namespace stg {

/// Raises stg::error where a graph is not one that a program with these vertex sets and relations runs over: a set or
/// relation that the graph does not have, a relation that joins other sets in it, a plain graph for a program of
/// several kinds, or a graph of several kinds for a plain program.
void check_kinds(ir::kind_list wanted, const graph& on);

/// The number of rows of the values of a vertex set or relation in a graph that has it; allocates nothing.
std::int64_t rows_of_kind(const ir::kind& wanted, const graph& on);
/// Whose values edge values of a relation are.
edge_identity identity_of_kind(const ir::kind& wanted, const graph& on);

/// Edges of a graph; of one of several kinds those of the relation that has most.
std::int64_t most_edges(const graph& on);

/// Writes what a graph has of each kind: that of number n to found[n]. The graph passed check_kinds.
void find_kinds(ir::kind_list wanted, const graph& on, kind_rows* found);

/// The same as an object of a call, for a program of Count kinds: none for a plain one.
template <int Count> class kinds_of_call {
 public:
  void find(ir::kind_list wanted, const graph& on) { find_kinds(wanted, on, found_); }
  const kind_rows* rows() const { return found_; }
  /// For who finds them elsewhere.
  kind_rows* room() { return found_; }

 private:
  kind_rows found_[room_for(Count)];
};
template <> class kinds_of_call<0> {
 public:
  void find(ir::kind_list, const graph&) {}
  const kind_rows* rows() const { return nullptr; }
};

}  // namespace stg
