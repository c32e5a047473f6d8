// fuse: groups the statements of a program into units, each one sweep over the vertices, and orders their work.
//
// A unit sweeps the vertices along in-edges or out-edges. Within a row it alternates per-vertex work and loops over the
// row's own edges; a value stays with its row (in registers or scratch) unless another row, a dense product, a
// reduction or the user reads it. Per-edge values belong to no unit: each loop computes those that it needs. Dense
// products, vertex reductions and graph arithmetic are units of their own.
//
// Units come out in an order in which they can be launched one after the other. Needs a dce'd program.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // swap

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program
#include <stg/op/list.hpp>        // info_of
#include <stg/pass/readings.hpp>  // find_placed, sorted_readings
#include <stg/pass/unit.hpp>      // unit, fusion, root_of

namespace stg::pass {

namespace detail {

class fuser {
 public:
  constexpr fuser(const ir::program& of, const placed_values& placed)
      : p(of),
        is_output(placed.is_output),
        is_placed(placed.is_placed),
        readings(placed.readings),
        reads_of(placed.readings, &reading::reader, p.size()),
        readers_of(placed.readings, &reading::made, p.size()),
        unit_of(p.statements.size(), -1),
        stage_of(p.statements.size(), 0),
        group_of(p.statements.size(), 0),
        mark(p.statements.size(), 0) {}

  constexpr fusion run() {
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (is_placed[i]) place(i);
    delay_aggregates();
    merge_row_sweeps();
    move_to_only_reader();
    order_units();
    fusion f;
    f.unit_of.assign(p.statements.size(), -1);
    f.stored.assign(p.statements.size(), 0);
    mark_stored(f.stored);
    const sequence<sequence<ir::value_id>> held = members();
    for (int u = 0; u < units.size(); ++u) {
      if (held[u].empty()) continue;
      for (ir::value_id i : held[u]) f.unit_of[i] = f.units.size();
      f.units.push_back(fill(units[u], held[u]));
    }
    return f;
  }

 private:
  struct slot {
    unit_kind kind = unit_kind::sweep;
    sweep_side side = sweep_side::none;
  };
  static constexpr int larger(int a, int b) { return a < b ? b : a; }
  static constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return b < a ? b : a; }
  constexpr op::category kind_of(ir::value_id i) const { return op::info_of(p[i].code).kind; }
  constexpr bool is_gather(ir::value_id i) const { return kind_of(i) == op::category::gather; }
  constexpr bool is_aggregate(ir::value_id i) const { return kind_of(i) == op::category::aggregate; }
  constexpr bool reads_whole_rows(ir::value_id i) const {
    return kind_of(i) == op::category::dense || kind_of(i) == op::category::reduction;
  }
  constexpr bool is_graph_arithmetic(ir::value_id i) const {
    return p[i].where == ir::space::graph && !reads_whole_rows(i);
  }
  // ---- which unit computes a value ----

  constexpr int append(unit_kind kind, sweep_side side) {
    slot s;
    s.kind = kind;
    s.side = side;
    units.push_back(s);
    return units.size() - 1;
  }
  constexpr int sweep_from(int ready, sweep_side side) {
    for (int u = ready; u < units.size(); ++u) {
      if (units[u].kind != unit_kind::sweep) continue;
      if (side == sweep_side::none || units[u].side == side) return u;
      if (units[u].side == sweep_side::none) {
        units[u].side = side;
        return u;
      }
    }
    return append(unit_kind::sweep, side);
  }
  constexpr int graph_unit_from(int ready) {
    for (int u = ready; u < units.size(); ++u)
      if (units[u].kind == unit_kind::graph) return u;
    return append(unit_kind::graph, sweep_side::none);
  }

