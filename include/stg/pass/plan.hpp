// plan: what runs. Fixes for every unit the order of its steps, for every per-edge value how it is computed, and for
// every stored value from which unit to which it is needed.
//
// Per-edge values come in three ways:
//   leaf    read from where it lies (a gathered row, an edge input)
//   joined  computed inside the loop that consumes it, a register at a time
//   rows    computed for a chunk of edges into scratch, because it is used twice, is read by a wider value, or is a
//           narrow and costly one that should be computed for many edges at once
// Runs on a fused program. The result has fixed size, so that kernels can be instantiated with it.
#pragma once

#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/ir/program.hpp>  // program
#include <stg/op/list.hpp>     // info_of
#include <stg/pass/fuse.hpp>   // fusion

namespace stg::pass {

enum class edge_mode : unsigned char { absent, leaf, joined, rows };

/// A step of a sweep: one per-vertex statement, or one loop over the row's edges.
struct step {
  bool is_loop = false;
  int index = 0;  // the statement, or the loop
};
struct planned_unit {
  unit_kind kind = unit_kind::sweep;
  sweep_side side = sweep_side::none;
  int first_step = 0, last_step = 0;
};
struct planned_loop {
  sweep_side side = sweep_side::none;
  int first_statement = 0, last_statement = 0;  // of loop_statements
  int first_result = 0, last_result = 0;        // of loop_results
};
/// The units during which a stored value must be kept: written in the first, last read in the last.
struct lifetime {
  int first = -1, last = -1;
};

struct plan_sizes {
  int statements = 0, units = 0, steps = 0, loops = 0, loop_statements = 0, loop_results = 0;
};

template <int Statements, int Units, int Steps, int Loops, int LoopStatements, int LoopResults> struct frozen_plan {
  static constexpr int unit_count = Units;
  static constexpr int loop_count = Loops;
  planned_unit units[Units + 1]{};
  step steps[Steps + 1]{};
  planned_loop loops[Loops + 1]{};
  ir::value_id loop_statements[LoopStatements + 1]{};
  ir::value_id loop_results[LoopResults + 1]{};
  edge_mode modes[Loops + 1][Statements + 1]{};
  unsigned char stored[Statements + 1]{};
  lifetime lifetimes[Statements + 1]{};
};

/// The same in the form in which it is made.
struct plan {
  std::vector<planned_unit> units{};
  std::vector<step> steps{};
  std::vector<planned_loop> loops{};
  std::vector<ir::value_id> loop_statements{};
  std::vector<ir::value_id> loop_results{};
  std::vector<std::vector<edge_mode>> modes{};
  ir::flags stored{};
  std::vector<lifetime> lifetimes{};

  constexpr plan_sizes sizes() const {
    plan_sizes n;
    n.statements = static_cast<int>(stored.size());
    n.units = static_cast<int>(units.size());
    n.steps = static_cast<int>(steps.size());
    n.loops = static_cast<int>(loops.size());
    n.loop_statements = static_cast<int>(loop_statements.size());
    n.loop_results = static_cast<int>(loop_results.size());
    return n;
  }
};

/// As much of a plan, or of a frozen one, as n says.
template <class Frozen, class From> constexpr Frozen freeze_plan(const From& from, const plan_sizes& n) {
  Frozen f;
  auto copy = [](const auto& all, auto* to, int count) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) to[i] = all[i];
  };
  copy(from.units, f.units, n.units);
  copy(from.steps, f.steps, n.steps);
  copy(from.loops, f.loops, n.loops);
  copy(from.loop_statements, f.loop_statements, n.loop_statements);
  copy(from.loop_results, f.loop_results, n.loop_results);
  for (std::size_t l = 0; l < static_cast<std::size_t>(n.loops); ++l) copy(from.modes[l], f.modes[l], n.statements);
  copy(from.stored, f.stored, n.statements);
  copy(from.lifetimes, f.lifetimes, n.statements);
  return f;
}

