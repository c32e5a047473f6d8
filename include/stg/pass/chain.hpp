// chain: units that work row by row and follow each other run together, on one block of rows after the other: a value
// that one of them makes for others of them alone is kept for a block of rows, in a cache, and takes no memory.
//
// A dense product and a sweep without edge loops read no row but the vertex's own, so that any run of them may be cut
// into blocks. Units between which nothing is saved stay apart: a product by itself writes a large result past the
// caches. All units of a chain are at work at once: their operands and results live as long as the whole chain. This
// can take more memory than was saved where a narrow value joins two wide ones.
//
// Runs on a plan.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program
#include <stg/ir/decisions.hpp>   // each_output
#include <stg/analysis/unit.hpp>  // unit_kind
#include <stg/pass/plan.hpp>      // plan, lifetime

namespace stg::pass {

namespace detail {

class chainer {
 public:
  constexpr chainer(const ir::program& of, plan& to)
      : p(of), made(to), is_output(of.statements.size(), 0), run_of(to.units.size(), -1), chain_of(run_of) {
    ir::each_output(p, [this](ir::value_id i) { is_output[root_of(p, i)] = 1; });
    find_apart();
  }

  constexpr void run() {
    find_runs();
    find_chains();
    for (ir::value_id i = 0, n = p.size(); i < n; ++i) {
      lifetime& l = made.lifetimes[i];
      if (is_passed_on(i)) {
        made.stored[i] = 0;
        made.in_block[i] = 1;
      }
      if (l.first >= 0) l.first = chain_of[l.first];
      if (l.last >= 0) l.last = chain_of[l.last] + made.units[chain_of[l.last]].chained - 1;
    }
  }

 private:
  constexpr int count() const { return made.units.size(); }

  constexpr bool is_by_row(int u) const {
    const planned_unit& unit = made.units[u];
    if (unit.kind == unit_kind::product) {
      const ir::statement& s = p[made.steps[unit.first_step].index];
      return s.code == ir::opcode::matmul && s.where == ir::space::vertex;
    }
    return unit.kind == unit_kind::sweep && unit.side == sweep_side::none;
  }
  constexpr bool same_rows(int u, int v) const { return made.units[u].set == made.units[v].set; }
  /// The units of values that are to be computed apart.
  constexpr void find_apart() {
    const sequence<ir::decision> pairs = ir::pairs_of(p, ir::decided::apart);
    if (pairs.empty()) return;
    const sequence<int> unit_of = units_of_values(p, made);
    for (const ir::decision& pair : pairs)
      if (unit_of[pair.at] >= 0 && unit_of[pair.other] >= 0)
        apart.push_back(ir::of_pair(ir::decided::apart, unit_of[pair.at], unit_of[pair.other]));
  }
  /// Whether the units from `first` up to u compute what unit u is to be apart from.
  constexpr bool is_barred(int first, int u) const {
    bool barred = false;
    for (const ir::decision& units : apart) {
      const int other = units.at == u ? units.other : units.other == u ? units.at : -1;
      barred = barred || (first <= other && other < u);
    }
    return barred;
  }
  /// The first of the units around u that work row by row and follow each other directly; -1 if u does not.
  constexpr void find_runs() {
    for (int u = 0; u < count(); ++u) {
      if (!is_by_row(u)) continue;
      const bool goes_on = u > 0 && run_of[u - 1] >= 0 && same_rows(u - 1, u) && !is_barred(run_of[u - 1], u);
      run_of[u] = goes_on ? run_of[u - 1] : u;
    }
  }
  /// A value that one unit of a run makes for others of the run, and for nobody else.
  constexpr bool is_passed_on(ir::value_id i) const {
    const lifetime& l = made.lifetimes[i];
    if (!made.stored[i] || is_output[i] || l.first < 0 || l.first == l.last) return false;
    return run_of[l.first] >= 0 && run_of[l.first] == run_of[l.last];
  }
  constexpr void find_chains() {
    sequence<int> until(made.units.size(), 0);  // last reader of a value passed on by a unit
    for (ir::value_id i = 0, n = p.size(); i < n; ++i) {
      const lifetime& l = made.lifetimes[i];
      if (is_passed_on(i) && until[l.first] < l.last) until[l.first] = l.last;
    }
    for (int u = 0, first = 0, last = 0; u < count(); ++u) {
      if (u > last) first = last = u;
      if (last < until[u]) last = until[u];
      chain_of[u] = first;
      made.units[u].chained = 0;
      ++made.units[first].chained;
    }
  }

  const ir::program& p;
  plan& made;
  ir::flags is_output;  // or promised to be stored
  sequence<int> run_of;
  sequence<int> chain_of;          // the first unit of a unit's chain
  sequence<ir::decision> apart{};  // of units
};

}  // namespace detail

constexpr plan chain_units(const ir::program& p, plan made) {
  detail::chainer(p, made).run();
  return made;
}

}  // namespace stg::pass
