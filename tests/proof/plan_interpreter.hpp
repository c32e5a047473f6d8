// What a plan does, step by step and naively: units in order, a row's loops over its edges in chunks, values that are
// saved, read again or computed again.
//
// Whatever a plan decides shows as a number or as an error. Memory is NaN where no value lives; a row forgets what it
// computed when it ends, a chunk of edges when the next begins; and who reads what was not made is told so. Operations
// themselves are the oracle's: what is proven here are passes.
#pragma once

#include "planned_memory.hpp"  // planned_memory, program_in_memory

#include <stg/pass/plan.hpp>  // plan

#include <algorithm>  // copy, max, min
#include <cmath>      // exp
#include <cstdint>    // int64_t
#include <limits>     // infinity
#include <string>     // string, to_string
#include <vector>     // vector

namespace stg::test {

/// What a backend is free to choose.
struct plan_settings {
  std::int64_t chunk_edges = 1024;  // edges that a loop takes at a time
  std::int64_t block_rows = 48;     // rows that a chain takes at a time
  bool divides_last = true;         // sums of products with softmax are divided in the end, where the plan allows it
};

/// Units count from `first_unit` on.
class planned_program : public program_in_memory {
 public:
  planned_program(const ir::program& program, const pass::plan& plan, const graph& g, const oracle::environment& env,
                  const plan_settings& settings, planned_memory& memory, int first_unit)
      : program_in_memory(program, plan, g, env, memory, first_unit),
        settings(settings),
        held(program.statements.size()),
        edge_numbers(program.statements.size()) {}

  void run() {
    for (int u = 0; u < plan.units.size(); ++u) {
      const int chained = plan.units[size(u)].chained;
      if (chained == 0) continue;  // runs in an earlier unit's chain
      for (int link = u; link < u + chained; ++link) memory.begin(first_unit + link);
      if (chained == 1) run_unit(u, 0, rows_of(space_of(u)));
      else run_chain(u, u + chained);
      for (int link = u; link < u + chained; ++link) memory.end(first_unit + link);
    }
  }

 private:
  /// Rows of a value outside of memory: of one row, which has no numbers yet where its reader computes it, or of a
  /// block of rows in a chain.
  struct held_rows {
    std::int64_t first = 0, last = 0, made = -1;
    numbers values{};
    const ir::statement* reader = nullptr;  // that computes it
  };
  /// One number for each edge and feature, by edge id; those of the row or of the chunk in which they were made.
  struct held_edges {
    std::int64_t row = -1, chunk = -1;
    std::vector<std::int64_t> joined{};  // by edge: the chunk in which it was computed by who read it
    std::vector<double> values{};
    std::vector<double> shift{}, sum{};  // of a top_share: its largest score, and the sum of the exponentials
    bool divided = true;                 // of a top_share: whether softmax reads exponentials over their sum
  };

  op::category kind_of(ir::value_id i) const { return op::info_of(p[i].code).kind; }
  /// Where the plan says: into memory, into the block of rows at hand, or at hand until the row ends.
  void put(ir::value_id i, std::int64_t row, const numbers& values) {
    if (plan.stored[size(i)]) {
      store(i, row, values);
    } else if (plan.in_block[size(i)]) {
      held_rows& block = held[size(i)];
      std::copy(values.begin(), values.end(), block.values.begin() + (row - block.first) * width(i));
    } else {
      held[size(i)] = held_rows{row, row + 1, row_at_hand, values, nullptr};
    }
  }

  // ---- units ----

  /// What a unit has a row for: each vertex, each edge in a product of edge values, or the graph.
  ir::domain space_of(int u) const {
    const pass::planned_unit& unit = plan.units[size(u)];
    if (unit.kind == pass::unit_kind::sweep) return {ir::space::vertex, unit.set};
    if (unit.kind == pass::unit_kind::product) return p[plan.steps[size(unit.first_step)].index].where;
    return ir::space::graph;
  }
  void run_unit(int u, std::int64_t first, std::int64_t last) {
    const pass::planned_unit& unit = plan.units[size(u)];
    for (std::int64_t row = first; row < last; ++row) {
      ++row_at_hand;
      for (int k = unit.first_step; k < unit.last_step; ++k) {
        const pass::step& s = plan.steps[size(k)];
        if (s.is_loop) run_loop(s.index, row);
        else if (plan.joined[size(s.index)]) held[size(s.index)] = held_rows{row, row + 1, row_at_hand, {}, nullptr};
        else put(s.index, row, evaluate(p[s.index], row_range{row, row + 1}));
      }
    }
  }

