// fuse: groups the statements of a program into units, each one sweep over the vertices, and orders their work.
//
// A unit sweeps the vertices along in-edges or out-edges. Within a row it alternates per-vertex work and loops over the
// row's own edges; a value stays with its row (in registers or scratch) unless another row, a dense product, a
// reduction or the user reads it. Per-edge values belong to no unit: each loop computes the ones it needs. Dense
// products, vertex reductions and graph arithmetic are units of their own. The rows of a unit are of one vertex set; a
// loop goes over the edges of one relation, and loops over several relations of a set follow each other in a row.
//
// Units come out in a possible launch order. Needs a dce'd program.
#pragma once

#include <utility>  // swap

#include <stg/base/sequence.hpp>        // sequence
#include <stg/ir/program.hpp>           // program
#include <stg/op/list.hpp>              // info_of
#include <stg/analysis/readings.hpp>    // find_placed
#include <stg/analysis/unit.hpp>        // unit, fusion
#include <stg/analysis/unit_order.hpp>  // order_units
#include <stg/pass/fuse_moves.hpp>      // value_mover

namespace stg::pass {

namespace detail {

class fuser : value_mover {
 public:
  constexpr fuser(const ir::program& of, const placed_values& placed, relations_of_sweep in_a_sweep)
      : value_mover(of, placed, in_a_sweep),
        readings(placed.readings),
        stage_of(p.statements.size(), 0),
        mark(p.statements.size(), 0) {}

  constexpr fusion run() {
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (is_placed[i]) place(i);
    delay_aggregates();
    merge_row_sweeps();
    move_to_only_reader();
    move_to_inputs();
    bring_together();
    compute_again();
    order_units(units, unit_of, readings, apart);
    fusion f;
    f.unit_of.assign(p.statements.size(), -1);
    f.stored.assign(p.statements.size(), 0);
    mark_stored(f.stored);
    fill_units(f);
    return f;
  }

 private:
  /// Values side by side.
  struct value_range {
    const ir::value_id* first = nullptr;
    const ir::value_id* last = nullptr;
    constexpr const ir::value_id* begin() const { return first; }
    constexpr const ir::value_id* end() const { return last; }
  };

  constexpr void mark_stored(ir::flags& stored) const {
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (is_placed[i]) stored[i] = is_output[i] || reads_whole_rows(i) || p[i].where == ir::space::graph;
    for (const reading& r : readings)
      if (!r.row || (unit_of.first[r.made] >= 0 && unit_of.first[r.reader] != unit_of.first[r.made]))
        stored[r.made] = 1;
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (ir::is_scan(p[i].code)) stored[i] = 0;  // its results are
  }

  // ---- the inside of a unit ----

  /// A value is computed before the loops of its stage, one for each relation; their results are there at the next.
  constexpr int find_stage(ir::value_id i) const {
    int stage = 0;
    for (const reading& r : reads_of[i])
      if (r.row && unit_of.first[r.made] == unit_of.first[i])
        stage = larger(stage, stage_of.first[r.made] + (is_aggregate(r.made) ? 1 : 0));
    return stage;
  }

  constexpr void fill_units(fusion& f) {
    f.units.reserve(units.size());
    sequence<int> first(units.size() + 1, 0);  // of a unit's values, among all in the order of units
    for (int u : unit_of)
      if (u >= 0) ++first.first[u + 1];
    for (int u = 0; u < units.size(); ++u) first.first[u + 1] += first.first[u];
    sequence<ir::value_id> all(first.back());
    sequence<int> next = first;
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (unit_of.first[i] >= 0) all.first[next.first[unit_of.first[i]]++] = i;
    for (int u = 0; u < units.size(); ++u) {
      const value_range held = {all.first + first.first[u], all.first + first.first[u + 1]};
      if (held.first == held.last) continue;
      for (ir::value_id i : held) f.unit_of.first[i] = f.units.size();
      f.units.push_back(fill(units.first[u], held));
    }
  }
  constexpr unit fill(const unit_slot& from, const value_range& members) {
    unit result;
    result.kind = from.kind;
    result.set = from.set;
    int last = 0;
    for (ir::value_id i : members) {
      stage_of.first[i] = find_stage(i);
      last = larger(last, stage_of.first[i]);
    }
    const int made = ++marks;
    for (int stage = 0; stage <= last; ++stage) {
      const int first = result.loops.size();
      for (ir::value_id i : members) {
        if (stage_of.first[i] != stage) continue;
        if (is_from_edges(i)) {
          loop_for(i, first, result).results.push_back(i);
        } else {
          make_again(p[i], first, made, result);
          result.statements.push_back(i);
          result.stages.push_back(first);
        }
      }
      for (int k = first; k < result.loops.size(); ++k) {
        edge_loop& loop = result.loops[k];
        ++marks;
        for (ir::value_id r : loop.results) want_edges(is_aggregate(r) ? p[r].operands[0] : r, loop.statements);
      }
    }
    if (!result.loops.empty()) result.side = result.loops[0].side;
    return result;
  }
  /// Among the loops of a unit from `first` on.
  constexpr edge_loop& loop_for(ir::value_id i, int first, unit& of) const {
    const int relation = edges_of(i);
    const sweep_side side = side_of(i);
    for (int k = first; k < of.loops.size(); ++k)
      if (of.loops[k].relation == relation && of.loops[k].side == side) return of.loops[k];
    edge_loop loop;
    loop.side = side;
    loop.relation = relation;
    of.loops.push_back(loop);
    return of.loops.back();
  }

  /// Random masks of a row, and values that each unit computes for itself, are there once, before the first statement
  /// that reads them.
  constexpr void make_again(const ir::statement& s, int before_loop, int made, unit& into) {
    if (op::info_of(s.code).kind == op::category::dense) return;  // a product draws for its own entries
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id d = root_of(p, s.operands[k]);
      const bool is_made_by_each = p[d].code == ir::opcode::keep_mask || says.is_widened(p, d);
      const bool by_each = is_made_by_each ? !is_placed[d] : is_placed[d] && unit_of.first[d] < 0;
      if (!by_each || mark[d] == made) continue;
      mark[d] = made;
      into.statements.push_back(d);
      into.stages.push_back(before_loop);
    }
  }
  /// Per-edge values in the order of the program, whatever order they are wanted in.
  constexpr void want_edges(ir::value_id e, sequence<ir::value_id>& wanted) {
    if (mark[e] == marks || p[e].where != ir::space::edge) return;
    mark[e] = marks;
    for (int k = 0; k < p[e].arity() && !is_read_from_memory(p, e); ++k) want_edges(p[e].operands[k], wanted);
    wanted.push_back(e);
    for (int at = wanted.size() - 1; at > 0 && wanted[at] < wanted[at - 1]; --at) std::swap(wanted[at], wanted[at - 1]);
  }

  const sequence<reading>& readings;
  sequence<int> stage_of;
  sequence<int> mark;  // the last loop that wants a per-edge value, or the last unit that makes a shared value again
  int marks = 0;
};

}  // namespace detail

constexpr fusion fuse(const ir::program& p, const placed_values& placed,
                      relations_of_sweep in_a_sweep = relations_of_sweep::several) {
  return detail::fuser(p, placed, in_a_sweep).run();
}
constexpr fusion fuse(const ir::program& p, relations_of_sweep in_a_sweep = relations_of_sweep::several) {
  return fuse(p, find_placed(p), in_a_sweep);
}

}  // namespace stg::pass
