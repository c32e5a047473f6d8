// Questions of every backend about a program with its plan.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/config.hpp>  // STG_LANEWISE
#include <stg/base/room.hpp>    // room_for
#include <stg/ir/program.hpp>   // statement
#include <stg/pass/plan.hpp>    // edge_mode

namespace stg::codegen {

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
