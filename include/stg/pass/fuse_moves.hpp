// Values that fuse moves to a later unit than the first possible one, to save sweeps and bytes.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>        // sequence
#include <stg/ir/program.hpp>           // program
#include <stg/ir/decisions.hpp>         // promises, pairs_of
#include <stg/op/list.hpp>              // info_of
#include <stg/analysis/readings.hpp>    // placed_values, sorted_readings
#include <stg/analysis/unit.hpp>        // unit_kind, sweep_side
#include <stg/pass/fuse_placement.hpp>  // unit_placer

namespace stg::pass::detail {

class value_mover : protected unit_placer {
 protected:
  constexpr value_mover(const ir::program& of, const placed_values& placed, relations_of_sweep in_a_sweep)
      : unit_placer(of, placed, in_a_sweep),
        says(of),
        together(ir::pairs_of(of, ir::decided::together)),
        is_output(placed.is_output.first),
        readers_of(placed.readings, &reading::made, p.size()),
        readers_of_input(placed.input_readings, &reading::made, p.size()),
        group_of(p.statements.size(), 0) {}

  static constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return b < a ? b : a; }

  /// The values of every unit, in order.
  constexpr sequence<sequence<ir::value_id>> members() const {
    sequence<sequence<ir::value_id>> all(units.size());
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (unit_of.first[i] >= 0) all[unit_of.first[i]].push_back(i);
    return all;
  }

  /// Values that move to a unit together.
  constexpr void begin_group() {
    moving.clear();
    ++group;
  }
  constexpr bool is_moving(ir::value_id i) const { return group_of.first[i] == group; }
  constexpr void add_to_group(ir::value_id i) {
    if (is_moving(i)) return;
    group_of.first[i] = group;
    moving.push_back(i);
  }
  /// The last unit that can compute the group: every reader comes after it, or is in it and reads its own row.
  constexpr int last_place() const {
    int last = units.size() - 1;
    for (ir::value_id i : moving) {
      for (const reading& r : readers_of[i]) {
        const int until = unit_of.first[r.reader] - (r.row ? 0 : 1);
        if (until < last && !is_moving(r.reader)) last = until;
      }
    }
    return last;
  }
  /// Whether the group would meet in a unit what it is to be apart from.
  constexpr bool is_group_barred(int to) const {
    bool barred = false;
    for (const ir::decision& pair : apart) {
      const bool has_a = is_moving(pair.at) || unit_of[pair.at] == to,
                 has_b = is_moving(pair.other) || unit_of[pair.other] == to;
      barred = barred || (has_a && has_b);
    }
    return barred;
  }
  constexpr void move(int to) {
    for (ir::value_id i : moving) unit_of.first[i] = to;
  }

