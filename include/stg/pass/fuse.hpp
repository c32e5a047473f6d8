// fuse: groups the statements of a program into units, each one sweep over the vertices, and orders their work.
//
// A unit sweeps the vertices along in-edges or out-edges. Within a row it alternates per-vertex work and loops over the
// row's own edges; a value stays with its row (in registers or scratch) unless another row, a dense product, a
// reduction or the user reads it. Per-edge values belong to no unit: each loop computes those that it needs. Dense
// products, vertex reductions and graph arithmetic are units of their own. The rows of a unit are of one vertex set; a
// loop goes over the edges of one relation, and loops over several relations of that set follow each other in a row.
//
// Units come out in an order in which they can be launched one after the other. Needs a dce'd program.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // swap

#include <stg/base/sequence.hpp>        // sequence
#include <stg/ir/program.hpp>           // program
#include <stg/ir/promise.hpp>           // promises
#include <stg/op/list.hpp>              // info_of
#include <stg/analysis/readings.hpp>    // find_placed, sorted_readings
#include <stg/analysis/unit.hpp>        // unit, fusion, root_of
#include <stg/analysis/unit_order.hpp>  // order_units, unit_slot

namespace stg::pass {

namespace detail {

class fuser {
 public:
  constexpr fuser(const ir::program& of, const placed_values& placed, relations_of_sweep in_a_sweep)
      : p(of),
        shares_sweeps(in_a_sweep == relations_of_sweep::several),
        says(of),
        kinds(placed.kinds.first),
        is_output(placed.is_output.first),
        is_placed(placed.is_placed.first),
        readings(placed.readings),
        reads_of(placed.readings, &reading::reader, p.size()),
        readers_of(placed.readings, &reading::made, p.size()),
        readers_of_input(placed.input_readings, &reading::made, p.size()),
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
    move_to_inputs();
    compute_again();
    order_units(units, unit_of, readings);
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
  static constexpr int larger(int a, int b) { return a < b ? b : a; }
  static constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return b < a ? b : a; }
  constexpr op::category kind_of(ir::value_id i) const { return kinds[i]; }
  constexpr bool is_aggregate(ir::value_id i) const { return kind_of(i) == op::category::aggregate; }
  constexpr bool reads_whole_rows(ir::value_id i) const { return pass::reads_whole_rows(kind_of(i)); }
  /// The relation over whose edges a loop goes that makes i, and the side of its rows: stored edge values lie in the
  /// order of in-edges.
  constexpr int edges_of(ir::value_id i) const {
    return is_aggregate(i) ? p.operand(p[i], 0).where.set : p[i].where.set;
  }
  constexpr sweep_side side_of(ir::value_id i) const {
    return is_aggregate(i) && p[i].side() == ir::direction::out ? sweep_side::out : sweep_side::in;
  }
  // ---- which unit computes a value ----

  constexpr int append(unit_kind kind, sweep_side side, int set = 0, int relation = 0) {
    unit_slot s;
    s.kind = kind;
    s.side = side;
    s.set = set;
    s.relation = relation;
    units.push_back(s);
    return units.size() - 1;
  }
  /// A sweep of the set that has edges of a relation: in a plain program of this side alone, else with those of other
  /// relations and sides, unless each sweep is to be of one.
  constexpr int sweep_over(int ready, sweep_side side, int set, int relation) {
    return shares_sweeps && relation != 0 ? sweep_from(ready, sweep_side::in, set, 0)
                                          : sweep_from(ready, side, set, relation);
  }
  constexpr int sweep_from(int ready, sweep_side side, int set, int relation) {
    for (int u = ready; u < units.size(); ++u) {
      if (units[u].kind != unit_kind::sweep || units[u].set != set) continue;
      if (side == sweep_side::none || (units[u].side == side && units[u].relation == relation)) return u;
      if (units[u].side == sweep_side::none) {
        units[u].side = side;
        units[u].relation = relation;
        return u;
      }
    }
    return append(unit_kind::sweep, side, set, relation);
  }
  /// Whether one sweep can have the loops of both units.
  constexpr bool same_edges(int u, int v) const {
    return units[u].side == units[v].side && units[u].set == units[v].set && units[u].relation == units[v].relation;
  }
  constexpr int graph_unit_from(int ready) {
    for (int u = ready; u < units.size(); ++u)
      if (units[u].kind == unit_kind::graph) return u;
    return append(unit_kind::graph, sweep_side::none);
  }

