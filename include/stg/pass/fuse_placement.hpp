// The unit that fuse first places a value in: the earliest one that can compute it behind its operands.
#pragma once

#include <stg/base/sequence.hpp>        // sequence
#include <stg/ir/decisions.hpp>         // pairs_of
#include <stg/ir/program.hpp>           // program
#include <stg/op/list.hpp>              // category
#include <stg/analysis/readings.hpp>    // placed_values, sorted_readings
#include <stg/analysis/unit.hpp>        // unit_kind, sweep_side, reads_whole_rows
#include <stg/analysis/unit_order.hpp>  // unit_slot

namespace stg::pass::detail {

class unit_placer {
 protected:
  constexpr unit_placer(const ir::program& of, const placed_values& placed, relations_of_sweep in_a_sweep)
      : p(of),
        shares_sweeps(in_a_sweep == relations_of_sweep::several),
        kinds(placed.kinds.first),
        is_placed(placed.is_placed.first),
        reads_of(placed.readings, &reading::reader, p.size()),
        apart(ir::pairs_of(of, ir::decided::apart)),
        is_any_apart(!apart.empty()),
        unit_of(p.statements.size(), -1) {}

  /// Whether unit u computes a value that i is to be apart from.
  constexpr bool is_barred(ir::value_id i, int u) const {
    bool barred = false;
    if (is_any_apart)
      for (const ir::decision& pair : apart)
        barred = barred || (pair.at == i && unit_of[pair.other] == u) || (pair.other == i && unit_of[pair.at] == u);
    return barred;
  }

  static constexpr int larger(int a, int b) { return a < b ? b : a; }
  constexpr op::category kind_of(ir::value_id i) const { return kinds[i]; }
  constexpr bool is_aggregate(ir::value_id i) const { return kind_of(i) == op::category::aggregate; }
  constexpr bool reads_whole_rows(ir::value_id i) const { return pass::reads_whole_rows(kind_of(i)); }
  /// The relation and row side of the edge loop that makes i: stored edge values lie in the order of in-edges.
  constexpr int edges_of(ir::value_id i) const {
    return is_aggregate(i) ? p.operand(p[i], 0).where.set : p[i].where.set;
  }
  constexpr sweep_side side_of(ir::value_id i) const {
    return is_aggregate(i) && p[i].side() == ir::direction::out ? sweep_side::out : sweep_side::in;
  }

  constexpr int append(unit_kind kind, sweep_side side, int set = 0, int relation = 0) {
    unit_slot s;
    s.kind = kind;
    s.side = side;
    s.set = set;
    s.relation = relation;
    units.push_back(s);
    return units.size() - 1;
  }
  /// A sweep of the set that has edges of a relation: in a plain program of this side alone, else with edges of other
  /// relations and sides, unless each sweep is to be of one.
  constexpr int sweep_over(ir::value_id i, int ready, sweep_side side, int set, int relation) {
    return shares_sweeps && relation != 0 ? sweep_from(i, ready, sweep_side::in, set, 0)
                                          : sweep_from(i, ready, side, set, relation);
  }
  constexpr int sweep_from(ir::value_id i, int ready, sweep_side side, int set, int relation) {
    for (int u = ready; u < units.size(); ++u) {
      if (units[u].kind != unit_kind::sweep || units[u].set != set) continue;
      if (is_any_apart && is_barred(i, u)) continue;
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
  constexpr int graph_unit_from(ir::value_id i, int ready) {
    for (int u = ready; u < units.size(); ++u)
      if (units[u].kind == unit_kind::graph && !is_barred(i, u)) return u;
    return append(unit_kind::graph, sweep_side::none);
  }

  constexpr void place(ir::value_id i) {
    int ready = 0;
    for (const reading& r : reads_of[i]) ready = larger(ready, unit_of.first[r.made] + (r.row ? 0 : 1));
    const ir::statement& s = p[i];
    const op::category kind = kinds[i];
    int& u = unit_of.first[i];
    if (kind == op::category::dense)
      u = append(s.where != ir::space::graph ? unit_kind::product : unit_kind::reduced_product, sweep_side::none,
                 s.where.set);
    else if (ir::is_scan(s.code)) u = append(unit_kind::scan, sweep_side::none);
    else if (s.code == ir::opcode::result) u = unit_of.first[s.operands[0]];
    else if (kind == op::category::reduction) u = append(unit_kind::reduction, sweep_side::none);
    else if (kind == op::category::message) u = append(unit_kind::message, sweep_side::none);
    else if (s.where == ir::space::graph) u = graph_unit_from(i, ready);
    else if (kind == op::category::aggregate) u = sweep_over(i, ready, side_of(i), s.where.set, edges_of(i));
    else if (s.where == ir::space::edge)
      u = sweep_over(i, ready, side_of(i), p.destination_set(s.where.set), edges_of(i));
    else u = sweep_from(i, ready, sweep_side::none, s.where.set, 0);
  }

  const ir::program& p;
  bool shares_sweeps;
  const op::category* kinds;
  const unsigned char* is_placed;
  sorted_readings reads_of;  // by reader: its operands
  sequence<ir::decision> apart;
  bool is_any_apart;
  sequence<int> unit_of;
  sequence<unit_slot> units{};
};

}  // namespace stg::pass::detail