  /// If all aggregates of a sweep can as well be formed in a later sweep along the same side, one sweep is saved.
  /// Per-vertex values computed from them before the later sweep move along.
  constexpr void delay_aggregates() {
    sequence<sequence<ir::value_id>> held = members();
    for (int u = 0; u < units.size(); ++u) {
      if (units[u].side == sweep_side::none) continue;
      for (int to = u + 1; to < units.size(); ++to) {
        if (!same_edges(to, u)) continue;
        group_aggregates(held[u], u, to);
        if (last_place() < to) break;  // nor can it go further: the group grows, and so does the set of its operands
        if (is_any_apart && is_group_barred(to)) continue;
        move(to);
        for (ir::value_id i : moving) held[to].push_back(i);
        units[u].side = sweep_side::none;
        break;
      }
    }
  }
  constexpr bool is_from_edges(ir::value_id i) const {
    return is_aggregate(i) || (p[i].where == ir::space::edge && !reads_whole_rows(i));
  }
  /// The aggregates and stored per-edge values of unit u, and their per-vertex readers in a unit before `to`.
  constexpr void group_aggregates(const sequence<ir::value_id>& held, int u, int to) {
    begin_group();
    for (ir::value_id i : held)
      if (unit_of.first[i] == u && is_from_edges(i)) add_to_group(i);
    for (int k = 0; k < moving.size(); ++k) {
      for (const reading& r : readers_of[moving[k]]) {
        const int at = unit_of.first[r.reader];
        if (r.row && at >= u && at < to && (at == u || !is_from_edges(r.reader))) add_to_group(r.reader);
      }
    }
  }
  /// A sweep without edge loops joins the next sweep that can hold it.
  constexpr void merge_row_sweeps() {
    sequence<sequence<ir::value_id>> held = members();
    for (int u = 0; u < units.size(); ++u) {
      if (units[u].kind != unit_kind::sweep || units[u].side != sweep_side::none) continue;
      begin_group();
      for (ir::value_id i : held[u]) add_to_group(i);
      const int last = last_place();
      for (int to = u + 1; to <= last; ++to) {
        if (units.first[to].kind != unit_kind::sweep || held.first[to].empty()) continue;
        if (units.first[to].set != units.first[u].set) continue;
        if (is_any_apart && is_group_barred(to)) continue;
        move(to);
        for (ir::value_id i : held[u]) held[to].push_back(i);
        held[u].clear();
        break;
      }
    }
  }
  /// A per-vertex value with one later unit as its reader is computed there, with the chain before it, if this moves
  /// fewer bytes than storing the value and reading it back, or is promised to be inlined.
  constexpr void move_to_only_reader() {
    for (ir::value_id i = p.size() - 1; i >= 0; --i) {
      if (!is_chain(i)) continue;
      int reader = -1;
      bool movable = true;
      for (const reading& r : readers_of[i]) {
        const int v = unit_of.first[r.reader];
        movable = movable && r.row && (reader < 0 || reader == v);
        reader = v;
      }
      if (movable && reader > unit_of.first[i] && !is_barred(i, reader) &&
          (says.is_inlined(i) || bytes_by_moving(i, reader) < 2 * row_bytes(i)))
        unit_of.first[i] = reader;  // its operands, whose turn is next, then have their only reader there
    }
  }
  /// Values computed of inputs alone for others are computed by the first sweep that reads these inputs anyway.
  /// Reductions of them wait for it, and join a later one.
  constexpr void move_to_inputs() {
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (!is_chain(i)) continue;
      const ir::value_id x = input_of(i);
      if (x == ir::no_value || inputs_are_read_in(unit_of.first[i], i)) continue;
      int to = -1;
      for (const reading& other : readers_of_input[x]) {
        const int u = unit_of.first[other.reader];
        if (u > unit_of.first[i] && (to < 0 || u < to) && inputs_are_read_in(u, i) && is_in_time(i, u) &&
            !is_barred(i, u))
          to = u;
      }
      if (to < 0) continue;
      for (const reading& r : readers_of[i])
        if (unit_of.first[r.reader] < to + !r.row) unit_of.first[r.reader] = reduction_after(to, r.reader);
      unit_of.first[i] = to;
    }
  }
  /// Whether all who read i come after unit `to`, or can.
  constexpr bool is_in_time(ir::value_id i, int to) {
    for (const reading& r : readers_of[i])
      if (unit_of.first[r.reader] < to + !r.row && reduction_after(to, r.reader) < 0) return false;
    return true;
  }
  /// The first unit of reductions after `to` that has room for a further one; -1: there is none, or it is no reduction.
  constexpr int reduction_after(int to, ir::value_id i) {
    if (kind_of(i) != op::category::reduction) return -1;
    begin_group();
    add_to_group(i);
    const int last = last_place();
    for (int u = to + 1; u <= last; ++u)
      if (units.first[u].kind == unit_kind::reduction && !is_barred(i, u)) return u;
    return -1;
  }
  /// An input from whose rows i is computed, if i is computed from inputs alone.
  constexpr ir::value_id input_of(ir::value_id i) const {
    ir::value_id input = ir::no_value;
    for (int k = 0; k < p[i].arity(); ++k) {
      const ir::value_id x = rows_of(p[i].operands[k]);
      if (is_placed[x]) return ir::no_value;
      if (p[x].code == ir::opcode::input && p[x].where == ir::space::vertex) input = x;
    }
    return input;
  }
  /// Whether somebody else reads the rows of its inputs in unit u.
  constexpr bool inputs_are_read_in(int u, ir::value_id i) const {
    for (int k = 0; k < p[i].arity(); ++k) {
      const ir::value_id x = rows_of(p[i].operands[k]);
      if (p[x].code == ir::opcode::input && p[x].where == ir::space::vertex && !is_read_in(u, x, i)) return false;
    }
    return true;
  }

  /// Values that are to be computed together go to the unit of one of them, if it can compute both.
  constexpr void bring_together() {
    for (const ir::decision& pair : together) {
      const int a = unit_of[pair.at], b = unit_of[pair.other];
      if (a < 0 || b < 0 || a == b) continue;
      const ir::value_id early = a < b ? pair.at : pair.other, late = a < b ? pair.other : pair.at;
      if (!delay(early, larger(a, b))) advance(late, a < b ? a : b);
    }
  }
  /// Moves a value, with its readers before unit `to`, there. Whether it can.
  constexpr bool delay(ir::value_id i, int to) {
    begin_group();
    add_to_group(i);
    for (int k = 0; k < moving.size(); ++k)
      for (const reading& r : readers_of[moving[k]])
        if (r.row && unit_of[r.reader] >= 0 && unit_of[r.reader] < to) add_to_group(r.reader);
    unit_slot there = units[to];
    for (const ir::value_id one : moving)
      if (!can_join(one, there)) return false;
    if (last_place() < to || is_group_barred(to)) return false;
    move(to);
    units[to] = there;
    return true;
  }
  /// Moves a value to an earlier unit, if all that it reads is there by then.
  constexpr void advance(ir::value_id i, int to) {
    unit_slot there = units[to];
    bool is_ready = can_join(i, there) && !is_barred(i, to);
    for (const reading& r : reads_of[i]) is_ready = is_ready && unit_of[r.made] + (r.row ? 0 : 1) <= to;
    if (!is_ready) return;
    unit_of[i] = to;
    units[to] = there;
  }
  /// Whether a unit is of the kind that computes a value; one without edges gets those of a sum.
  constexpr bool can_join(ir::value_id i, unit_slot& unit) const {
    if (kind_of(i) == op::category::reduction) return unit.kind == unit_kind::reduction;
    if (reads_whole_rows(i) || p[i].code == ir::opcode::result) return false;
    if (p[i].where == ir::space::graph) return unit.kind == unit_kind::graph;
    if (unit.kind != unit_kind::sweep) return false;
    if (!is_from_edges(i)) return unit.set == p[i].where.set;
    const int relation = edges_of(i);
    const bool is_shared = shares_sweeps && relation != 0;
    const sweep_side side = is_shared ? sweep_side::in : side_of(i);
    if (unit.set != (is_aggregate(i) ? p[i].where.set : p.destination_set(relation))) return false;
    if (unit.side == sweep_side::none) {
      unit.side = side;
      unit.relation = is_shared ? 0 : relation;
    }
    return unit.side == side && unit.relation == (is_shared ? 0 : relation);
  }
  constexpr bool is_paired(ir::value_id i) const {
    bool paired = false;
    for (const ir::decision& pair : together) paired = paired || pair.at == i || pair.other == i;
    for (const ir::decision& pair : apart) paired = paired || pair.at == i || pair.other == i;
    return paired;
  }

  /// Values that cost no more than to read, a vertex's degree and cheap functions of it, every unit computes for
  /// itself. Not values read by edges: their loops read a row.
  constexpr void compute_again() {
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (!is_chain(i) || !is_made_of_degree(i) || is_paired(i)) continue;
      bool by_rows = true;
      for (const reading& r : readers_of[i])
        by_rows = by_rows && r.row && p[r.reader].where == ir::space::vertex && !is_aggregate(r.reader);
      if (by_rows) unit_of.first[i] = -1;
    }
  }
  constexpr bool is_made_of_degree(ir::value_id i) const {
    bool any = false;
    for (int k = 0; k < p[i].arity(); ++k) {
      const ir::value_id x = p[i].operands[k];
      const bool is_degree = p[x].code == ir::opcode::degree;
      if (is_placed[x] || (!is_degree && p[x].code != ir::opcode::constant)) return false;
      any = any || is_degree;
    }
    return any && op::info_of(p[i].code).cost == 1;
  }

  constexpr bool is_chain(ir::value_id i) const {
    const bool chain = kind_of(i) == op::category::pointwise || kind_of(i) == op::category::feature;
    return chain && is_placed[i] && p[i].where == ir::space::vertex && !is_output[i];
  }
  /// Whether i can move along with its only reader, rather than to memory.
  constexpr bool can_come_along(ir::value_id i) const { return readers_of[i].size() == 1 && is_chain(i); }
  /// The value whose rows are read for an operand.
  constexpr ir::value_id rows_of(ir::value_id operand) const {
    const ir::value_id x = root_of(p, operand);
    return says.is_widened(p, x) && !is_placed[x] ? rows_of(p[x].operands[0]) : x;
  }
  /// A run-time extent counts as wider than any other.
  constexpr std::int64_t row_bytes(ir::value_id i) const {
    return p[i].dims.is_static() ? p[i].dims.size() * bytes_of(p[i].type) : std::int64_t(1) << 40;
  }
  /// Whether a statement other than i reads its row of x in unit u.
  constexpr bool is_read_in(int u, ir::value_id x, ir::value_id i) const {
    for (const reading& r : readers_of_input[x])
      if (r.reader != i && unit_of.first[r.reader] == u) return true;
    for (const reading& r : readers_of[x])
      if (r.row && r.reader != i && unit_of.first[r.reader] == u) return true;
    return false;
  }
  /// Bytes per row that the operands of i cost when unit `to` computes it: read, or stored and read, unless it reads
  /// them anyway.
  constexpr std::int64_t bytes_by_moving(ir::value_id i, int to) const {
    std::int64_t bytes = 0;
    for (int k = 0; k < p[i].arity(); ++k) {
      const ir::value_id x = rows_of(p[i].operands[k]);
      if (p[x].where == ir::space::graph || (!is_placed[x] && p[x].code != ir::opcode::input)) continue;
      if (!is_placed[x] || in_memory_without(x, i)) bytes += is_read_in(to, x, i) ? 0 : row_bytes(x);
      else bytes += can_come_along(x) ? smaller(bytes_by_moving(x, to), 2 * row_bytes(x)) : 2 * row_bytes(x);
    }
    return bytes;
  }
  constexpr bool in_memory_without(ir::value_id made, ir::value_id reader) const {
    if (is_output[made] || p[made].where == ir::space::graph || reads_whole_rows(made)) return true;
    for (const reading& r : readers_of[made])
      if (r.reader != reader && (!r.row || unit_of.first[r.reader] != unit_of.first[made])) return true;
    return false;
  }

  ir::promises says;
  sequence<ir::decision> together;
  const unsigned char* is_output;
  sorted_readings readers_of;  // by operand: its readers
  sorted_readings readers_of_input;
  sequence<int> group_of;  // the last group of a value
  int group = 0;
  sequence<ir::value_id> moving{};
};

}  // namespace stg::pass::detail
