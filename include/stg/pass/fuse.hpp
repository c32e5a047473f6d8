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
#include <vector>   // vector

#include <stg/ir/program.hpp>  // program
#include <stg/op/list.hpp>     // info_of
#include <stg/pass/unit.hpp>   // unit, fusion, root_of

namespace stg::pass {

namespace detail {

/// One value that another reads. `row`: both belong to the same row, so one sweep can hold them.
struct reading {
  ir::value_id reader = ir::no_value;
  ir::value_id made = ir::no_value;
  bool row = false;
};

class fuser {
 public:
  constexpr explicit fuser(const ir::program& p)
      : p(p),
        unit_of(p.statements.size(), -1),
        stage_of(p.statements.size(), 0),
        is_output(p.statements.size(), 0),
        is_placed(p.statements.size(), 0) {
    for (const ir::output& o : p.outputs) is_output[index(root_of(p, o.at))] = 1;
    find_placed();
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (is_placed[index(i)]) find_readings(i);
  }

  constexpr fusion run() {
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (is_placed[index(i)]) place(i);
    delay_aggregates();
    merge_row_sweeps();
    move_to_only_reader();
    order_units();
    fusion f;
    f.unit_of.assign(p.statements.size(), -1);
    f.stored.assign(p.statements.size(), 0);
    mark_stored(f.stored);
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (!is_used(static_cast<int>(u))) continue;
      for (ir::value_id i = 0; i < p.size(); ++i)
        if (in_unit(i, static_cast<int>(u))) f.unit_of[index(i)] = static_cast<int>(f.units.size());
      f.units.push_back(fill(static_cast<int>(u)));
    }
    return f;
  }

 private:
  struct slot {
    unit_kind kind = unit_kind::sweep;
    sweep_side side = sweep_side::none;
  };
  static constexpr std::size_t index(ir::value_id i) { return static_cast<std::size_t>(i); }
  static constexpr int larger(int a, int b) { return a < b ? b : a; }
  constexpr op::category kind_of(ir::value_id i) const { return op::info_of(p[i].code).kind; }
  constexpr bool is_gather(ir::value_id i) const { return kind_of(i) == op::category::gather; }
  constexpr bool is_aggregate(ir::value_id i) const { return kind_of(i) == op::category::aggregate; }
  constexpr bool reads_whole_rows(ir::value_id i) const {
    return kind_of(i) == op::category::dense || kind_of(i) == op::category::reduction;
  }
  constexpr bool is_graph_arithmetic(ir::value_id i) const {
    return p[i].where == ir::space::graph && !reads_whole_rows(i);
  }
  static constexpr bool is_own(ir::opcode gather, ir::direction side) {
    return (gather == ir::opcode::gather_dst) == (side == ir::direction::in);
  }

  // ---- which values some unit must compute ----

  /// Everything but sources, reshapes and per-edge values; of those only what has to be in memory.
  constexpr void find_placed() {
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const ir::statement& s = p[i];
      const bool in_memory = is_output[index(i)] && s.code != ir::opcode::input;
      is_placed[index(i)] = s.where == ir::space::edge || is_free(s) ? in_memory : true;
      if (!is_gather(i) && !reads_whole_rows(i)) continue;
      for (int k = 0; k < s.arity(); ++k) {  // a mask or a degree that other rows read has to be in memory
        const ir::value_id d = root_of(p, s.operands[k]);
        if (p[d].code != ir::opcode::input && p[d].where == ir::space::vertex) is_placed[index(d)] = 1;
      }
    }
  }

  constexpr void find_readings(ir::value_id i) {
    const ir::statement& s = p[i];
    if (is_aggregate(i) || s.where == ir::space::edge) {
      ir::flags seen(p.statements.size(), 0);
      read_edges(i, is_aggregate(i) ? s.operands[0] : i, is_aggregate(i) ? s.side() : ir::direction::in, seen);
      return;
    }
    for (int k = 0; k < s.arity(); ++k) read(i, s.operands[k], !reads_whole_rows(i));
  }
  constexpr void read_edges(ir::value_id reader, ir::value_id e, ir::direction side, ir::flags& seen) {
    if (seen[index(e)]) return;
    seen[index(e)] = 1;
    if (p[e].where != ir::space::edge) return read(reader, e, false);
    if (is_gather(e)) return read(reader, p[e].operands[0], is_own(p[e].code, side));
    for (int k = 0; k < p[e].arity(); ++k) read_edges(reader, p[e].operands[k], side, seen);
  }
  constexpr void read(ir::value_id reader, ir::value_id made, bool same_row) {
    made = root_of(p, made);
    if (!is_placed[index(made)]) return;
    reading r;
    r.reader = reader;
    r.made = made;
    r.row = same_row && !reads_whole_rows(made) && is_graph_arithmetic(made) == is_graph_arithmetic(reader);
    readings.push_back(r);
  }