/// The plan of a program of N statements and its sizes, before the sizes are constants; what has no room is left out.
template <int N> struct roomy_plan {
  static constexpr plan_sizes room = {N, N + 8, 2 * N + 8, N / 4 + 8, 4 * N + 64, N};
  plan_sizes sizes{};
  frozen_plan<room.statements, room.units, room.steps, room.loops, room.loop_statements, room.loop_results> held{};

  constexpr explicit roomy_plan(const plan& from) : sizes(from.sizes()) {
    if (fits()) held = freeze_plan<decltype(held)>(from, sizes);
  }
  constexpr bool fits() const {
    return sizes.statements <= room.statements && sizes.units <= room.units && sizes.steps <= room.steps &&
           sizes.loops <= room.loops && sizes.loop_statements <= room.loop_statements &&
           sizes.loop_results <= room.loop_results;
  }
};

/// Features that are computed for a chunk of edges at once, across edges, when they cost something.
inline constexpr int narrow_elements = 8;
inline constexpr int costly = 4;

/// How many of the last axes of its operand a reduction reduces, if it reduces no others; else 0.
constexpr int reduced_last_axes(const ir::statement& s, const ir::shape& dims) {
  int n = 0;
  while (n < dims.rank && (s.attribute >> (dims.rank - 1 - n) & 1)) ++n;
  const std::int64_t others = (std::int64_t(1) << (dims.rank - n)) - 1;
  return (s.attribute & others) == 0 ? n : 0;
}

namespace detail {

constexpr bool is_narrow(const ir::statement& s) { return s.dims.is_static() && s.dims.size() <= narrow_elements; }

constexpr std::vector<edge_mode> edge_modes(const ir::program& p, const edge_loop& loop) {
  using enum ir::opcode;
  std::vector<edge_mode> mode(p.statements.size(), edge_mode::absent);
  std::vector<int> uses(p.statements.size(), 0);
  ir::flags in_rows(p.statements.size(), 0);
  auto at = [](ir::value_id i) { return static_cast<std::size_t>(i); };
  auto need_rows = [&](ir::value_id i) { in_rows[at(root_of(p, i))] = 1; };
  auto use = [&](ir::value_id i) { ++uses[at(root_of(p, i))]; };

  for (ir::value_id r : loop.results) {
    const ir::statement& s = p[r];
    if (s.where == ir::space::edge) {
      use(r);
      continue;
    }
    use(s.operands[0]);
    if (s.code == log_sum_exp_edges || s.code == first_max_edge || p[s.operands[0]].code == reshape)
      need_rows(s.operands[0]);
  }
  for (std::size_t k = loop.statements.size(); k-- > 0;) {
    const ir::value_id i = loop.statements[k];
    const ir::statement& s = p[i];
    const op::info& known = op::info_of(s.code);
    if (s.code == reshape) {
      if (in_rows[at(i)]) need_rows(i);
      uses[at(root_of(p, i))] += 0;
      mode[at(i)] = edge_mode::leaf;
      continue;
    }
    const bool direct = known.kind == op::category::gather || s.code == input || s.code == edge_index;
    bool rows = in_rows[at(i)];
    if (known.kind == op::category::feature || s.code == keep_mask) rows = true;
    if (known.kind == op::category::pointwise && (uses[at(i)] > 1 || (is_narrow(s) && known.cost >= costly)))
      rows = true;
    mode[at(i)] = rows ? edge_mode::rows : direct ? edge_mode::leaf : edge_mode::joined;
    if (known.kind == op::category::gather) continue;
    for (int a = 0; a < s.arity(); ++a) {
      const ir::statement& x = p.operand(s, a);
      if (x.where != ir::space::edge) continue;
      use(s.operands[a]);
      const bool computed = x.code != reshape && op::info_of(x.code).kind != op::category::gather && x.code != input;
      if (known.kind == op::category::feature && computed &&
          !(s.code == reduce_sum && reduced_last_axes(s, x.dims) > 0))
        need_rows(s.operands[a]);
      if (known.kind == op::category::pointwise && computed && !(x.dims == s.dims)) need_rows(s.operands[a]);
      if (known.kind == op::category::pointwise && rows && is_narrow(s) && x.dims == s.dims && x.code != reshape)
        need_rows(s.operands[a]);
      if (x.code == reshape && op::info_of(p[root_of(p, s.operands[a])].code).kind == op::category::pointwise)
        need_rows(s.operands[a]);
    }
  }
  return mode;
}

}  // namespace detail

