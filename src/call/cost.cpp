// Counting what the units of a plan move and compute.
#include "cost.hpp"

#include <set>      // set
#include <tuple>    // tuple
#include <utility>  // pair

#include <stg/op/list.hpp>   // info_of
#include <stg/pipeline.hpp>  // planned

namespace stg {

namespace {

formula elements(const ir::program& p, const ir::shape& dims) {
  formula n(1);
  for (int a = 0; a < dims.rank; ++a) n = n * formula(p.polynomial_of(dims.axes[a]));
  return n;
}

bool is_sparse(const ir::program& p, ir::value_id i) {
  return p[i].code == ir::opcode::input && p.inputs[p[i].entry()].sparse;
}
/// |x|, the entries of a sparse input x.
formula entries_of(const ir::program& p, ir::value_id i) {
  const std::string name(p.inputs[p[i].entry()].name.view());
  return formula(("|" + name + "|").c_str());
}

/// rows(domain): for how many rows of a domain it is computed.
template <class Rows> formula operations_of(const ir::program& p, const ir::statement& s, const Rows& rows) {
  const op::info& known = op::info_of(s.code);
  if (known.kind == op::category::source || known.kind == op::category::gather) return formula();
  if (s.where == ir::space::edge && ir::takes_part(s.code)) return formula();  // read in place, or copied
  if (known.kind == op::category::dense) {  // every element of the left operand meets a row of the right one
    const ir::statement& right = s.where == ir::space::graph ? p.operand(s, 1) : s;
    const ir::extent columns = right.dims.axes[right.dims.rank - 1];
    if (is_sparse(p, s.operands[0]))
      return formula(2) * entries_of(p, s.operands[0]) * formula(p.polynomial_of(columns));
    return formula(2) * rows(p.operand(s, 0).where) * elements(p, p.operand(s, 0).dims) *
           formula(p.polynomial_of(columns));
  }
  const bool reduces = s.code == ir::opcode::reduce_sum || s.code == ir::opcode::reduce_max ||
                       s.code == ir::opcode::reduce_top_share || known.kind == op::category::aggregate ||
                       known.kind == op::category::reduction;
  const ir::statement& counted = reduces ? p.operand(s, 0) : s;
  return formula(known.cost) * rows(counted.where) * elements(p, counted.dims);
}
formula operations_of(const ir::program& p, const ir::statement& s) {
  return operations_of(p, s, [&](const ir::domain& where) { return rows_of(p, where); });
}

class counter {
 public:
  counter(const ir::program& p, const pass::fusion& f, const pass::plan& plan, int unit)
      : p(p), f(f), plan(plan), u(unit) {}

  unit_cost run() {
    const pass::unit& unit = f.units[static_cast<std::size_t>(u)];
    for (ir::value_id i : unit.statements) {
      take(i);
      for (int k = 0; k < p[i].arity(); ++k) read(p[i].operands[k]);
    }
    const pass::planned_unit& planned = plan.units[static_cast<std::size_t>(u)];
    for (int k = planned.first_step; k < planned.last_step; ++k)
      if (const pass::step& s = plan.steps[static_cast<std::size_t>(k)]; s.is_loop)
        take_loop(plan.loops[static_cast<std::size_t>(s.index)]);
    for (ir::value_id i : neighbours) cost.gathered += row_bytes(p, i);
    for (ir::value_id i : whole) {
      if (is_sparse(p, i)) cost.bytes += formula(4 + bytes_of(p[i].type)) * entries_of(p, i) + formula(8) * outer_of(i);
      else cost.bytes += bytes_of_value(p, i);
    }
    cost.bytes += formula(8 * static_cast<std::int64_t>(offsets.size())) * rows_of_unit();
    return cost;
  }