  // ---- which unit computes them ----

  constexpr int append(unit_kind kind, sweep_side side) {
    slot s;
    s.kind = kind;
    s.side = side;
    units.push_back(s);
    return static_cast<int>(units.size()) - 1;
  }
  constexpr int sweep_from(int ready, sweep_side side) {
    for (std::size_t u = static_cast<std::size_t>(ready); u < units.size(); ++u) {
      if (units[u].kind != unit_kind::sweep) continue;
      if (side == sweep_side::none || units[u].side == side) return static_cast<int>(u);
      if (units[u].side == sweep_side::none) {
        units[u].side = side;
        return static_cast<int>(u);
      }
    }
    return append(unit_kind::sweep, side);
  }
  constexpr int graph_unit_from(int ready) {
    for (std::size_t u = static_cast<std::size_t>(ready); u < units.size(); ++u)
      if (units[u].kind == unit_kind::graph) return static_cast<int>(u);
    return append(unit_kind::graph, sweep_side::none);
  }

  constexpr void place(ir::value_id i) {
    int ready = 0;
    for (const reading& r : readings)
      if (r.reader == i) ready = larger(ready, unit_of[index(r.made)] + (r.row ? 0 : 1));
    const ir::statement& s = p[i];
    int& u = unit_of[index(i)];
    if (s.code == ir::opcode::matmul) u = append(unit_kind::product, sweep_side::none);
    else if (s.code == ir::opcode::reduced_matmul) u = append(unit_kind::reduced_product, sweep_side::none);
    else if (kind_of(i) == op::category::reduction) u = append(unit_kind::reduction, sweep_side::none);
    else if (s.where == ir::space::graph) u = graph_unit_from(ready);
    else if (is_aggregate(i)) u = sweep_from(ready, s.side() == ir::direction::in ? sweep_side::in : sweep_side::out);
    else if (s.where == ir::space::edge) u = sweep_from(ready, sweep_side::in);
    else u = sweep_from(ready, sweep_side::none);
  }

  constexpr bool in_unit(ir::value_id i, int u) const { return unit_of[index(i)] == u; }
  constexpr bool is_used(int u) const {
    for (int at : unit_of)
      if (at == u) return true;
    return false;
  }

  /// The values marked in `moving` can be computed in unit `to`, later than now: whoever reads them comes after it, or
  /// is in it and reads its own row.
  constexpr bool can_move(const ir::flags& moving, int to) const {
    for (const reading& r : readings) {
      if (!moving[index(r.made)] || moving[index(r.reader)]) continue;
      const int u = unit_of[index(r.reader)];
      if (u < to || (u == to && !r.row)) return false;
    }
    return true;
  }
  constexpr void move(const ir::flags& moving, int to) {
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (moving[index(i)]) unit_of[index(i)] = to;
  }