  constexpr void place(ir::value_id i) {
    int ready = 0;
    for (const reading& r : reads_of[i]) ready = larger(ready, unit_of[r.made] + (r.row ? 0 : 1));
    const ir::statement& s = p[i];
    int& u = unit_of[i];
    if (kind_of(i) == op::category::dense)
      u = append(s.where != ir::space::graph ? unit_kind::product : unit_kind::reduced_product, sweep_side::none);
    else if (kind_of(i) == op::category::reduction) u = append(unit_kind::reduction, sweep_side::none);
    else if (s.where == ir::space::graph) u = graph_unit_from(ready);
    else if (is_aggregate(i)) u = sweep_from(ready, s.side() == ir::direction::in ? sweep_side::in : sweep_side::out);
    else if (s.where == ir::space::edge) u = sweep_from(ready, sweep_side::in);
    else u = sweep_from(ready, sweep_side::none);
  }

  /// The values of every unit, in order.
  constexpr sequence<sequence<ir::value_id>> members() const {
    sequence<sequence<ir::value_id>> all(units.size());
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (unit_of[i] >= 0) all[unit_of[i]].push_back(i);
    return all;
  }

  /// Values that go to another unit together.
  constexpr void begin_group() {
    moving.clear();
    ++group;
  }
  constexpr bool is_moving(ir::value_id i) const { return group_of[i] == group; }
  constexpr void add_to_group(ir::value_id i) {
    if (is_moving(i)) return;
    group_of[i] = group;
    moving.push_back(i);
  }
  /// The group can be computed in unit `to`, later than now: whoever reads it comes after it, or is in it and reads its
  /// own row.
  constexpr bool can_move(int to) const {
    for (ir::value_id i : moving) {
      for (const reading& r : readers_of[i]) {
        const int u = unit_of[r.reader];
        if ((u < to || (u == to && !r.row)) && !is_moving(r.reader)) return false;
      }
    }
    return true;
  }
  constexpr void move(int to) {
    for (ir::value_id i : moving) unit_of[i] = to;
  }

