// One call of a program, in structs by concern: its graph, its random numbers, where it works, its scans.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/base/config.hpp>        // STG_LANEWISE
#include <stg/ir/program.hpp>         // domain
#include <stg/pass/plan.hpp>          // planned_loop, planned_unit
#include <stg/runtime/adjacency.hpp>  // adjacency
#include <stg/runtime/kind_rows.hpp>  // kind_rows

namespace stg {
struct step_graphs;
}  // namespace stg

namespace stg::codegen {

struct kept_steps;

/// The graph of a call: all of it, or the vertex set and the relation of one unit (as_unit).
struct graph_view {
  adjacency in{}, out{};
  std::int64_t vertices = 0, edges = 0;
  std::int64_t neighbours = 0;       // vertices that edges may name at their other ends
  const kind_rows* kinds = nullptr;  // by number; null of a plain program

  /// Rows of a value.
  std::int64_t rows_of(const ir::domain& where) const {
    if (where.set != 0) return kinds[where.set].rows;
    return where == ir::space::vertex ? vertices : where == ir::space::edge ? edges : 1;
  }
  /// A relation's edges by their owners on a side; relation 0: the unit's.
  const adjacency& edges_of(int relation, ir::direction side) const {
    if (relation != 0) return side == ir::direction::in ? kinds[relation].in : kinds[relation].out;
    return side == ir::direction::in ? in : out;
  }
};

/// The random numbers of a call.
struct random_draws {
  std::uint64_t seed = 0;
  std::uint32_t number = 0;     // of the call, among the program's calls: random numbers differ from one to the next
  std::int64_t first_site = 0;  // of a called program: its first random number's site
  const std::int64_t* sites = nullptr;      // on the CPU, of the unit at hand, by mask: the sites of its random numbers
  const std::uint32_t* launches = nullptr;  // on a device, of the captured step with this call: so far
};

/// The memory and the machine that a call works with.
struct call_resources {
  std::byte* workspace = nullptr;  // partial sums, parameters laid out anew, and scratch of the threads
  std::int64_t threads = 1;        // of a sweep, as the workspace was laid out for them
  void* machine = nullptr;         // in a scan of a GPU's program, the machine of its units (cuda/unit.hpp)
};

/// The scans of a call, and the scan whose step the call is. Kernels read none of it.
struct scan_context {
  step_graphs* graphs = nullptr;     // outside of scans: the graphs of their steps, if each has one
  std::int64_t room_edges = 0;       // in a step with a graph of its own: edges its memory was laid out for, or more
  const kept_steps* kept = nullptr;  // in training: values that scans keep for the gradient's scans
  bool again = false;                // a second run of a part that ran before
  const unsigned char* same_inputs = nullptr;  // in a scan, by entry of its step: whether all steps read the same
};

/// One call of a program: addresses of its values, and its sizes. Shared by all units and threads.
struct launch {
  std::byte* const* memory = nullptr;     // per statement: stored values and inputs; null for others
  const std::int64_t* extents = nullptr;  // the program's run-time extents
  graph_view graph{};
  random_draws draws{};
  call_resources resources{};
  scan_context scans{};
};

/// The edges that a loop goes over. graph: as its unit sees it.
inline const adjacency& edges_of(const pass::planned_loop& loop, const graph_view& graph) {
  return graph.edges_of(loop.relation, pass::direction_of(loop.side));
}

/// A graph as a unit sees it: the vertices of its set, and the edges of its relation, or of the first relation if its
/// loops go over several.
inline graph_view as_unit(const pass::planned_unit& unit, const graph_view& graph) {
  if (graph.kinds == nullptr) return graph;
  const kind_rows &own = graph.kinds[unit.set], &along = graph.kinds[unit.relation];
  if (unit.relation == 0) return {own.in, own.out, own.rows, 0, own.rows, graph.kinds};
  const std::int64_t neighbours = unit.side == pass::sweep_side::in ? along.out.rows() : along.in.rows();
  return {along.in, along.out, own.rows, along.rows, neighbours, graph.kinds};
}
inline launch as_unit(const pass::planned_unit& unit, const launch& l) {
  launch mine = l;
  mine.graph = as_unit(unit, l.graph);
  return mine;
}

/// Vertices of a set, 0 of the unit at hand, and how many edges of a relation one of its rows owns; in a sample, as the
/// larger graph counts them: on the host.
template <std::int64_t Set> STG_LANEWISE inline std::int64_t vertices_of(const graph_view& graph) {
  if constexpr (Set == 0) return graph.vertices;
  else return graph.kinds[Set].rows;
}
template <int Relation, ir::direction Side>
STG_LANEWISE inline std::int64_t degree_of(const graph_view& graph, std::int64_t row) {
  if constexpr (Relation != 0) return graph.edges_of(Relation, Side).known_degree(row);
  else if constexpr (Side == ir::direction::in) return graph.in.known_degree(row);
  else return graph.out.known_degree(row);
}

}  // namespace stg::codegen
