// plan: the running order. Fixes for every unit the order of its steps, for every per-edge value its way of
// computation, and for every stored value the units from first to last that need it.
//
// Runs on a fused program. The result has fixed size, so that kernels can be instantiated with it.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // move

#include <stg/base/sequence.hpp>       // sequence
#include <stg/base/room.hpp>           // room_for
#include <stg/ir/callees.hpp>          // arguments_of
#include <stg/ir/program.hpp>          // program
#include <stg/analysis/choices.hpp>    // choices
#include <stg/analysis/edge_plan.hpp>  // planned_value, planned_result, edge_mode
#include <stg/analysis/users.hpp>      // uses_of
#include <stg/pass/fuse.hpp>           // fusion

namespace stg::pass {

/// A step of a sweep: one per-vertex statement, or one loop over the row's edges.
struct step {
  bool is_loop = false;
  int index = 0;  // the statement, or the loop
};
struct planned_unit {
  unit_kind kind = unit_kind::sweep;
  sweep_side side = sweep_side::none;
  int set = 0;       // vertex set of the rows of a sweep or product
  int relation = 0;  // relation of a sweep's first loop, on its side: mostly of all loops
  int first_step = 0, last_step = 0;
  int chained = 1;  // units from this one on run together, block by block; 0 within a chain (chain.hpp)
};
struct planned_loop {
  sweep_side side = sweep_side::none;
  int relation = 0;                             // relation of its edges; 0: its unit's
  int first_statement = 0, last_statement = 0;  // of loop_statements
  int first_result = 0, last_result = 0;        // of loop_results
  int first_mode = 0, last_mode = 0;            // of modes

  /// A number of its edges, among its unit's.
  constexpr int edges() const { return relation == 0 ? 0 : 4 * relation + static_cast<int>(side); }
};
/// The units during which a stored value must be kept: written in the first, last read in the last.
struct lifetime {
  int first = -1, last = -1;
};

struct plan_sizes {
  int statements = 0, units = 0, steps = 0, loops = 0, loop_statements = 0, loop_results = 0, modes = 0;
};

template <int Statements, int Units, int Steps, int Loops, int LoopStatements, int LoopResults, int Modes>
struct frozen_plan {
  static constexpr int unit_count = Units;
  static constexpr int loop_count = Loops;
  static constexpr int loop_result_count = LoopResults;
  planned_unit units[room_for(Units)]{};
  step steps[room_for(Steps)]{};
  planned_loop loops[room_for(Loops)]{};
  planned_value loop_statements[room_for(LoopStatements)]{};
  planned_result loop_results[room_for(LoopResults)]{};
  value_mode modes[room_for(Modes)]{};
  unsigned char stored[room_for(Statements)]{};
  unsigned char in_block[room_for(Statements)]{};
  unsigned char joined[room_for(Statements)]{};
  lifetime lifetimes[room_for(Statements)]{};
  int overwrites[room_for(Statements)]{};

  constexpr edge_mode mode(int loop, ir::value_id i) const {
    return mode_among(modes + loops[loop].first_mode, modes + loops[loop].last_mode, i);
  }
};

/// A plan while it is made.
struct plan {
  sequence<planned_unit> units{};
  sequence<step> steps{};
  sequence<planned_loop> loops{};
  sequence<planned_value> loop_statements{};
  sequence<planned_result> loop_results{};
  sequence<value_mode> modes{};
  ir::flags stored{};    // kept in memory, all rows of it
  ir::flags in_block{};  // kept for the block of rows at hand, within a chain
  ir::flags joined{};    // per vertex: computed by its reader, a register at a time
  sequence<lifetime> lifetimes{};
  sequence<ir::value_id> overwrites{};  // owner of the memory that a value may take in its first unit; -1: nobody

