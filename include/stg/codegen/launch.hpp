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
class communicator;
struct rank_rows;
struct step_graphs;
}  // namespace stg

namespace stg::codegen {

struct column_kernels;
struct kept_steps;
class exchanging;

/// The graph of a call: all of it, or the vertex set and the relation of one unit (as_unit).
struct graph_view {
  adjacency in{}, out{};
  std::int64_t vertices = 0, edges = 0;
  std::int64_t neighbours = 0;       // vertices that edges may name at their other ends
  const kind_rows* kinds = nullptr;  // by number; null of a plain program
  // Of a part of a cut graph: vertices, and the rows of `in` and `out`, are own ones; edges and neighbours all there
  // are.
  const rank_rows* ranks = nullptr;  // null of a whole graph
  std::int64_t own_edges = 0;        // that end in own vertices
  std::int64_t all_vertices = 0;     // of the whole graph

  /// Rows of a value that are computed.
  std::int64_t rows_of(const ir::domain& where) const {
    if (where.set != 0) return kinds[where.set].computed();
    if (where == ir::space::edge) return ranks == nullptr ? edges : own_edges;
    return where == ir::space::vertex ? vertices : 1;
  }
  /// Vertices of a set, 0 of the unit at hand, as a program counts them: of a part those of the whole graph.
  STG_LANEWISE std::int64_t counted_vertices(std::int64_t set) const {
    if (set != 0) return kinds[set].counted();
    return ranks == nullptr ? vertices : all_vertices;
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

/// Rows of a value that are there, on a part of a cut graph.
enum class rows_there : unsigned char {
  all,              // those of the halo too
  own,              // of own vertices; of edges that end in one
  own_by_out_edges  // of edges that begin in an own vertex
};

/// What a call has of other ranks (exchanges.hpp, messages.hpp). Kernels read none of it.
struct other_ranks {
  const rows_there* there = nullptr;        // by input of the program; null: the rows of other ranks are there
  int results = -1;                         // outputs that are to have such rows, from the first one on; -1: all
  exchanging* exchanges = nullptr;          // under way; null of a whole graph
  communicator* messages = nullptr;         // of messages by hand; null of a graph without ranks
  const column_kernels* columns = nullptr;  // of sweeps by columns (column_kernels.hpp)
};

/// One call of a program: addresses of its values, and its sizes. Shared by all units and threads.
struct launch {
  std::byte* const* memory = nullptr;     // per statement: stored values and inputs; null for others
  const std::int64_t* extents = nullptr;  // the program's run-time extents
  graph_view graph{};
  random_draws draws{};
  call_resources resources{};
  scan_context scans{};
  other_ranks others{};
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
  graph_view seen{own.in, own.out, own.computed(), 0, own.rows, graph.kinds, graph.ranks, 0, own.all_rows};
  if (unit.relation == 0) return seen;
  const bool is_in = unit.side == pass::sweep_side::in, is_whole = along.ranks == nullptr;
  seen.in = along.in;
  seen.out = along.out;
  seen.edges = along.rows;
  seen.own_edges = along.own_rows;
  if (is_whole) seen.neighbours = is_in ? along.out.rows() : along.in.rows();
  else seen.neighbours = is_in ? along.sources : along.destinations;
  return seen;
}
inline launch as_unit(const pass::planned_unit& unit, const launch& l) {
  launch mine = l;
  mine.graph = as_unit(unit, l.graph);
  return mine;
}

/// The numbers of a row, and of the edge at a position, as a program sees them: of a part of a cut graph those of the
/// whole one.
STG_LANEWISE inline std::int64_t number_of_row(const graph_view& graph, const adjacency& rows, std::int64_t row) {
  return graph.ranks == nullptr ? row : rows.global_row(row);
}
STG_LANEWISE inline std::int64_t number_of_edge(const graph_view& graph, const adjacency& rows, std::int64_t at) {
  return graph.ranks == nullptr ? rows.edge_id(at) : rows.global_edge(rows.edge_id(at));
}
/// How many edges of a relation one of the unit's rows owns; in a sample or a part, as the larger graph counts them: on
/// the host.
template <int Relation, ir::direction Side>
STG_LANEWISE inline std::int64_t degree_of(const graph_view& graph, std::int64_t row) {
  if constexpr (Relation != 0) return graph.edges_of(Relation, Side).known_degree(row);
  else if constexpr (Side == ir::direction::in) return graph.in.known_degree(row);
  else return graph.out.known_degree(row);
}

}  // namespace stg::codegen
