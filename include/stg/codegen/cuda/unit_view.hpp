// A unit of a plan as its kernel sees it: the values it touches, makes, and keeps in scratch.
//
// The plan decides between values computed once per edge and values computed at their readers, with registers of edges
// in mind (edge_plan.hpp). Lanes of a GPU read any element of any value, so they keep fewer: values in memory are never
// copied, and of a group across edges only values read twice, or by others, go to scratch.
#pragma once

#include <cstdint>      // int64_t
#include <type_traits>  // integral_constant
#include <utility>      // integer_sequence

#include <stg/codegen/plan_view.hpp>  // root_of, mode_of

namespace stg::gpu {

using namespace codegen;

namespace detail {

/// A mark per statement of program P.
template <class P> struct marks { bool at[P::program.size + 1]{}; };

/// Statements that the unit gives a place: per-vertex or graph values, aggregates, and edge values stored in memory.
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

/// An edge value that is read from memory: gathered, a part of a gathered value, an edge's own, or its number.
template <class P> constexpr bool is_leaf(int i) {
  const ir::statement& s = P::program.statements[i];
  return op::info_of(s.code).kind == op::category::gather || is_own_of_edge<P>(i) || s.code == ir::opcode::edge_index ||
         pass::is_part_of_row(P::program, i);
}

/// How often a loop reads value i, or the value that i renames.
template <class P, int Loop> constexpr int readers_of(int i) {
  const pass::planned_loop loop = P::plan.loops[Loop];
  int n = 0;
  for (int k = loop.first_statement; k < loop.last_statement; ++k) {
    const ir::statement& s = P::program.statements[P::plan.loop_statements[k].at];
    if (ir::is_view(s)) continue;
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

/// The top_share whose exponentials a loop takes along with their sums of products (pass/online_softmax.hpp); -1: none.
template <class P, int Loop> constexpr int merged_top_share() {
  if constexpr (Loop != no_loop) {
    const pass::planned_loop loop = P::plan.loops[Loop];
    for (int r = loop.first_result; r < loop.last_result; ++r)
      if (P::plan.loop_results[r].summed_in == Loop) return P::plan.loop_results[r].at;
  }
  return -1;
}
/// The top_share of the same scores that its loop makes beside result k, a maximum, and that keeps this maximum; -1:
/// none.
template <class P> constexpr int share_beside(int k) {
  const ir::statement& s = P::program.statements[P::plan.loop_results[k].at];
  if (s.code != ir::opcode::max_edges) return -1;
  for (int l = 0; l < P::plan.loop_count; ++l) {
    const pass::planned_loop& loop = P::plan.loops[l];
    if (k < loop.first_result || k >= loop.last_result) continue;
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const ir::statement& share = P::program.statements[P::plan.loop_results[r].at];
      if (share.code == ir::opcode::top_share_edges && share.dims == s.dims &&
          root_of<P>(share.operands[0]) == root_of<P>(s.operands[0]))
        return P::plan.loop_results[r].at;
    }
  }
  return -1;
}
/// Whether edge value i is the softmax of the loop.
template <class P, int Loop> constexpr bool is_merged_softmax(int i) {
  const int at = merged_top_share<P, Loop>() >= 0 ? planned_at<P, Loop>(i) : -1;
  return at >= 0 && P::plan.loop_statements[at].softmax >= 0;
}
/// The softmax of such a loop.
template <class P, int Loop> constexpr int merged_softmax() {
  const pass::planned_loop loop = P::plan.loops[Loop];
  int k = loop.first_statement;
  while (P::plan.loop_statements[k].softmax < 0) ++k;
  return P::plan.loop_statements[k].at;
}
/// Whether the merged loop reads value i twice, edge by edge: its scores, or the softmax itself.
template <class P, int Loop> constexpr bool is_read_by_merged_softmax(int i) {
  const int share = merged_top_share<P, Loop>();
  return share >= 0 && (is_merged_softmax<P, Loop>(i) || root_of<P>(P::program.statements[share].operands[0]) == i);
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

/// A source without memory of its own; masks are drawn once, into scratch.
template <class P> constexpr bool is_computed_source(int i) {
  const ir::statement& s = P::program.statements[i];
  return op::info_of(s.code).kind == op::category::source && s.code != ir::opcode::input &&
         s.code != ir::opcode::keep_mask && !is_in_memory<P>(i);
}

// ---- values that lanes hand each other (handed.hpp) ----

/// Numbers that a lane takes at a time: as many as divide the last axis, up to four.
constexpr int pack_of(const ir::shape& dims) {
  if (dims.rank == 0 || dims.axes[dims.rank - 1].code <= 0) return 1;
  const std::int64_t last = dims.axes[dims.rank - 1].code;
  return last % 4 == 0 ? 4 : last % 2 == 0 ? 2 : 1;
}
/// Packs of a row, and 32 if the width is known at run time only.
constexpr std::int64_t packs_of(const ir::shape& dims) {
  return dims.is_static() ? (dims.size() + pack_of(dims) - 1) / pack_of(dims) : 32;
}

/// Edge values of one number that aggregates of rows read, edge by edge, and that have no scratch yet.
template <class P> struct handed_list {
  int at[P::program.size + 1]{};
  int count = 0;
  bool is_asked_for = false;  // whether the loop has such aggregates, or other values in scratch; neighbours are handed

  constexpr bool has(int i) const {
    for (int k = 0; k < count; ++k)
      if (at[k] == i) return true;
    return false;
  }
};
template <class P, int Loop> constexpr void find_handed(int value, handed_list<P>& found) {
  const int i = root_of<P>(value);
  const ir::statement& s = P::program.statements[i];
  const bool is_gather = op::info_of(s.code).kind == op::category::gather;
  if (s.where != ir::space::edge || is_in_scratch<P, Loop>(i) || is_computed_source<P>(i)) return;
  if (is_gather && reads_own_row<P, Loop>(s.code)) return;
  if (s.dims.is_static() && s.dims.size() == 1) {
    if (!found.has(i)) found.at[found.count++] = i;
  } else if (!is_gather && !is_own_of_edge<P>(i)) {
    for (int o = 0; o < s.arity(); ++o) find_handed<P, Loop>(s.operands[o], found);
  }
}
/// Whether lanes share the edges of aggregate A among them, since it has fewer elements than there are lanes.
template <class P> constexpr bool has_few_elements(int a) {
  const ir::shape& dims = P::program.statements[a].dims;
  return dims.is_static() && dims.size() <= 8;
}
template <class P, int Loop> constexpr handed_list<P> find_handed() {
  handed_list<P> found;
  const pass::planned_loop loop = P::plan.loops[Loop];
  for (int k = loop.first_statement; k < loop.last_statement; ++k)
    found.is_asked_for = found.is_asked_for || is_in_scratch<P, Loop>(P::plan.loop_statements[k].at);
  for (int r = loop.first_result; r < loop.last_result; ++r) {
    const int a = P::plan.loop_results[r].at;
    const ir::statement& s = P::program.statements[a];
    if (s.where == ir::space::edge || s.code == ir::opcode::top_share_edges || s.code == ir::opcode::first_max_edge ||
        share_beside<P>(r) >= 0 || has_few_elements<P>(a))
      continue;
    found.is_asked_for = true;
    find_handed<P, Loop>(s.operands[0], found);
  }
  return found;
}
template <class P, int Loop> inline constexpr handed_list<P> handed_of = find_handed<P, Loop>();

/// The handed values of all loops of a unit: each has a place in its scratch.
template <class P, int Unit, int... Step>
constexpr handed_list<P> find_handed_of_unit(std::integer_sequence<int, Step...>) {
  handed_list<P> all;
  const auto add = [&]<int S>(std::integral_constant<int, S>) {
    if constexpr (P::plan.steps[S].is_loop) {
      constexpr auto& of_loop = handed_of<P, P::plan.steps[S].index>;
      all.is_asked_for = all.is_asked_for || of_loop.is_asked_for;
      for (int k = 0; k < of_loop.count; ++k)
        if (!all.has(of_loop.at[k])) all.at[all.count++] = of_loop.at[k];
    }
  };
  (add(std::integral_constant<int, P::plan.units[Unit].first_step + Step>()), ...);
  return all;
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
    const bool reads =
        made.at[i] || P::plan.joined[i] || ir::is_view(s) || (s.where == ir::space::edge && !is_own_of_edge<P>(i));
    for (int o = 0; o < s.arity() && marked[i] && reads; ++o) marked[s.operands[o]] = true;
  }
  slot_list<P> list;
  for (int i = 0; i < P::program.size; ++i) {
    list.of[i] = -1;
    const ir::statement& s = P::program.statements[i];
    if (!marked[i] || ir::is_view(s)) continue;
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
  static constexpr detail::handed_list<Executable> handed = detail::find_handed_of_unit<Executable, Unit>(
      std::make_integer_sequence<int, planned.last_step - planned.first_step>());
};

/// The slot of value I; a constant of its own, since nvcc lets device code read numbers but not lists of them.
template <class V, int I> inline constexpr int slot_of = V::slots.of[I];

/// The position of handed value I among the unit's.
template <class V> constexpr int handed_slot(int i) {
  int k = 0;
  while (V::handed.at[k] != i) ++k;
  return k;
}
template <class V, int I> inline constexpr int handed_slot_of = handed_slot<V>(I);

}  // namespace stg::gpu