 private:
  /// Rows of the half of a sparse input that a product walks: vertices forward, columns for the gradient.
  formula outer_of(ir::value_id x) const {
    for (ir::value_id i : f.units[static_cast<std::size_t>(u)].statements)
      if (p[i].code == ir::opcode::sparse_reduced_matmul && p[i].operands[0] == x) return elements(p, p[x].dims);
    return rows_of_unit();
  }
  /// The vertices that the unit goes over.
  formula rows_of_unit() const { return rows_of(p, {ir::space::vertex, f.units[static_cast<std::size_t>(u)].set}); }
  bool is_in_memory(ir::value_id i) const {
    return p[i].code == ir::opcode::input || plan.stored[static_cast<std::size_t>(i)];
  }
  /// By this unit, or by one before it in its chain: read from a cache.
  bool is_made_here(ir::value_id i) const {
    const int by = f.unit_of[static_cast<std::size_t>(i)];
    return by >= 0 && plan.chain_of(by) == plan.chain_of(u);
  }

  void take(ir::value_id i) {
    cost.operations += operations_of(p, p[i]);
    if (p[i].code == ir::opcode::degree) offsets.insert({p[i].relation(), p[i].side()});
    if (plan.stored[static_cast<std::size_t>(i)]) whole.insert(i);
  }
  void read(ir::value_id at) {
    const ir::value_id i = root_of(p, at);
    if (is_made_here(i)) return;
    if (is_in_memory(i)) whole.insert(i);
    else if (p[i].code == ir::opcode::degree) offsets.insert({p[i].relation(), p[i].side()});
  }
  /// Of a row that is one chunk, as nearly all are.
  void take_loop(const pass::planned_loop& loop) {
    const ir::direction along = pass::direction_of(loop.side);
    std::set<ir::value_id> gathered;
    bool ids = false;
    offsets.insert({loop.relation, along});
    for (int k = loop.first_statement; k < loop.last_statement; ++k) {
      const pass::planned_value& v = plan.loop_statements[static_cast<std::size_t>(k)];
      if (!v.in_one_chunk) continue;
      const ir::value_id e = v.at;
      const ir::statement& s = p[e];
      if (op::info_of(s.code).kind == op::category::dense) {
        whole.insert(e);
        continue;
      }
      cost.operations += operations_of(p, s);
      if (op::info_of(s.code).kind == op::category::gather) {
        if (ir::owner_side(s.code) == along) read(s.operands[0]);
        else gathered.insert(root_of(p, s.operands[0]));
        continue;
      }
      if (s.code == ir::opcode::input) whole.insert(e);
      ids = ids || op::info_of(s.code).kind == op::category::source;
      for (int o = 0; o < s.arity(); ++o)
        if (p.operand(s, o).where != ir::space::edge) read(s.operands[o]);
    }
    for (int k = loop.first_result; k < loop.last_result; ++k) {
      const ir::value_id r = plan.loop_results[static_cast<std::size_t>(k)].at;
      if (p[r].where == ir::space::edge) {
        whole.insert(r);
        ids = true;
      } else {
        take(r);
      }
    }
    const formula edges = rows_of(p, {ir::space::edge, loop.relation});
    for (ir::value_id i : gathered) cost.bytes += edges * row_bytes(p, i);
    neighbours.insert(gathered.begin(), gathered.end());
    if (!gathered.empty()) cost.bytes += edges * formula(4);
    if (ids && along == ir::direction::out) cost.bytes += edges * formula(8);
  }

  const ir::program& p;
  const pass::fusion& f;
  const pass::plan& plan;
  const int u;
  unit_cost cost{};
  std::set<ir::value_id> neighbours{};                // arrays whose rows edges name
  std::set<ir::value_id> whole{};                     // arrays that are read or written once
  std::set<std::pair<int, ir::direction>> offsets{};  // relations whose rows are looked up, and on which side
};

/// Of a scan: what its step costs, for each.
unit_cost cost_of_steps(const ir::program& p, const ir::statement& scan) {
  const ir::program& step = p.callees[scan.callee()];
  const pass::fusion f = pass::fuse(step);
  const pass::plan plan = pipeline::planned(step, f);
  unit_cost once;
  for (int u = 0; u < f.units.size(); ++u) once += cost_of(step, f, plan, u);
  return repeated(p, scan, once);
}

/// What is computed for one stored value: everything down to others that are stored.
class choice_counter {
 public:
  choice_counter(const ir::program& p, storing_rule& rule) : p(p), rule(rule), stored(rule(p)) {}

