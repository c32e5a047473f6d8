// A unit of a plan as its kernel sees it: which values it touches, makes, and keeps in scratch.
//
// The plan says what is computed once per edge and what is computed where it is read, with registers of edges in mind
// (edge_plan.hpp). Lanes of a GPU read any element of anything, so that fewer values are kept: nothing that lies in
// memory already is copied, and of a group across edges only what is read twice, or by others, goes to scratch.
#pragma once

#include <utility>  // integer_sequence

#include <stg/codegen/plan_view.hpp>  // root_of, mode_of

namespace stg::gpu {

using namespace codegen;

namespace detail {

/// A mark per statement of program P.
template <class P> struct marks { bool at[P::program.size + 1]{}; };

/// Statements that the unit gives a place: per-vertex or graph values, aggregates, and edge values that leave it.
template <class P, int Unit> constexpr marks<P> find_made() {
  marks<P> made;
  for (int k = P::plan.units[Unit].first_step; k < P::plan.units[Unit].last_step; ++k) {
    const pass::step step = P::plan.steps[k];
    if (!step.is_loop) {
      made.at[step.index] = !P::plan.joined[step.index];
      continue;
    }
    const pass::planned_loop loop = P::plan.loops[step.index];
    for (int r = loop.first_result; r < loop.last_result; ++r) made.at[P::plan.loop_results[r].at] = true;
  }
  return made;
}

/// An edge value that is read from where it lies: gathered, a part of what is gathered, an edge's own, or its number.
template <class P> constexpr bool is_leaf(int i) {
  const ir::statement& s = P::program.statements[i];
  return op::info_of(s.code).kind == op::category::gather || is_own_of_edge<P>(i) || s.code == ir::opcode::edge_index ||
         pass::is_part_of_row(P::program, i);
}

/// How often a loop reads the value that i is, or is another name of.
template <class P, int Loop> constexpr int readers_of(int i) {
  const pass::planned_loop loop = P::plan.loops[Loop];
  int n = 0;
  for (int k = loop.first_statement; k < loop.last_statement; ++k) {
    const ir::statement& s = P::program.statements[P::plan.loop_statements[k].at];
    if (s.code == ir::opcode::reshape) continue;
    for (int o = 0; o < s.arity(); ++o) n += root_of<P>(s.operands[o]) == i;
  }
  for (int r = loop.first_result; r < loop.last_result; ++r) {
    const ir::statement& s = P::program.statements[P::plan.loop_results[r].at];
    n += root_of<P>(s.where == ir::space::edge ? P::plan.loop_results[r].at : s.operands[0]) == i;
  }
  return n;
}

/// Entry of loop_statements that value i has in a loop, or -1.
template <class P, int Loop> constexpr int planned_at(int i) {
  if constexpr (Loop == no_loop) {
    return -1;
  } else {
    const pass::planned_loop loop = P::plan.loops[Loop];
    for (int k = loop.first_statement; k < loop.last_statement; ++k)
      if (P::plan.loop_statements[k].at == i) return k;
    return -1;
  }
}

/// The log_sum_exp whose exponentials a loop takes along with the sums of products with them
/// (pass/online_softmax.hpp); -1: none.
template <class P, int Loop> constexpr int merged_log_sum_exp() {
  if constexpr (Loop == no_loop) {
    return -1;
  } else {
    const pass::planned_loop loop = P::plan.loops[Loop];
    const pass::planned_result& first = P::plan.loop_results[loop.first_result];
    return loop.first_result < loop.last_result && first.summed_in == Loop ? first.at : -1;
  }
}
/// Whether edge value i is the softmax of that loop.
template <class P, int Loop> constexpr bool is_merged_softmax(int i) {
  const int at = merged_log_sum_exp<P, Loop>() >= 0 ? planned_at<P, Loop>(i) : -1;
  return at >= 0 && P::plan.loop_statements[at].softmax >= 0;
}
/// The softmax of such a loop.
template <class P, int Loop> constexpr int merged_softmax() {
  const pass::planned_loop loop = P::plan.loops[Loop];
  int k = loop.first_statement;
  while (P::plan.loop_statements[k].softmax < 0) ++k;
  return P::plan.loop_statements[k].at;
}
/// Whether value i is one that it reads twice, edge by edge: its scores, or itself.
template <class P, int Loop> constexpr bool is_read_by_merged_softmax(int i) {
  const int lse = merged_log_sum_exp<P, Loop>();
  return lse >= 0 && (is_merged_softmax<P, Loop>(i) || root_of<P>(P::program.statements[lse].operands[0]) == i);
}

/// Whether a loop computes edge value i once for a chunk of edges, into scratch.
template <class P, int Loop> constexpr bool is_in_scratch(int i) {
  if constexpr (Loop == no_loop) {
    return false;
  } else {
    const int at = planned_at<P, Loop>(i);
    if (at < 0 || root_of<P>(i) != i || is_leaf<P>(i)) return false;
    const pass::edge_mode mode = mode_of<P, Loop>(i);
    return mode == pass::edge_mode::rows || is_read_by_merged_softmax<P, Loop>(i) ||
           (mode == pass::edge_mode::across && (P::plan.loop_statements[at].kept || readers_of<P, Loop>(i) > 1));
  }
}

/// Values that lie in memory or in scratch: each has a slot among a kernel's arguments.
template <class P> struct slot_list {
  int of[P::program.size + 1]{};  // per statement; -1: none
  int at[P::program.size + 1]{};  // the statement of a slot
  int count = 0;
};

template <class P> constexpr bool is_in_memory(int root) {
  return P::plan.stored[root] || P::program.statements[root].code == ir::opcode::input;
}

template <class P, int Step> constexpr bool is_in_scratch_of_step(int i) {
  if constexpr (P::plan.steps[Step].is_loop) return is_in_scratch<P, P::plan.steps[Step].index>(i);
  else return false;
}
template <class P, int First, int... Step>
constexpr bool is_in_scratch_of_any(int i, std::integer_sequence<int, Step...>) {
  return (... || is_in_scratch_of_step<P, First + Step>(i));
}

template <class P, int Unit> constexpr slot_list<P> find_slots() {
  constexpr pass::planned_unit unit = P::plan.units[Unit];
  const marks<P> made = find_made<P, Unit>();
  bool marked[P::program.size + 1]{};
  for (int k = unit.first_step; k < unit.last_step; ++k) {
    if (!P::plan.steps[k].is_loop) continue;
    const pass::planned_loop loop = P::plan.loops[P::plan.steps[k].index];
    for (int v = loop.first_statement; v < loop.last_statement; ++v) marked[P::plan.loop_statements[v].at] = true;
  }
  for (int i = P::program.size - 1; i >= 0; --i) {
    const ir::statement& s = P::program.statements[i];
    marked[i] = marked[i] || made.at[i];
    const bool reads = made.at[i] || P::plan.joined[i] || s.code == ir::opcode::reshape ||
                       (s.where == ir::space::edge && !is_own_of_edge<P>(i));
    for (int o = 0; o < s.arity() && marked[i] && reads; ++o) marked[s.operands[o]] = true;
  }
  slot_list<P> list;
  for (int i = 0; i < P::program.size; ++i) {
    list.of[i] = -1;
    const ir::statement& s = P::program.statements[i];
    if (!marked[i] || s.code == ir::opcode::reshape) continue;
    const bool lies_somewhere = s.where != ir::space::edge
                                    ? is_in_memory<P>(i) || made.at[i]
                                    : is_own_of_edge<P>(i) || made.at[i] ||
                                          is_in_scratch_of_any<P, unit.first_step>(
                                              i, std::make_integer_sequence<int, unit.last_step - unit.first_step>());
    if (!lies_somewhere) continue;
    list.of[i] = list.count;
    list.at[list.count++] = i;
  }
  return list;
}

}  // namespace detail

/// Executable P with one of its units singled out.
template <class Executable, int Unit> struct unit_view : Executable {
  static constexpr pass::planned_unit planned = Executable::plan.units[Unit];
  static constexpr detail::marks<Executable> made = detail::find_made<Executable, Unit>();
  static constexpr detail::slot_list<Executable> slots = detail::find_slots<Executable, Unit>();
};

/// The slot of value I; a constant of its own, since nvcc lets device code read numbers but not lists of them.
template <class V, int I> inline constexpr int slot_of = V::slots.of[I];

}  // namespace stg::gpu
