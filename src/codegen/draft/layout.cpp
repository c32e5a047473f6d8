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
    if (plan.weighted == nullptr) widest_row = widest_edge = std::max(widest_row, widest_edge);
    scratch_layout n;
    n.rows = std::max(block_bytes / (per_row + operand_places * widest_row + 1), least_rows);
    n.edges = std::max(block_bytes / (per_edge + operand_places * widest_edge + 1), least_edges);
    n.rows = std::min(n.rows, plan.most.rows);
    n.edges = std::min(n.edges, plan.most.edges);
    for (int k = unit.first_step; k < unit.last_step; ++k) {
      const pass::step& s = data.steps[k];
      if (s.is_loop) place_loop(data.loops[s.index], n);
      else if (!data.stored[s.index]) place(s.index, n.rows * row_bytes(s.index));
    }
    n.operand = bytes;
    n.operand_bytes = padded(std::max(n.rows * widest_row, n.edges * widest_edge));
    n.bytes = n.operand + operand_places * n.operand_bytes;
    return n;
  }

 private:
  std::int64_t row_bytes(int i) const { return plan.widths[i] * bytes_of(data.statements[i].type); }
  std::int64_t widest_of(int i) const {
    std::int64_t widest = 8 * plan.widths[i];
    for (int k = picks_from_table(data, i) ? 1 : 0; k < data.statements[i].arity(); ++k)
      widest = std::max(widest, 8 * plan.widths[data.statements[i].operands[k]]);
    return widest;
  }
  void count_row(int i) {
    per_row += row_bytes(i);
    widest_row = std::max(widest_row, widest_of(i));
  }
  /// Whether nobody writes it out: sums read it where it lies.
  bool is_left_in_place(int i) const { return plan.weighted != nullptr && plan.read_one_by_one[i] == 0; }
  void count_loop(const pass::planned_loop& loop) {
    std::int64_t mine = 0;
    for (int k = loop.first_mode; k < loop.last_mode; ++k) {
      const int i = data.modes[k].at;
      if (is_left_in_place(i)) continue;
      mine += row_bytes(i);
      widest_edge = std::max(widest_edge, widest_of(i));
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = data.loop_results[r].at;
      per_row += row_bytes(a);
      widest_row = std::max(widest_row, 8 * plan.widths[a]);
      if (!is_left_in_place(data.root(data.statements[a].operands[0])))
        widest_edge = std::max(widest_edge, widest_of(a));
    }
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
      if (ir::is_view(data.statements[i]) || is_left_in_place(i)) continue;
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
  std::int64_t per_row = 0, per_edge = 0, widest_row = 0, widest_edge = 0, bytes = 0;
};

}  // namespace

scratch_layout lay_out(const drafted_plan& plan, int unit) { return layout(plan).run(plan.data.units[unit]); }

}  // namespace stg::drafts