  constexpr void place(ir::value_id i) {
    int ready = 0;
    for (const reading& r : reads_of[i]) ready = larger(ready, unit_of.first[r.made] + (r.row ? 0 : 1));
    const ir::statement& s = p[i];
    int& u = unit_of.first[i];
    if (kind_of(i) == op::category::dense)
      u = append(s.where != ir::space::graph ? unit_kind::product : unit_kind::reduced_product, sweep_side::none,
                 s.where.set);
    else if (ir::is_scan(s.code)) u = append(unit_kind::scan, sweep_side::none);
    else if (s.code == ir::opcode::result) u = unit_of.first[s.operands[0]];
    else if (kind_of(i) == op::category::reduction) u = append(unit_kind::reduction, sweep_side::none);
    else if (s.where == ir::space::graph) u = graph_unit_from(ready);
    else if (is_aggregate(i)) u = sweep_over(ready, side_of(i), s.where.set, edges_of(i));
    else if (s.where == ir::space::edge) u = sweep_over(ready, side_of(i), p.destination_set(s.where.set), edges_of(i));
    else u = sweep_from(ready, sweep_side::none, s.where.set, 0);
  }

  /// The values of every unit, in order.
  constexpr sequence<sequence<ir::value_id>> members() const {
    sequence<sequence<ir::value_id>> all(units.size());
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (unit_of.first[i] >= 0) all[unit_of.first[i]].push_back(i);
    return all;
  }

  /// Values that go to another unit together.
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
  /// The last unit in which the group can be computed: whoever reads it comes after it, or is in it and reads its own
  /// row.
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
  constexpr void move(int to) {
    for (ir::value_id i : moving) unit_of.first[i] = to;
  }