  /// If all that a sweep aggregates can as well be aggregated in a later sweep along the same side, one sweep is saved.
  /// What is computed from it per vertex before that sweep moves along.
  constexpr void delay_aggregates() {
    for (int u = 0; u < static_cast<int>(units.size()); ++u) {
      if (units[static_cast<std::size_t>(u)].side == sweep_side::none) continue;
      for (int to = u + 1; to < static_cast<int>(units.size()); ++to) {
        if (units[static_cast<std::size_t>(to)].side != units[static_cast<std::size_t>(u)].side) continue;
        const ir::flags moving = aggregates_with_readers(u, to);
        if (!can_move(moving, to)) continue;
        move(moving, to);
        units[static_cast<std::size_t>(u)].side = sweep_side::none;
        break;
      }
    }
  }
  /// The aggregates and stored per-edge values of unit u, and what reads them per vertex in a unit before `to`.
  constexpr ir::flags aggregates_with_readers(int u, int to) const {
    ir::flags moving(p.statements.size(), 0);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const bool from_edges = is_aggregate(i) || p[i].where == ir::space::edge;
      moving[index(i)] = in_unit(i, u) && from_edges;
      if (unit_of[index(i)] < u || unit_of[index(i)] >= to || (from_edges && !in_unit(i, u))) continue;
      for (const reading& r : readings)
        if (r.reader == i && r.row && moving[index(r.made)]) moving[index(i)] = 1;
    }
    return moving;
  }
  /// A sweep without edge loops joins the next sweep that can hold it.
  constexpr void merge_row_sweeps() {
    for (int u = 0; u < static_cast<int>(units.size()); ++u) {
      const slot& from = units[static_cast<std::size_t>(u)];
      if (from.kind != unit_kind::sweep || from.side != sweep_side::none) continue;
      ir::flags moving(p.statements.size(), 0);
      for (ir::value_id i = 0; i < p.size(); ++i) moving[index(i)] = in_unit(i, u);
      for (int to = u + 1; to < static_cast<int>(units.size()); ++to) {
        if (units[static_cast<std::size_t>(to)].kind != unit_kind::sweep || !is_used(to)) continue;
        if (can_move(moving, to)) {
          move(moving, to);
          break;
        }
      }
    }
  }
  /// A per-vertex value that one later unit reads is computed there, with the chain before it, if that moves fewer
  /// bytes than storing the value and reading it back.
  constexpr void move_to_only_reader() {
    for (ir::value_id i = p.size() - 1; i >= 0; --i) {
      if (!is_chain(i)) continue;
      int reader = -1;
      bool movable = true;
      for (const reading& r : readings) {
        if (r.made != i) continue;
        const int v = unit_of[index(r.reader)];
        movable = movable && r.row && (reader < 0 || reader == v);
        reader = v;
      }
      if (movable && reader > unit_of[index(i)] && bytes_by_moving(i) < 2 * row_bytes(i)) move_chain(i, reader);
    }
  }
  constexpr bool is_chain(ir::value_id i) const {
    const bool chain = kind_of(i) == op::category::pointwise || kind_of(i) == op::category::feature;
    return chain && is_placed[index(i)] && p[i].where == ir::space::vertex && !is_output[index(i)];
  }
  /// Whether i goes where its only reader goes, rather than to memory.
  constexpr bool comes_along(ir::value_id i) const {
    int reads = 0;
    for (const reading& r : readings) reads += r.made == i;
    return reads == 1 && is_chain(i) && bytes_by_moving(i) < 2 * row_bytes(i);
  }
  /// A run-time extent counts as wider than any other.
  constexpr std::int64_t row_bytes(ir::value_id i) const {
    return p[i].dims.is_static() ? p[i].dims.size() * bytes_of(p[i].type) : std::int64_t(1) << 40;
  }
  /// Bytes per row that the operands of i cost when it is computed in another unit: read, or stored and read.
  constexpr std::int64_t bytes_by_moving(ir::value_id i) const {
    std::int64_t bytes = 0;
    for (int k = 0; k < p[i].arity(); ++k) {
      const ir::value_id x = root_of(p, p[i].operands[k]);
      if (p[x].where == ir::space::graph || (!is_placed[index(x)] && p[x].code != ir::opcode::input)) continue;
      if (!is_placed[index(x)] || in_memory_without(x, i)) bytes += row_bytes(x);
      else bytes += comes_along(x) ? bytes_by_moving(x) : 2 * row_bytes(x);
    }
    return bytes;
  }
  constexpr void move_chain(ir::value_id i, int to) {
    unit_of[index(i)] = to;
    for (const reading& r : readings)
      if (r.reader == i && !in_memory_without(r.made, i) && comes_along(r.made)) move_chain(r.made, to);
  }
  constexpr bool in_memory_without(ir::value_id made, ir::value_id reader) const {
    if (is_output[index(made)] || p[made].where == ir::space::graph || reads_whole_rows(made)) return true;
    for (const reading& r : readings)
      if (r.made == made && r.reader != reader && (!r.row || unit_of[index(r.reader)] != unit_of[index(made)]))
        return true;
    return false;
  }

  // ---- in which order they run ----

  /// Whatever is ready, but first what only reads and gives back little, so that large values need not wait for it.
  /// Reductions that come one after the other are one unit, and so is arithmetic of the graph.
  constexpr void order_units() {
    const std::size_t n = units.size();
    ir::flags after(n * n, 0);  // after[u * n + v]: u reads what v makes
    for (const reading& r : readings)
      if (unit_of[index(r.reader)] != unit_of[index(r.made)])
        after[index(unit_of[index(r.reader)]) * n + index(unit_of[index(r.made)])] = 1;
    std::vector<int> at(n, -1);
    std::vector<slot> ordered;
    int last = -1;
    for (std::size_t k = 0; k < n; ++k) {
      int next = -1;
      for (std::size_t u = 0; u < n; ++u)
        if (at[u] < 0 && is_ready(after, at, u) && (next < 0 || (is_small(units[u]) && !is_small(units[index(next)]))))
          next = static_cast<int>(u);
      const bool joins = last >= 0 && units[index(next)].kind == units[index(last)].kind &&
                         (units[index(next)].kind == unit_kind::graph ||
                          (units[index(next)].kind == unit_kind::reduction && !after[index(next) * n + index(last)]));
      if (!joins) ordered.push_back(units[index(next)]);
      at[index(next)] = static_cast<int>(ordered.size()) - 1;
      last = next;
    }
    for (int& u : unit_of)
      if (u >= 0) u = at[index(u)];
    units = ordered;
  }
  static constexpr bool is_small(const slot& u) {
    return u.kind == unit_kind::reduction || u.kind == unit_kind::reduced_product || u.kind == unit_kind::graph;
  }
  static constexpr bool is_ready(const ir::flags& after, const std::vector<int>& at, std::size_t u) {
    for (std::size_t v = 0; v < at.size(); ++v)
      if (after[u * at.size() + v] && at[v] < 0) return false;
    return true;
  }

  constexpr void mark_stored(ir::flags& stored) const {
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (is_placed[index(i)])
        stored[index(i)] = is_output[index(i)] || reads_whole_rows(i) || p[i].where == ir::space::graph;
    for (const reading& r : readings)
      if (!r.row || unit_of[index(r.reader)] != unit_of[index(r.made)]) stored[index(r.made)] = 1;
  }

  // ---- the inside of a unit ----

  /// A value is computed before the loop of its stage; what a loop makes is there at the next stage.
  constexpr int find_stage(ir::value_id i) const {
    int stage = 0;
    for (const reading& r : readings)
      if (r.reader == i && r.row && unit_of[index(r.made)] == unit_of[index(i)])
        stage = larger(stage, stage_of[index(r.made)] + (is_aggregate(r.made) ? 1 : 0));
    return stage;
  }

  constexpr unit fill(int u) {
    unit result;
    result.kind = units[static_cast<std::size_t>(u)].kind;
    int last = 0;
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (!in_unit(i, u)) continue;
      stage_of[index(i)] = find_stage(i);
      last = larger(last, stage_of[index(i)]);
    }
    ir::flags listed(p.statements.size(), 0);
    for (int stage = 0; stage <= last; ++stage) {
      edge_loop loop;
      for (ir::value_id i = 0; i < p.size(); ++i) {
        if (!in_unit(i, u) || stage_of[index(i)] != stage) continue;
        if (is_aggregate(i) || p[i].where == ir::space::edge) {
          loop.results.push_back(i);
        } else {
          draw_masks(p[i], stage, result, listed);
          result.statements.push_back(i);
          result.stages.push_back(stage);
        }
      }
      ir::flags wanted(p.statements.size(), 0);
      for (ir::value_id r : loop.results) want_edges(is_aggregate(r) ? p[r].operands[0] : r, wanted);
      for (ir::value_id i = 0; i < p.size(); ++i)
        if (wanted[index(i)]) loop.statements.push_back(i);
      if (!loop.results.empty()) {
        result.loops.push_back(loop);
        result.side = units[static_cast<std::size_t>(u)].side;
      }
    }
    return result;
  }

  /// Random masks of a row are drawn once, before the first statement that reads them.
  constexpr void draw_masks(const ir::statement& s, int stage, unit& into, ir::flags& listed) const {
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id d = root_of(p, s.operands[k]);
      if (p[d].code != ir::opcode::keep_mask || is_placed[index(d)] || listed[index(d)]) continue;
      listed[index(d)] = 1;
      into.statements.push_back(d);
      into.stages.push_back(stage);
    }
  }
  constexpr void want_edges(ir::value_id e, ir::flags& wanted) const {
    if (wanted[index(e)] || p[e].where != ir::space::edge) return;
    wanted[index(e)] = 1;
    if (is_gather(e)) return;
    for (int k = 0; k < p[e].arity(); ++k) want_edges(p[e].operands[k], wanted);
  }

  const ir::program& p;
  std::vector<int> unit_of;
  std::vector<int> stage_of;
  ir::flags is_output;
  ir::flags is_placed;
  std::vector<slot> units{};
  std::vector<reading> readings{};
};

}  // namespace detail

constexpr fusion fuse(const ir::program& p) { return detail::fuser(p).run(); }

}  // namespace stg::pass