  constexpr edge_mode mode(int loop, ir::value_id i) const {
    return mode_among(modes.first + loops[loop].first_mode, modes.first + loops[loop].last_mode, i);
  }
  /// The first unit of the chain that a unit runs in: itself, mostly.
  constexpr int chain_of(int unit) const {
    while (units[unit].chained == 0) --unit;
    return unit;
  }
  constexpr plan_sizes sizes() const {
    plan_sizes n;
    n.statements = stored.size();
    n.units = units.size();
    n.steps = steps.size();
    n.loops = loops.size();
    n.loop_statements = loop_statements.size();
    n.loop_results = loop_results.size();
    n.modes = modes.size();
    return n;
  }
};

/// The units that compute values of vertices and of the graph; -1: none does.
constexpr sequence<int> units_of_values(const ir::program& p, const plan& made) {
  sequence<int> unit_of(p.size(), -1);
  for (int u = 0; u < made.units.size(); ++u)
    for (int k = made.units[u].first_step; k < made.units[u].last_step; ++k) {
      const step& s = made.steps[k];
      if (!s.is_loop) unit_of[s.index] = u;
      for (int r = s.is_loop ? made.loops[s.index].first_result : 0; s.is_loop && r < made.loops[s.index].last_result;
           ++r)
        unit_of[made.loop_results[r].at] = u;
    }
  for (ir::value_id i = 0, n = p.size(); i < n; ++i)  // a scan gives its results at once
    if (p[i].code == ir::opcode::result) unit_of[i] = unit_of[p[i].operands[0]];
  return unit_of;
}

/// Writes as much of a plan, or of a frozen one, as n says: giving it back would copy all of the room.
template <class Frozen, class From> constexpr void freeze_plan_into(const From& from, const plan_sizes& n, Frozen& f) {
  auto copy = [](const auto& all, auto* to, int count) {
    const auto* const first = first_of(all);
    for (int i = 0; i < count; ++i) to[i] = first[i];
  };
  copy(from.units, f.units, n.units);
  copy(from.steps, f.steps, n.steps);
  copy(from.loops, f.loops, n.loops);
  copy(from.loop_statements, f.loop_statements, n.loop_statements);
  copy(from.loop_results, f.loop_results, n.loop_results);
  copy(from.modes, f.modes, n.modes);
  copy(from.stored, f.stored, n.statements);
  copy(from.in_block, f.in_block, n.statements);
  copy(from.joined, f.joined, n.statements);
  copy(from.lifetimes, f.lifetimes, n.statements);
  copy(from.overwrites, f.overwrites, n.statements);
}
/// A plan of these sizes.
template <class Frozen, class From> constexpr Frozen freeze_plan(const From& from, const plan_sizes& n) {
  Frozen f;
  freeze_plan_into(from, n, f);
  return f;
}

/// The plan of a program of N statements and its sizes, before the sizes are constants. Parts without room are left
/// out.
template <int N> struct roomy_plan {
  static constexpr plan_sizes room = {N, N + 8, 2 * N + 8, N / 4 + 8, 4 * N + 64, N, 4 * N + 64};
  plan_sizes sizes{};
  frozen_plan<room.statements, room.units, room.steps, room.loops, room.loop_statements, room.loop_results, room.modes>
      held{};

  constexpr explicit roomy_plan(const plan& from) : sizes(from.sizes()) {
    if (fits()) freeze_plan_into(from, sizes, held);
  }
  constexpr bool fits() const {
    return sizes.statements <= room.statements && sizes.units <= room.units && sizes.steps <= room.steps &&
           sizes.loops <= room.loops && sizes.loop_statements <= room.loop_statements &&
           sizes.loop_results <= room.loop_results && sizes.modes <= room.modes;
  }
};

namespace detail {

/// Per-vertex values that need no place of their own: one other value of the unit reads them, and has their shape or
/// adds them up along their last axes, or takes their maximum. (A top_share along features reads its row twice.) If the
/// reader reads something narrower, too, it goes through its row a narrow piece at a time: too slow for a costly
/// function.
class joined_finder {
 public:
  constexpr joined_finder(const ir::program& of, const fusion& fused, int costly_from)
      : p(of),
        f(fused),
        costly(costly_from),
        uses(uses_of(of)),
        joined(of.statements.size(), 0),
        cost(of.statements.size(), 0) {}

