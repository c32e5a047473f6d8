// A thread's scratch for a unit of a draft: a block of rows of each value of its steps, and of its loops' values, some
// edges.
#include <algorithm>  // fill_n, max, min

#include "block.hpp"  // scratch_layout

namespace stg::drafts {

namespace {

/// What rows, and what edges, may take together: statement after statement reads what the one before has left in a
/// first or second-level cache.
constexpr std::int64_t block_bytes = 96 << 10;
constexpr std::int64_t least_rows = 8, least_edges = 16;

class layout {
 public:
  explicit layout(const drafted_plan& of) : plan(of), data(of.data) { std::fill_n(plan.offsets, data.size, -1); }

  scratch_layout run(const pass::planned_unit& unit) {
    for (int k = unit.first_step; k < unit.last_step; ++k) {
      const pass::step& s = data.steps[k];
      if (s.is_loop) count_loop(data.loops[s.index]);
      else count_row(s.index);
    }
    scratch_layout n;
    n.rows = std::max(block_bytes / (per_row + operand_places * widest + 1), least_rows);
    n.edges = std::max(block_bytes / (per_edge + operand_places * widest + 1), least_edges);
    n.rows = std::min(n.rows, plan.most.rows);
    n.edges = std::min(n.edges, plan.most.edges);
    for (int k = unit.first_step; k < unit.last_step; ++k) {
      const pass::step& s = data.steps[k];
      if (s.is_loop) place_loop(data.loops[s.index], n);
      else if (!data.stored[s.index]) place(s.index, n.rows * row_bytes(s.index));
    }
    n.operand = bytes;
    n.operand_bytes = padded(std::max(n.rows, n.edges) * widest);
    n.bytes = n.operand + operand_places * n.operand_bytes;
    return n;
  }

 private:
  std::int64_t row_bytes(int i) const { return plan.widths[i] * bytes_of(data.statements[i].type); }
  void look_at(int i) {
    widest = std::max(widest, 8 * plan.widths[i]);
    for (int k = picks_from_table(data, i) ? 1 : 0; k < data.statements[i].arity(); ++k)
      widest = std::max(widest, 8 * plan.widths[data.statements[i].operands[k]]);
  }
  void count_row(int i) {
    per_row += row_bytes(i);
    look_at(i);
  }
  void count_loop(const pass::planned_loop& loop) {
    std::int64_t mine = 0;
    for (int k = loop.first_mode; k < loop.last_mode; ++k) {
      mine += row_bytes(data.modes[k].at);
      look_at(data.modes[k].at);
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) count_row(data.loop_results[r].at);
    per_edge = std::max(per_edge, mine);
  }
  void place(int i, std::int64_t n) {
    if (plan.offsets[i] >= 0) return;
    plan.offsets[i] = bytes;
    bytes += padded(n);
  }
  void place_loop(const pass::planned_loop& loop, const scratch_layout& n) {
    for (int k = loop.first_mode; k < loop.last_mode; ++k) {
      const int i = data.modes[k].at;
      if (ir::is_view(data.statements[i])) continue;
      if (plan.read_one_by_one[i] || plan.watched.sees(i)) place(i, n.edges * row_bytes(i));
      else bytes += padded(n.edges * row_bytes(i));  // as if it were watched, which may begin between two questions
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = data.loop_results[r].at;
      const ir::statement& s = data.statements[a];
      if (s.where == ir::space::edge) continue;
      const std::int64_t state = s.code == ir::opcode::first_max_edge || s.code == ir::opcode::top_share_edges
                                     ? n.rows * 8 * plan.widths[a]
                                     : 0;
      const std::int64_t row = data.stored[a] ? 0 : n.rows * row_bytes(a);
      place(a, padded(row) + state);  // the state behind the row
    }
  }

  const drafted_plan& plan;
  const plan_data& data;
  std::int64_t per_row = 0, per_edge = 0, widest = 0, bytes = 0;
};

}  // namespace

scratch_layout lay_out(const drafted_plan& plan, int unit) { return layout(plan).run(plan.data.units[unit]); }

}  // namespace stg::drafts
