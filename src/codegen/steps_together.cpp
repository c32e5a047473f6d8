// Which scans are no more than rows.
#include "steps_together.hpp"

#include <algorithm>  // clamp
#include <vector>     // vector

#include <stg/op/list.hpp>  // info_of

#include "../runtime/memory/kept_lists.hpp"  // kept_lists

namespace stg::codegen {

namespace {

/// What a value of a step is when the rows of several steps lie one behind the other.
enum class kind : unsigned char {
  other,  // something else than it would be of one step
  same,   // of the graph, and the same at all steps
  row,    // of a vertex, computed from its row
  sum,    // linear in sums over rows
  total   // the sum so far, or that and a sum
};

/// What is known of a step's values.
struct known_kinds {
  std::vector<kind> of;                 // by statement
  std::vector<int> total_of;            // the same: of a total, which carried value it is
  std::vector<unsigned char> has_each;  // by entry of the step's inputs, from the last one on: a value for each step
};

class step_kinds {
 public:
  step_kinds(const plan_data& around, int at, const plan_data& repeated)
      : step(repeated), carried(around.statements[at].carried()) {
    known->of.assign(index(step.size), kind::other);
    known->total_of.assign(index(step.size), -1);
    known->has_each.clear();
    for (int k = around.statements[at].operands[0]; around.statements[k].code == ir::opcode::bind;
         k = around.statements[k].operands[0])
      known->has_each.push_back(around.statements[around.statements[k].operands[1]].is_sequence());
    for (int i = 0; i < step.size; ++i)
      kind_at(i) = step.statements[i].code == ir::opcode::input ? kind_of_input(i) : kind_of(i);
  }

  bool are_rows() const {
    for (int k = 0; k < step.output_count; ++k) {
      const int i = step.outputs[k].at;
      if (k < carried ? kind_at(i) != kind::total || total_of(i) != k : kind_at(i) != kind::row) return false;
    }
    return step.output_count > 0;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  kind& kind_at(int i) const { return known->of[index(i)]; }
  int& total_of(int i) const { return known->total_of[index(i)]; }

  kind kind_of_input(int i) {
    const ir::statement& s = step.statements[i];
    const bool is_of_graph = s.where == ir::space::graph;
    if (s.is_sequence()) return kind::other;
    if (s.entry() < carried) {
      total_of(i) = s.entry();
      return is_of_graph ? kind::total : kind::other;
    }
    if (known->has_each[known->has_each.size() - 1 - index(s.entry())])
      return s.where == ir::space::vertex ? kind::row : kind::other;
    return is_of_graph ? kind::same : kind::other;
  }

  bool are_all(const ir::statement& s, kind a, kind b) const {
    for (int k = 0; k < s.arity(); ++k)
      if (const kind x = kind_at(s.operands[k]); x != a && x != b) return false;
    return true;
  }
  kind kind_of(int i) {
    const ir::statement& s = step.statements[i];
    const bool of_rows = s.where == ir::space::vertex;
    if (s.where == ir::space::edge || s.is_sequence()) return kind::other;
    switch (s.code) {
      case ir::opcode::constant:
      case ir::opcode::extent_value:
      case ir::opcode::iota:
        return of_rows ? kind::row : kind::same;
      case ir::opcode::sum_vertices:
        return kind_at(s.operands[0]) == kind::row ? kind::sum : kind::other;
      case ir::opcode::scatter_sum:
      case ir::opcode::reduced_matmul:
        return are_all(s, kind::row, kind::row) ? kind::sum : kind::other;
      case ir::opcode::add:
        if (of_rows) break;
        if (are_all(s, kind::sum, kind::sum)) return kind::sum;
        return total(i, s);
      case ir::opcode::mul:
        if (!of_rows && is_of(s, kind::sum, kind::same)) return kind::sum;
        break;
      case ir::opcode::div:
        if (!of_rows && kind_at(s.operands[0]) == kind::sum && kind_at(s.operands[1]) == kind::same) return kind::sum;
        break;
      case ir::opcode::negate:
      case ir::opcode::broadcast_to:
      case ir::opcode::reduce_sum:
        if (!of_rows && kind_at(s.operands[0]) == kind::sum) return kind::sum;
        break;
      default:
        if (op::keeps_all(op::info_of(s.code).moves) && !of_rows && kind_at(s.operands[0]) == kind::sum)
          return kind::sum;
        break;
    }
    const op::category what = op::info_of(s.code).kind;
    const bool is_by_row =
        what == op::category::pointwise || what == op::category::feature || s.code == ir::opcode::matmul;
    if (!is_by_row || !pass::may_keep(s.code)) return kind::other;
    if (of_rows) return are_all(s, kind::row, kind::same) ? kind::row : kind::other;
    return are_all(s, kind::same, kind::same) ? kind::same : kind::other;
  }
  bool is_of(const ir::statement& s, kind a, kind b) const {
    const kind x = kind_at(s.operands[0]), y = kind_at(s.operands[1]);
    return (x == a && y == b) || (x == b && y == a);
  }
  /// The sum so far and a sum.
  kind total(int i, const ir::statement& s) {
    if (!is_of(s, kind::total, kind::sum)) return are_all(s, kind::same, kind::same) ? kind::same : kind::other;
    const int before = kind_at(s.operands[0]) == kind::total ? s.operands[0] : s.operands[1];
    if (step.statements[before].code != ir::opcode::input) return kind::other;
    total_of(i) = total_of(before);
    return kind::total;
  }

  stg::detail::kept_lists<known_kinds> known;
  const plan_data& step;
  int carried;
};

}  // namespace

bool may_run_together(const plan_data& around, int at, const step_program& repeated) {
  if (repeated.reads_edges || repeated.on_device || ir::is_call(around.statements[at])) return false;
  return step_kinds(around, at, *repeated.data).are_rows();
}

std::int64_t steps_together(const plan_data& around, int at, const step_program& repeated, const graph_view& graph,
                            std::int64_t steps) {
  const std::int64_t rows = around.by.rows_together;  // whose values, some hundred bytes each, stay in a cache
  if (steps < 2 || graph.kinds != nullptr || graph.ranks != nullptr || 2 * graph.vertices > rows || graph.vertices == 0)
    return 1;
  return may_run_together(around, at, repeated) ? std::clamp(rows / graph.vertices, std::int64_t{1}, steps) : 1;
}

}  // namespace stg::codegen