  void run_chain(int first, int last) {
    const std::int64_t rows = rows_of({ir::space::vertex, plan.units[size(first)].set});
    for (std::int64_t begin = 0; begin < rows; begin += settings.block_rows) {
      const std::int64_t end = std::min(begin + settings.block_rows, rows);
      for (int u = first; u < last; ++u)
        for (int k = plan.units[size(u)].first_step; k < plan.units[size(u)].last_step; ++k) {
          const ir::value_id i = plan.steps[size(k)].index;
          if (!plan.in_block[size(i)]) continue;
          const bounded nothing{planned_memory::nothing, 0};
          held[size(i)] = held_rows{begin, end, -1, numbers(size((end - begin) * width(i)), nothing), nullptr};
        }
      for (int u = first; u < last; ++u) run_unit(u, begin, end);
    }
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (plan.in_block[size(i)]) held[size(i)] = held_rows();
  }

  /// Of any relation.
  std::int64_t most_edges() const {
    std::int64_t most = 0;
    for (const kind_rows& k : kinds) most = std::max(most, k.in.edges());
    return most;
  }

  // ---- a loop over the edges of a row ----

  void run_loop(int l, std::int64_t row) {
    const pass::planned_loop& planned = plan.loops[size(l)];
    const std::vector<std::int64_t>& mine =
        owned(planned.relation, planned.side == pass::sweep_side::out ? ir::direction::out : ir::direction::in, row);
    const std::int64_t edges_of_row = static_cast<std::int64_t>(mine.size());
    loop = l;
    one_chunk = edges_of_row <= settings.chunk_edges;
    int levels = 1;
    for (int k = planned.first_statement; k < planned.last_statement; ++k)
      levels = std::max(levels, plan.loop_statements[size(k)].level + 1);
    for (std::int64_t first = 0; first < edges_of_row; first += settings.chunk_edges) {
      ++chunk_at_hand;
      const auto begin = mine.begin() + first;
      chunk.assign(begin, begin + std::min(settings.chunk_edges, edges_of_row - first));
      for (int level = 0; level < levels; ++level) {
        compute_level(planned, level, pass::edge_mode::rows);
        group_at_hand = level;
        compute_level(planned, level, pass::edge_mode::across);
        take_results(planned, level);
        group_at_hand = -1;
      }
      take_results(planned, -1);
    }
    for (int k = planned.first_result; k < planned.last_result; ++k) finish(plan.loop_results[size(k)], row);
    loop = -1;
  }

  void compute_level(const pass::planned_loop& planned, int level, pass::edge_mode mode) {
    for (int k = planned.first_statement; k < planned.last_statement; ++k) {
      const pass::planned_value& v = plan.loop_statements[size(k)];
      if (v.level != level || plan.mode(loop, v.at) != mode || (one_chunk && !v.in_one_chunk)) continue;
      for (const std::int64_t e : chunk) keep(v.at, e, v.softmax < 0 ? at_edge(v.at, e) : softmax(v, e));
      edge_numbers[size(v.at)].chunk = chunk_at_hand;
    }
  }
  bool lies_by_edge(ir::value_id i) const {
    return p[i].code == ir::opcode::input || kind_of(i) == op::category::dense;
  }
  numbers at_edge(ir::value_id i, std::int64_t e) const {
    if (!lies_by_edge(i)) return evaluate(p[i], row_range{e, e + 1});
    numbers values;
    for (std::int64_t f = 0; f < width(i); ++f) values.push_back(bounded{in_memory(i, e, f), 0});
    return values;
  }
  void keep(ir::value_id i, std::int64_t e, const numbers& values) const {
    std::vector<double>& all = edge_numbers[size(i)].values;
    all.resize(size(most_edges() * width(i)), planned_memory::nothing);
    for (std::size_t f = 0; f < values.size(); ++f) all[size(e * width(i)) + f] = values[f].value;
  }