  constexpr ir::flags run() {
    for (const unit& u : f.units)
      for (ir::value_id i : u.statements) {
        cost[i] = op::info_of(p[i].code).cost;
        if (p[i].where == ir::space::vertex && (is_pointwise(i) || is_reduction(i))) join_operands(i);
      }
    return joined;
  }

 private:
  constexpr bool is_pointwise(ir::value_id i) const { return op::info_of(p[i].code).kind == op::category::pointwise; }
  constexpr bool is_reduction(ir::value_id i) const {
    return p[i].code == ir::opcode::reduce_sum || p[i].code == ir::opcode::reduce_max;
  }
  constexpr bool reads_narrower(const ir::statement& s) const {
    for (int k = 0; k < s.arity(); ++k) {
      const ir::shape& dims = p.operand(s, k).dims;
      if (!(dims == s.dims) && !dims.is_scalar()) return true;
    }
    return false;
  }
  constexpr void join_operands(ir::value_id reader) {
    const ir::statement& s = p[reader];
    const bool reduces = is_reduction(reader), in_pieces = !reduces && reads_narrower(s);
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id x = s.operands[k];
      const ir::shape& dims = p[x].dims;
      const bool fits = reduces ? reduced_last_axes(s, dims) > 0 : dims == s.dims;
      if (p[x].where != ir::space::vertex || !is_pointwise(x) || !fits || uses[x] != 1 || f.stored[x] ||
          (f.unit_of[x] >= 0 && f.unit_of[x] != f.unit_of[reader]) || (in_pieces && cost[x] >= costly))
        continue;
      joined[x] = 1;
      cost[reader] += cost[x];
    }
  }

  const ir::program& p;
  const fusion& f;
  int costly;
  sequence<int> uses;
  ir::flags joined;
  sequence<int> cost;  // of a value with all values computed within it
};

/// Whether the vertex or an edge reads a top_share, rather than softmax alone.
constexpr bool is_read_in(const ir::program& p, const plan& made, const planned_unit& u, ir::value_id share) {
  const auto reads = [&](ir::value_id i) {
    for (int k = 0; k < p[i].arity(); ++k)
      if (root_of(p, p[i].operands[k]) == share) return true;
    return false;
  };
  for (int k = u.first_step; k < u.last_step; ++k) {
    const step& s = made.steps[k];
    if (!s.is_loop) {
      if (reads(s.index)) return true;
      continue;
    }
    const planned_loop& l = made.loops[s.index];
    for (int v = l.first_statement; v < l.last_statement; ++v)
      if (reads(made.loop_statements[v].at)) return true;
  }
  return false;
}

/// Further facts on a top_share, once all loops of its unit are planned: the loop that can take its exponentials, if a
/// single one reads the softmax and only sums it.
constexpr void finish_top_share(const ir::program& p, plan& made, const planned_unit& u, planned_result& share) {
  int readers = 0;
  for (int k = u.first_step; k < u.last_step; ++k) {
    const step& s = made.steps[k];
    if (!s.is_loop) continue;
    const planned_loop& l = made.loops[s.index];
    for (int v = l.first_statement; v < l.last_statement; ++v)
      if (made.loop_statements[v].softmax == share.at) ++readers;
    for (int r = l.first_result; r < l.last_result; ++r)
      if (made.loop_results[r].over == share.at) share.summed_in = s.index;
  }
  if (readers == 1 && !is_read_in(p, made, u, share.at)) return;
  share.summed_in = -1;
  for (planned_result& r : made.loop_results)
    if (r.over == share.at) r.over = -1;
}

class planner {
 public:
  constexpr planner(const ir::program& of, const fusion& fused, const choices& chosen)
      : p(of), f(fused), by(chosen), notes(of.size()) {
    made.stored = f.stored;
    made.in_block.assign(p.statements.size(), 0);
    made.joined = joined_finder(p, f, by.computed_once_cost).run();
    made.lifetimes.assign(p.statements.size(), lifetime());
    made.overwrites.assign(p.statements.size(), ir::no_value);
  }