constexpr plan make_plan(const ir::program& p, const fusion& f) {
  plan result;
  result.stored = f.stored;
  result.lifetimes.assign(p.statements.size(), lifetime());
  auto at = [](ir::value_id i) { return static_cast<std::size_t>(i); };
  auto read_in = [&](ir::value_id i, int u) {
    lifetime& l = result.lifetimes[at(root_of(p, i))];
    if (l.last < u) l.last = u;
  };
  for (std::size_t k = 0; k < f.units.size(); ++k) {
    const unit& from = f.units[k];
    const int u = static_cast<int>(k);
    planned_unit to;
    to.kind = from.kind;
    to.side = from.side;
    to.first_step = static_cast<int>(result.steps.size());
    std::size_t next = 0;
    for (int stage = 0; stage <= static_cast<int>(from.loops.size()); ++stage) {
      for (; next < from.statements.size() && from.stages[next] <= stage; ++next) {
        step s;
        s.index = from.statements[next];
        result.steps.push_back(s);
        for (int a = 0; a < p[s.index].arity(); ++a) read_in(p[s.index].operands[a], u);
      }
      if (stage == static_cast<int>(from.loops.size())) break;
      const edge_loop& loop = from.loops[static_cast<std::size_t>(stage)];
      step s;
      s.is_loop = true;
      s.index = static_cast<int>(result.loops.size());
      result.steps.push_back(s);
      planned_loop planned;
      planned.side = from.side;
      planned.first_statement = static_cast<int>(result.loop_statements.size());
      for (ir::value_id i : loop.statements) {
        result.loop_statements.push_back(i);
        read_in(i, u);
        for (int a = 0; a < p[i].arity(); ++a) read_in(p[i].operands[a], u);
      }
      planned.last_statement = static_cast<int>(result.loop_statements.size());
      planned.first_result = static_cast<int>(result.loop_results.size());
      for (ir::value_id i : loop.results) result.loop_results.push_back(i);
      planned.last_result = static_cast<int>(result.loop_results.size());
      result.loops.push_back(planned);
      result.modes.push_back(detail::edge_modes(p, loop));
    }
    to.last_step = static_cast<int>(result.steps.size());
    result.units.push_back(to);
  }
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (f.unit_of[at(i)] >= 0) result.lifetimes[at(i)].first = f.unit_of[at(i)];
  for (ir::value_id i = 0; i < p.size(); ++i) {
    lifetime& l = result.lifetimes[at(i)];
    if (l.last < l.first) l.last = l.first;
  }
  return result;
}

/// Holds the plan of a program constant: `planned<Program>::value`. Made once, like stored programs.
template <class Program> struct planned {
  static constexpr plan make() {
    const ir::program p = Program::value.thaw();
    return make_plan(p, fuse(p));
  }
  static constexpr roomy_plan<Program::value.size> made = roomy_plan<Program::value.size>(make());
  static constexpr plan_sizes sizes = made.sizes;
  using frozen =
      frozen_plan<sizes.statements, sizes.units, sizes.steps, sizes.loops, sizes.loop_statements, sizes.loop_results>;
  static constexpr frozen value =
      made.fits() ? freeze_plan<frozen>(made.held, sizes) : freeze_plan<frozen>(make(), sizes);
};

}  // namespace stg::pass