  /// Results of one level, taken from the registers of its group; of level -1, taken by themselves.
  void take_results(const pass::planned_loop& planned, int level) {
    for (int k = planned.first_result; k < planned.last_result; ++k) {
      const pass::planned_result& r = plan.loop_results[size(k)];
      if (r.level != level) continue;
      const bool is_edge = p[r.at].where == ir::space::edge;
      const ir::value_id message = root_of(p, is_edge ? r.at : p[r.at].operands[0]);
      for (const std::int64_t e : chunk) {
        numbers values;
        for (std::int64_t f = 0; f < width(r.at); ++f) values.push_back(bounded{at_edge(message, e, f), 0});
        if (is_edge) put(r.at, e, values);
        else keep(r.at, e, values);
      }
    }
  }

  void finish(const pass::planned_result& r, std::int64_t row) {
    const ir::statement& s = p[r.at];
    if (s.where == ir::space::edge) return;
    edge_numbers[size(r.at)].row = row_at_hand;
    finishing = r.at;
    numbers values = evaluate(s, row_range{row, row + 1});  // of the messages that were kept
    if (r.over >= 0 && !edge_numbers[size(r.over)].divided && !owned(p.operand(s, 0).where.set, s.side(), row).empty())
      for (std::size_t f = 0; f < values.size(); ++f)
        values[f].value /= edge_numbers[size(r.over)].sum[feature_of(r.over, r.at, static_cast<std::int64_t>(f))];
    if (s.code == ir::opcode::top_share_edges) add_exponentials(r, row);
    put(r.at, row, values);
  }

  // ---- softmax ----

  /// The element of `of` that stands beside element f of `whole`, which it broadcasts to.
  std::size_t feature_of(ir::value_id of, ir::value_id whole, std::int64_t f) const {
    return size(place(index_of(f, shapes[size(whole)]), shapes[size(of)]));
  }
  void add_exponentials(const pass::planned_result& r, std::int64_t row) {
    held_edges& state = edge_numbers[size(r.at)];
    const std::int64_t features = width(r.at);
    state.shift.assign(size(features), -std::numeric_limits<double>::infinity());
    state.sum.assign(size(features), 0);
    state.divided = !(settings.divides_last && r.summed_in >= 0 && one_chunk);
    const std::vector<std::int64_t>& mine = owned(p.operand(p[r.at], 0).where.set, p[r.at].side(), row);
    for (std::int64_t f = 0; f < features; ++f) {
      double& shift = state.shift[size(f)];
      for (const std::int64_t e : mine) shift = std::max(shift, state.values[size(e * features + f)]);
      if (std::isinf(shift)) shift = 0;
      for (const std::int64_t e : mine) state.sum[size(f)] += std::exp(state.values[size(e * features + f)] - shift);
    }
  }
  /// Of an earlier loop's top_share: its exponentials over their sum. They are there where the row is one chunk; else
  /// the score is read once more.
  numbers softmax(const pass::planned_value& v, std::int64_t e) const {
    const held_edges& state = edge_numbers[size(v.softmax)];
    if (state.row != row_at_hand) fail("is a softmax whose top_share was not made in this row", v.at);
    numbers values;
    for (std::int64_t f = 0; f < width(v.at); ++f) {
      const std::size_t at = feature_of(v.softmax, v.at, f);
      const double score =
          one_chunk ? state.values[size(e * width(v.softmax)) + at] : at_edge(root_of(p, p[v.at].operands[0]), e, f);
      const double exponential = std::exp(score - state.shift[at]);
      values.push_back(bounded{state.divided ? exponential / state.sum[at] : exponential, 0});
    }
    return values;
  }

  // ---- reading ----

