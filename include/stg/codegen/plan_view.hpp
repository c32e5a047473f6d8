// Questions of every backend about a program with its plan, and the values given to it at run time.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/base/config.hpp>        // STG_LANEWISE
#include <stg/base/room.hpp>          // room_for
#include <stg/ir/program.hpp>         // statement
#include <stg/pass/plan.hpp>          // edge_mode
#include <stg/runtime/adjacency.hpp>  // adjacency
#include <stg/runtime/kind_rows.hpp>  // kind_rows

namespace stg {
struct step_graphs;
}  // namespace stg

namespace stg::codegen {

struct kept_steps;

/// One call of a program: addresses of its values, and its sizes. Shared by all units and threads.
struct launch {
  std::byte* const* memory = nullptr;     // per statement: stored values and inputs; null for others
  const std::int64_t* extents = nullptr;  // the program's run-time extents
  adjacency in{}, out{};
  std::int64_t vertices = 0, edges = 0;
  std::uint64_t seed = 0;
  std::uint32_t number = 0;     // of the call, among the program's calls: random numbers differ from one to the next
  std::int64_t first_site = 0;  // of a called program: its first random number's site
  const std::int64_t* sites = nullptr;      // on the CPU, of the unit at hand, by mask: the sites of its random numbers
  const std::uint32_t* launches = nullptr;  // on a device, of the captured step with this call: so far
  void* machine = nullptr;                  // in a scan of a GPU's program, the machine of its units (cuda/unit.hpp)
  std::byte* workspace = nullptr;           // partial sums, parameters laid out anew, and scratch of the threads
  std::int64_t threads = 1;                 // of a sweep, as the workspace was laid out for them
  step_graphs* graphs = nullptr;            // outside of scans: the graphs of their steps, if each has one
  std::int64_t room_edges = 0;       // in a step with a graph of its own: edges its memory was laid out for, or more
  const kept_steps* kept = nullptr;  // in training: values that scans keep for the gradient's scans
  bool again = false;                // a second run of a part that ran before
  const unsigned char* same_inputs = nullptr;  // in a scan, by entry of its step: whether all steps read the same
  const kind_rows* kinds = nullptr;            // by number; null of a plain program
  std::int64_t neighbours = 0;                 // vertices that edges may name at their other ends

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

/// The edges that a loop goes over. l: as its unit sees it.
inline const adjacency& edges_of(const pass::planned_loop& loop, const launch& l) {
  return l.edges_of(loop.relation, pass::direction_of(loop.side));
}

/// A call as a unit sees it: the vertices of its set, and the edges of its relation, or of the first relation if its
/// loops go over several.
inline launch as_unit(const pass::planned_unit& unit, const launch& l) {
  if (l.kinds == nullptr) return l;
  launch mine = l;
  const kind_rows &own = l.kinds[unit.set], &along = l.kinds[unit.relation];
  mine.vertices = mine.neighbours = own.rows;
  mine.in = own.in;
  mine.out = own.out;
  mine.edges = 0;
  if (unit.relation == 0) return mine;
  mine.edges = along.rows;
  mine.in = along.in;
  mine.out = along.out;
  mine.neighbours = unit.side == pass::sweep_side::in ? along.out.rows() : along.in.rows();
  return mine;
}

/// Vertices of a set, 0 of the unit at hand, and how many edges of a relation one of its rows owns; in a sample, as the
/// larger graph counts them: on the host.
template <std::int64_t Set> STG_LANEWISE inline std::int64_t vertices_of(const launch& l) {
  if constexpr (Set == 0) return l.vertices;
  else return l.kinds[Set].rows;
}
template <int Relation, ir::direction Side>
STG_LANEWISE inline std::int64_t degree_of(const launch& l, std::int64_t row) {
  if constexpr (Relation != 0) return l.edges_of(Relation, Side).known_degree(row);
  else if constexpr (Side == ir::direction::in) return l.in.known_degree(row);
  else return l.out.known_degree(row);
}

/// A few indices: of statements, or of entries of a list of the plan.
template <int Most> struct index_list {
  int at[room_for(Most)]{};
  int count = 0;

  constexpr void add(int i) {
    for (int k = 0; k < count; ++k)
      if (at[k] == i) return;
    at[count++] = i;
  }
};

// P: a type with `program` (frozen_program) and `plan` (frozen_plan). Loop: a loop of the plan, or no_loop for
// per-vertex work.
inline constexpr int no_loop = -1;

template <class P> constexpr int root_of(int i) { return ir::root_of(P::program.statements, i); }

template <class P, int Loop> constexpr pass::edge_mode mode_of(int i) {
  if constexpr (Loop == no_loop) return pass::edge_mode::absent;
  else return P::plan.mode(Loop, root_of<P>(i));
}

/// Computed into scratch, edge by edge.
template <class P, int Loop> constexpr bool is_in_rows(int i) {
  return root_of<P>(i) == i && mode_of<P, Loop>(i) == pass::edge_mode::rows;
}

/// Computed in its consumer, a register at a time.
template <class P, int Loop> constexpr bool is_joined(int i) {
  if (P::program.statements[i].where != ir::space::edge) return P::plan.joined[i];
  return !ir::is_view(P::program.statements[i]) && mode_of<P, Loop>(i) == pass::edge_mode::joined;
}

/// An axis: a constant if the program knows it, else one of the call's extents. Call: a launch, or a kernel's copy of
/// it.
template <std::int64_t Code, class Call> STG_LANEWISE inline std::int64_t extent_value(const Call& l) {
  if constexpr (Code >= 0) return Code;
  else return l.extents[-1 - Code];
}

/// The product of axes [from, to) of a shape if the program knows all of them, else -1.
constexpr std::int64_t known_product(const ir::shape& dims, int from, int to) {
  std::int64_t n = 1;
  for (int a = from; a < to; ++a) {
    if (dims.axes[a].code < 0) return -1;
    n *= dims.axes[a].code;
  }
  return n;
}

/// The product of axes [From, To) of a statement's shape.
template <class P, int I, int From, int To, class Call> STG_LANEWISE inline std::int64_t axes_product(const Call& l) {
  constexpr std::int64_t known = known_product(P::program.statements[I].dims, From, To);
  if constexpr (known >= 0) return known;
  else return extent_value<P::program.statements[I].dims.axes[From].code>(l) * axes_product<P, I, From + 1, To>(l);
}

/// Elements of one row of a value.
template <class P, int I, class Call> STG_LANEWISE inline std::int64_t width(const Call& l) {
  return axes_product<P, I, 0, P::program.statements[I].dims.rank>(l);
}

template <class P, int I> using element = element_t<P::program.statements[I].type>;

/// Whether a gather reads the row at hand: destinations of in-edges, sources of out-edges.
template <class P, int Loop> constexpr bool reads_own_row(ir::opcode gather) {
  return pass::reads_own_row(gather, P::plan.loops[Loop].side);
}

/// A per-edge value that lies in memory by edge: an input, a scan's result, or a product's row.
constexpr bool is_own_of_edge(const ir::statement& s) {
  return s.where == ir::space::edge && (s.code == ir::opcode::input || s.code == ir::opcode::result ||
                                        op::info_of(s.code).kind == op::category::dense);
}
template <class P> constexpr bool is_own_of_edge(int i) { return is_own_of_edge(P::program.statements[i]); }

/// A per-edge value that is the same for all edges of the row: gathered from the row at hand.
template <class P, int Loop> constexpr bool is_own_row(int i) {
  if (pass::is_part_of_row(P::program, i)) i = P::program.statements[i].operands[0];
  const ir::opcode code = P::program.statements[i].code;
  return (code == ir::opcode::gather_dst || code == ir::opcode::gather_src) && reads_own_row<P, Loop>(code);
}

}  // namespace stg::codegen