  unit_cost run() {
    unit_cost all;
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (ir::is_scan(p[i].code)) all += repeated(p, p[i], choice_counter(p.callees[p[i].callee()], rule).run());
      if (p[i].code == ir::opcode::input || !stored[static_cast<std::size_t>(i)]) continue;
      done.clear();
      cost = unit_cost();
      cost.bytes += bytes_of_value(p, i);
      if (p[i].code != ir::opcode::result) compute(i, {});
      all += cost;
    }
    return all;
  }

 private:
  /// Behind how many gathers a value is computed, and over whose edges the first of them goes.
  struct depth {
    int gathers = 0;
    ir::domain edges{};
  };
  formula rows(const ir::domain& where, const depth& d) const {
    if (d.gathers == 0 || where == ir::space::graph) return rows_of(p, where);
    formula n = rows_of(p, d.edges);
    for (int k = where == ir::space::edge ? 0 : 1; k < d.gathers; ++k) n = n * formula(edges_of_a_vertex);
    return n;
  }
  void compute(ir::value_id i, const depth& d) {
    if (!done.insert({i, d.gathers, d.edges.set}).second) return;
    const ir::statement& s = p[i];
    const op::category kind = op::info_of(s.code).kind;
    if (kind == op::category::call) return;
    cost.operations += operations_of(p, s, [&](const ir::domain& where) { return rows(where, d); });
    depth below = d;
    if (kind == op::category::gather) {
      if (d.gathers == 0) below.edges = s.where;
      ++below.gathers;
    }
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id x = s.operands[k];
      const bool is_read = p[x].code == ir::opcode::input || stored[static_cast<std::size_t>(x)];
      if (!is_read) compute(x, below);
      else if (done.insert({x, -1 - below.gathers, below.edges.set}).second)
        cost.bytes += rows(p[x].where, below) * row_bytes(p, x);
    }
  }

  const ir::program& p;
  storing_rule& rule;
  const ir::flags stored;
  unit_cost cost{};
  std::set<std::tuple<ir::value_id, int, int>> done{};
};

}  // namespace

unit_cost repeated(const ir::program& p, const ir::statement& scan, const unit_cost& once) {
  const formula steps(p.polynomial_of(scan.over));
  return {steps * once.bytes, steps * once.operations, once.gathered};
}
unit_cost cost_of_choice(const ir::program& p, storing_rule& rule) { return choice_counter(p, rule).run(); }

formula rows_of(const ir::program& p, const ir::domain& where) {
  if (where.set != 0) return formula(("|" + std::string(p.kinds[where.set - 1].name.view()) + "|").c_str());
  return where == ir::space::vertex ? formula("|V|") : where == ir::space::edge ? formula("|E|") : formula(1);
}

formula row_bytes(const ir::program& p, ir::value_id at) {
  return formula(bytes_of(p[at].type)) * elements(p, p[at].dims);
}

formula bytes_of_value(const ir::program& p, ir::value_id at) {
  const ir::statement& s = p[at];
  return rows_of(p, s.where) * row_bytes(p, at) * (s.is_sequence() ? formula(p.polynomial_of(s.over)) : formula(1));
}

unit_cost cost_of(const ir::program& p, const pass::fusion& f, const pass::plan& plan, int unit) {
  if (const pass::unit& of = f.units[static_cast<std::size_t>(unit)]; of.kind == pass::unit_kind::scan)
    return cost_of_steps(p, p[of.statements[0]]);
  return counter(p, f, plan, unit).run();
}

}  // namespace stg