  bounded read(const ir::statement& s, int k, std::int64_t row, std::int64_t element) const override {
    const ir::value_id x = root_of(p, s.operands[k]);
    const op::category kind = op::info_of(s.code).kind;
    if (kind == op::category::aggregate) {
      const ir::value_id a = finishing;
      return bounded{edge_numbers[size(a)].values[size(row * width(a) + element)], 0};
    }
    if (p[x].where == ir::space::graph) row = 0;
    const bool of_edges = p[x].where == ir::space::edge;
    if (of_edges)
      return bounded{pass::reads_whole_rows(kind) ? in_memory(x, row, element) : at_edge(x, row, element), 0};
    if (p[x].code == ir::opcode::input || plan.stored[size(x)]) return bounded{in_memory(x, row, element), 0};
    held_rows& here = held[size(x)];
    const bool is_here = row >= here.first && row < here.last;
    if (is_here && plan.joined[size(x)] && here.made == row_at_hand) {
      if (here.reader == nullptr) here.values = evaluate(p[x], row_range{row, row + 1});
      const bool reduces = s.code == ir::opcode::reduce_sum || s.code == ir::opcode::reduce_max;
      const bool in_step = reduces ? pass::reduced_last_axes(s, p[x].dims) > 0
                                   : kind == op::category::pointwise && p[s.operands[k]].dims == s.dims;
      if (!in_step || (here.reader != nullptr && here.reader != &s)) fail("has no place of its own", x);
      here.reader = &s;
    }
    if (is_here && (plan.in_block[size(x)] || here.made == row_at_hand))
      return here.values[size((row - here.first) * width(x) + element)];
    // sources are computed by whoever reads them, masks where an entry of a product meets them; but no other row is,
    // and none whose parts are moved
    const bool drawn = p[x].code == ir::opcode::keep_mask && kind != op::category::dense;
    const bool moved = kind == op::category::gather || kind == op::category::feature;
    if (kind_of(x) != op::category::source || drawn || moved)
      fail("is read in row " + std::to_string(row) + " and is not there", x);
    return evaluate(p[x], row_range{row, row + 1})[size(element)];
  }

  /// A per-edge value within the loop at hand.
  double at_edge(ir::value_id x, std::int64_t e, std::int64_t element) const {
    if (loop < 0) fail("is read outside of a loop", x);
    held_edges& here = edge_numbers[size(x)];
    const std::size_t at = size(e * width(x) + element);
    switch (plan.mode(loop, x)) {
      case pass::edge_mode::absent:
        fail("is read in a loop that does not make it", x);
      case pass::edge_mode::leaf:
        if (lies_by_edge(x)) return in_memory(x, e, element);
        break;
      case pass::edge_mode::joined:
        break;
      case pass::edge_mode::rows:
      case pass::edge_mode::across:
        if (here.chunk != chunk_at_hand) fail("is read before its chunk of edges is computed", x);
        if (!is_readable(x)) fail("is read by others than its group and was not kept", x);
        return here.values[at];
    }
    here.joined.resize(size(most_edges()), -1);
    if (here.joined[size(e)] != chunk_at_hand) keep(x, e, at_edge(x, e));
    here.joined[size(e)] = chunk_at_hand;
    return here.values[at];
  }
  bool is_readable(ir::value_id x) const {
    if (plan.mode(loop, x) != pass::edge_mode::across) return true;
    const pass::planned_loop& planned = plan.loops[size(loop)];
    for (int k = planned.first_statement; k < planned.last_statement; ++k) {
      const pass::planned_value& v = plan.loop_statements[size(k)];
      if (v.at == x) return v.kept || v.level == group_at_hand;
    }
    return false;
  }

  plan_settings settings;
  mutable std::vector<held_rows> held;
  mutable std::vector<held_edges> edge_numbers;
  std::vector<std::int64_t> chunk{};  // the edges at hand
  int loop = -1, group_at_hand = -1;
  bool one_chunk = true;
  ir::value_id finishing = ir::no_value;            // the aggregate that is taken of its messages
  std::int64_t row_at_hand = 0, chunk_at_hand = 0;  // told apart by counting
};

}  // namespace stg::test