  /// If all that a sweep aggregates can as well be aggregated in a later sweep along the same side, one sweep is saved.
  /// What is computed from it per vertex before that sweep moves along.
  constexpr void delay_aggregates() {
    sequence<sequence<ir::value_id>> held = members();
    for (int u = 0; u < units.size(); ++u) {
      if (units[u].side == sweep_side::none) continue;
      for (int to = u + 1; to < units.size(); ++to) {
        if (units[to].side != units[u].side) continue;
        group_aggregates(held[u], u, to);
        if (!can_move(to)) continue;
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
  /// The aggregates and stored per-edge values of unit u, and what reads them per vertex in a unit before `to`.
  constexpr void group_aggregates(const sequence<ir::value_id>& held, int u, int to) {
    begin_group();
    for (ir::value_id i : held)
      if (unit_of[i] == u && is_from_edges(i)) add_to_group(i);
    for (int k = 0; k < moving.size(); ++k) {
      for (const reading& r : readers_of[moving[k]]) {
        const int at = unit_of[r.reader];
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
      for (int to = u + 1; to < units.size(); ++to) {
        if (units[to].kind != unit_kind::sweep || held[to].empty() || !can_move(to)) continue;
        move(to);
        for (ir::value_id i : held[u]) held[to].push_back(i);
        held[u].clear();
        break;
      }
    }
  }
  /// A per-vertex value that one later unit reads is computed there, with the chain before it, if that moves fewer
  /// bytes than storing the value and reading it back.
  constexpr void move_to_only_reader() {
    find_input_readers();
    for (ir::value_id i = p.size() - 1; i >= 0; --i) {
      if (!is_chain(i)) continue;
      int reader = -1;
      bool movable = true;
      for (const reading& r : readers_of[i]) {
        const int v = unit_of[r.reader];
        movable = movable && r.row && (reader < 0 || reader == v);
        reader = v;
      }
      if (movable && reader > unit_of[i] && bytes_by_moving(i, reader) < 2 * row_bytes(i)) move_chain(i, reader);
    }
  }
  constexpr bool is_chain(ir::value_id i) const {
    const bool chain = kind_of(i) == op::category::pointwise || kind_of(i) == op::category::feature;
    return chain && is_placed[i] && p[i].where == ir::space::vertex && !is_output[i];
  }
  /// Whether i can go where its only reader goes, rather than to memory.
  constexpr bool can_come_along(ir::value_id i) const { return readers_of[i].size() == 1 && is_chain(i); }
  /// A run-time extent counts as wider than any other.
  constexpr std::int64_t row_bytes(ir::value_id i) const {
    return p[i].dims.is_static() ? p[i].dims.size() * bytes_of(p[i].type) : std::int64_t(1) << 40;
  }
  /// Per-vertex statements that read rows of inputs, by input.
  constexpr void find_input_readers() {
    readers_of_input.assign(p.statements.size(), {});
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (!is_placed[i] || p[i].where != ir::space::vertex || is_aggregate(i) || reads_whole_rows(i)) continue;
      for (int k = 0; k < p[i].arity(); ++k) {
        const ir::value_id x = root_of(p, p[i].operands[k]);
        if (p[x].code == ir::opcode::input) readers_of_input[x].push_back(i);
      }
    }
  }
  /// Whether another than i reads its row of x in unit u.
  constexpr bool is_read_in(int u, ir::value_id x, ir::value_id i) const {
    for (ir::value_id r : readers_of_input[x])
      if (r != i && unit_of[r] == u) return true;
    for (const reading& r : readers_of[x])
      if (r.row && r.reader != i && unit_of[r.reader] == u) return true;
    return false;
  }
  /// Bytes per row that the operands of i cost when it is computed in unit `to`: read, or stored and read, unless it
  /// reads them anyway.
  constexpr std::int64_t bytes_by_moving(ir::value_id i, int to) const {
    std::int64_t bytes = 0;
    for (int k = 0; k < p[i].arity(); ++k) {
      const ir::value_id x = root_of(p, p[i].operands[k]);
      if (p[x].where == ir::space::graph || (!is_placed[x] && p[x].code != ir::opcode::input)) continue;
      if (!is_placed[x] || in_memory_without(x, i)) bytes += is_read_in(to, x, i) ? 0 : row_bytes(x);
      else bytes += can_come_along(x) ? smaller(bytes_by_moving(x, to), 2 * row_bytes(x)) : 2 * row_bytes(x);
    }
    return bytes;
  }
  constexpr void move_chain(ir::value_id i, int to) {
    const auto comes_along = [&](ir::value_id x) {
      return !in_memory_without(x, i) && can_come_along(x) && bytes_by_moving(x, to) < 2 * row_bytes(x);
    };
    for (const reading& r : reads_of[i])
      if (comes_along(r.made)) move_chain(r.made, to);
    unit_of[i] = to;
  }
  constexpr bool in_memory_without(ir::value_id made, ir::value_id reader) const {
    if (is_output[made] || p[made].where == ir::space::graph || reads_whole_rows(made)) return true;
    for (const reading& r : readers_of[made])
      if (r.reader != reader && (!r.row || unit_of[r.reader] != unit_of[made])) return true;
    return false;
  }

  // ---- in which order they run ----

  /// Whatever is ready, but first what only reads and gives back little, so that large values need not wait for it.
  /// Reductions that come one after the other are one unit, and so is arithmetic of the graph.
  constexpr void order_units() {
    const int n = units.size();
    ir::flags after(n * n, 0);  // after[u * n + v]: u reads what v makes
    for (const reading& r : readings)
      if (unit_of[r.reader] != unit_of[r.made]) after[unit_of[r.reader] * n + unit_of[r.made]] = 1;
    sequence<int> waits_for(n, 0);
    for (int u = 0; u < n; ++u)
      for (int v = 0; v < n; ++v) waits_for[u] += after[u * n + v];
    sequence<int> at(n, -1);
    sequence<slot> ordered;
    int last = -1;
    for (int k = 0; k < n; ++k) {
      int next = -1;
      for (int u = 0; u < n; ++u)
        if (at[u] < 0 && waits_for[u] == 0 && (next < 0 || (is_small(units[u]) && !is_small(units[next])))) next = u;
      const bool joins = last >= 0 && units[next].kind == units[last].kind &&
                         (units[next].kind == unit_kind::graph ||
                          (units[next].kind == unit_kind::reduction && !after[next * n + last]));
      if (!joins) ordered.push_back(units[next]);
      at[next] = ordered.size() - 1;
      for (int u = 0; u < n; ++u) waits_for[u] -= after[u * n + next];
      last = next;
    }
    for (int& u : unit_of)
      if (u >= 0) u = at[u];
    units = ordered;
  }
  static constexpr bool is_small(const slot& u) {
    return u.kind == unit_kind::reduction || u.kind == unit_kind::reduced_product || u.kind == unit_kind::graph;
  }

  constexpr void mark_stored(ir::flags& stored) const {
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (is_placed[i]) stored[i] = is_output[i] || reads_whole_rows(i) || p[i].where == ir::space::graph;
    for (const reading& r : readings)
      if (!r.row || unit_of[r.reader] != unit_of[r.made]) stored[r.made] = 1;
  }

  // ---- the inside of a unit ----

  /// A value is computed before the loop of its stage; what a loop makes is there at the next stage.
  constexpr int find_stage(ir::value_id i) const {
    int stage = 0;
    for (const reading& r : reads_of[i])
      if (r.row && unit_of[r.made] == unit_of[i])
        stage = larger(stage, stage_of[r.made] + (is_aggregate(r.made) ? 1 : 0));
    return stage;
  }

  constexpr unit fill(const slot& from, const sequence<ir::value_id>& members) {
    unit result;
    result.kind = from.kind;
    int last = 0;
    for (ir::value_id i : members) {
      stage_of[i] = find_stage(i);
      last = larger(last, stage_of[i]);
    }
    const int drawn = ++marks;
    for (int stage = 0; stage <= last; ++stage) {
      edge_loop loop;
      for (ir::value_id i : members) {
        if (stage_of[i] != stage) continue;
        if (is_from_edges(i)) {
          loop.results.push_back(i);
        } else {
          draw_masks(p[i], stage, drawn, result);
          result.statements.push_back(i);
          result.stages.push_back(stage);
        }
      }
      if (loop.results.empty()) continue;
      ++marks;
      for (ir::value_id r : loop.results) want_edges(is_aggregate(r) ? p[r].operands[0] : r, loop.statements);
      result.loops.push_back(loop);
      result.side = from.side;
    }
    return result;
  }

  /// Random masks of a row are drawn once, before the first statement that reads them.
  constexpr void draw_masks(const ir::statement& s, int stage, int drawn, unit& into) {
    if (op::info_of(s.code).kind == op::category::dense) return;  // a product draws for the entries that it meets
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id d = root_of(p, s.operands[k]);
      if (p[d].code != ir::opcode::keep_mask || is_placed[d] || mark[d] == drawn) continue;
      mark[d] = drawn;
      into.statements.push_back(d);
      into.stages.push_back(stage);
    }
  }
  /// Per-edge values in the order of the program, whatever the order in which they are wanted.
  constexpr void want_edges(ir::value_id e, sequence<ir::value_id>& wanted) {
    if (mark[e] == marks || p[e].where != ir::space::edge) return;
    mark[e] = marks;
    for (int k = 0; k < p[e].arity() && !is_read_from_memory(p, e); ++k) want_edges(p[e].operands[k], wanted);
    wanted.push_back(e);
    for (int at = wanted.size() - 1; at > 0 && wanted[at] < wanted[at - 1]; --at) std::swap(wanted[at], wanted[at - 1]);
  }

  const ir::program& p;
  const ir::flags& is_output;
  const ir::flags& is_placed;
  const sequence<reading>& readings;
  sorted_readings reads_of;    // by reader: what a value reads
  sorted_readings readers_of;  // by what is made: who reads a value
  sequence<sequence<ir::value_id>> readers_of_input{};
  sequence<int> unit_of;
  sequence<int> stage_of;
  sequence<int> group_of;  // the last group that a value moved in
  int group = 0;
  sequence<ir::value_id> moving{};
  sequence<int> mark;  // the last loop that wants a per-edge value, or the last unit that draws a mask
  int marks = 0;
  sequence<slot> units{};
};

}  // namespace detail

constexpr fusion fuse(const ir::program& p) { return detail::fuser(p, find_placed(p)).run(); }

}  // namespace stg::pass