  /// If all that a sweep aggregates can as well be aggregated in a later sweep along the same side, one sweep is saved.
  /// What is computed from it per vertex before that sweep moves along.
  constexpr void delay_aggregates() {
    sequence<sequence<ir::value_id>> held = members();
    for (int u = 0; u < units.size(); ++u) {
      if (units[u].side == sweep_side::none) continue;
      for (int to = u + 1; to < units.size(); ++to) {
        if (!same_edges(to, u)) continue;
        group_aggregates(held[u], u, to);
        if (last_place() < to) break;  // nor can it go further: the group grows, and so does what it comes after
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
        move(to);
        for (ir::value_id i : held[u]) held[to].push_back(i);
        held[u].clear();
        break;
      }
    }
  }
  /// A per-vertex value that one later unit reads is computed there, with the chain before it, if that moves fewer
  /// bytes than storing the value and reading it back, or is promised to be inlined.
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
      if (movable && reader > unit_of.first[i] && (says.is_inlined(i) || bytes_by_moving(i, reader) < 2 * row_bytes(i)))
        unit_of.first[i] = reader;  // where what comes before it, whose turn is next, has its only reader then
    }
  }
  /// What is computed of inputs alone for others is computed by the first sweep that reads them anyway. Reductions of
  /// it wait for that, and join one that comes later.
  constexpr void move_to_inputs() {
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (!is_chain(i)) continue;
      const ir::value_id x = input_of(i);
      if (x == ir::no_value || inputs_are_read_in(unit_of.first[i], i)) continue;
      int to = -1;
      for (const reading& other : readers_of_input[x]) {
        const int u = unit_of.first[other.reader];
        if (u > unit_of.first[i] && (to < 0 || u < to) && inputs_are_read_in(u, i) && is_in_time(i, u)) to = u;
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
  /// The first unit of reductions after `to` that can have one more; -1: there is none, or it is no reduction.
  constexpr int reduction_after(int to, ir::value_id i) {
    if (kind_of(i) != op::category::reduction) return -1;
    begin_group();
    add_to_group(i);
    const int last = last_place();
    for (int u = to + 1; u <= last; ++u)
      if (units.first[u].kind == unit_kind::reduction) return u;
    return -1;
  }
  /// An input of whose rows i is made, where it is made of inputs alone.
  constexpr ir::value_id input_of(ir::value_id i) const {
    ir::value_id input = ir::no_value;
    for (int k = 0; k < p[i].arity(); ++k) {
      const ir::value_id x = root_of(p, p[i].operands[k]);
      if (is_placed[x]) return ir::no_value;
      if (p[x].code == ir::opcode::input && p[x].where == ir::space::vertex) input = x;
    }
    return input;
  }
  /// Whether somebody else reads the rows of its inputs in unit u.
  constexpr bool inputs_are_read_in(int u, ir::value_id i) const {
    for (int k = 0; k < p[i].arity(); ++k) {
      const ir::value_id x = root_of(p, p[i].operands[k]);
      if (p[x].code == ir::opcode::input && p[x].where == ir::space::vertex && !is_read_in(u, x, i)) return false;
    }
    return true;
  }

  /// What costs no more than to read it, a vertex's degree and little that is made of it, every unit computes for
  /// itself. Not what edges read, whose loops read a row.
  constexpr void compute_again() {
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (!is_chain(i) || !is_made_of_degree(i)) continue;
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
  /// Whether i can go where its only reader goes, rather than to memory.
  constexpr bool can_come_along(ir::value_id i) const { return readers_of[i].size() == 1 && is_chain(i); }
  /// A run-time extent counts as wider than any other.
  constexpr std::int64_t row_bytes(ir::value_id i) const {
    return p[i].dims.is_static() ? p[i].dims.size() * bytes_of(p[i].type) : std::int64_t(1) << 40;
  }
  /// Whether another than i reads its row of x in unit u.
  constexpr bool is_read_in(int u, ir::value_id x, ir::value_id i) const {
    for (const reading& r : readers_of_input[x])
      if (r.reader != i && unit_of.first[r.reader] == u) return true;
    for (const reading& r : readers_of[x])
      if (r.row && r.reader != i && unit_of.first[r.reader] == u) return true;
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
  constexpr bool in_memory_without(ir::value_id made, ir::value_id reader) const {
    if (is_output[made] || p[made].where == ir::space::graph || reads_whole_rows(made)) return true;
    for (const reading& r : readers_of[made])
      if (r.reader != reader && (!r.row || unit_of.first[r.reader] != unit_of.first[made])) return true;
    return false;
  }

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

  /// A value is computed before the loops of its stage, one for each relation; what they make is there at the next.
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

  /// Random masks of a row, and what each unit computes for itself, are there once, before the first statement that
  /// reads them.
  constexpr void make_again(const ir::statement& s, int before_loop, int made, unit& into) {
    if (op::info_of(s.code).kind == op::category::dense) return;  // a product draws for the entries that it meets
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id d = root_of(p, s.operands[k]);
      const bool by_each = p[d].code == ir::opcode::keep_mask ? !is_placed[d] : is_placed[d] && unit_of.first[d] < 0;
      if (!by_each || mark[d] == made) continue;
      mark[d] = made;
      into.statements.push_back(d);
      into.stages.push_back(before_loop);
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
  bool shares_sweeps;
  ir::promises says;
  const op::category* kinds;
  const unsigned char* is_output;
  const unsigned char* is_placed;
  const sequence<reading>& readings;
  sorted_readings reads_of;    // by reader: what a value reads
  sorted_readings readers_of;  // by what is made: who reads a value
  sorted_readings readers_of_input;
  sequence<int> unit_of;
  sequence<int> stage_of;
  sequence<int> group_of;  // the last group that a value moved in
  int group = 0;
  sequence<ir::value_id> moving{};
  sequence<int> mark;  // the last loop that wants a per-edge value, or the last unit that makes what others make, too
  int marks = 0;
  sequence<unit_slot> units{};
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