  constexpr plan run() {
    for (const unit& u : f.units) plan_unit(u);
    for (ir::value_id i = 0, n = p.size(); i < n; ++i) {
      lifetime& l = made.lifetimes[i];
      if (f.unit_of[i] >= 0) l.first = f.unit_of[i];
      if (l.last < l.first) l.last = l.first;
    }
    return std::move(made);
  }

 private:
  constexpr void plan_unit(const unit& from) {
    planned_unit to;
    to.kind = from.kind;
    to.side = from.side;
    to.set = from.set;
    if (!from.loops.empty()) to.relation = from.loops[0].relation;
    to.first_step = made.steps.size();
    const int first_result = made.loop_results.size();
    const int loops = from.loops.size();
    int next = 0;
    for (int stage = 0; stage <= loops; ++stage) {
      for (; next < from.statements.size() && from.stages[next] <= stage; ++next) plan_statement(from.statements[next]);
      if (stage < loops) plan_loop(from.loops[stage], first_result);
    }
    to.last_step = made.steps.size();
    for (int r = first_result; r < made.loop_results.size(); ++r)
      if (p[made.loop_results[r].at].code == ir::opcode::top_share_edges)
        finish_top_share(p, made, to, made.loop_results[r]);
    made.units.push_back(to);
  }
  constexpr void plan_statement(ir::value_id i) {
    made.steps.push_back({false, i});
    if (ir::is_scan(p[i].code))
      for (const ir::value_id x : ir::arguments_of(p, p[i])) read(x);
    else read_operands(i);
  }
  /// first_result: of the unit's earlier loops.
  constexpr void plan_loop(const edge_loop& loop, int first_result) {
    sequence<planned_result> before;
    for (int r = first_result; r < made.loop_results.size(); ++r) before.push_back(made.loop_results[r]);
    loop_plan inside = loop_planner(p, loop, loop.side, before, notes, by).run();
    made.steps.push_back({true, made.loops.size()});
    planned_loop to;
    to.side = loop.side;
    to.relation = loop.relation;
    to.first_statement = made.loop_statements.size();
    for (const planned_value& v : inside.values) {
      made.loop_statements.push_back(v);
      read(v.at);
      if (op::info_of(p[v.at].code).kind != op::category::dense) read_operands(v.at);  // read, not made, by the loop
    }
    to.last_statement = made.loop_statements.size();
    to.first_result = made.loop_results.size();
    for (const planned_result& r : inside.results) made.loop_results.push_back(r);
    to.last_result = made.loop_results.size();
    to.first_mode = made.modes.size();
    for (const value_mode& m : inside.modes) made.modes.push_back(m);
    to.last_mode = made.modes.size();
    made.loops.push_back(to);
  }

  /// By the unit at hand.
  constexpr void read(ir::value_id i) {
    lifetime& l = made.lifetimes[ir::root_of(p.statements.first, i)];
    const int u = made.units.size();
    if (l.last < u) l.last = u;
  }
  constexpr void read_operands(ir::value_id i) {
    const ir::statement& s = p[i];
    for (int k = 0, n = s.arity(); k < n; ++k) read(s.operands[k]);
  }

  const ir::program& p;
  const fusion& f;
  const choices& by;
  sequence<loop_note> notes;  // blank between two loops
  plan made{};
};

}  // namespace detail

constexpr plan make_plan(const ir::program& p, const fusion& f, const choices& by = choices()) {
  return detail::planner(p, f, by).run();
}

}  // namespace stg::pass
