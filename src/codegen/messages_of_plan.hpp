// What a plan says of its messages by hand, for their run and for the agreement of ranks.
#pragma once

#include <stg/codegen/exchanges.hpp>  // chain_of
#include <stg/codegen/messages.hpp>   // message_of

#include <cstddef>  // size_t
#include <vector>   // vector

namespace stg::codegen {

inline bool is_message(const plan_data& plan, int unit) { return plan.units[unit].kind == pass::unit_kind::message; }

/// The value of a message: the sent one, or the one that comes.
inline int value_of(const plan_data& plan, int i) {
  const ir::statement& s = plan.statements[i];
  return s.code == ir::opcode::receive ? i : plan.root(s.operands[0]);
}
inline std::int64_t bytes_of_message(const plan_data& plan, int i, const launch& l) {
  return bytes_of_row(plan, value_of(plan, i), l.extents);
}

/// Finds the first unit that reads a value which a message brings.
class first_reader {
 public:
  explicit first_reader(const plan_data& plan) : plan_(plan), seen_(static_cast<std::size_t>(plan.size), -1) {}

  /// The number of units if there is none.
  int of(int value, int made_by) {
    for (int unit = made_by + 1; unit < plan_.unit_count; ++unit)
      if (reads(unit, value)) return chain_of(plan_, unit);  // it runs with the first unit of its chain
    return plan_.unit_count;
  }

 private:
  bool reads(int unit, int value) {
    ++look_;
    const pass::planned_unit& u = plan_.units[unit];
    for (int k = u.first_step; k < u.last_step; ++k) {
      const pass::step& step = plan_.steps[k];
      if (!step.is_loop) {
        if (computes_of(step.index, value)) return true;
        continue;
      }
      const pass::planned_loop& loop = plan_.loops[step.index];
      for (int r = loop.first_statement; r < loop.last_statement; ++r)
        if (computes_of(plan_.loop_statements[r].at, value)) return true;
      for (int r = loop.first_result; r < loop.last_result; ++r)
        if (computes_of(plan_.loop_results[r].at, value)) return true;
    }
    return false;
  }
  /// Whether statement i is computed from the value within this unit. A message before another one is no number.
  bool computes_of(int i, int value) {
    const ir::statement& s = plan_.statements[i];
    const int last = s.arity() - ir::is_message(s.code);
    for (int k = 0; k < last; ++k) {
      const int x = plan_.root(s.operands[k]);
      if (x == value) return true;
      if (plan_.stored[x] || plan_.statements[x].code == ir::opcode::input ||
          seen_[static_cast<std::size_t>(x)] == look_)
        continue;
      seen_[static_cast<std::size_t>(x)] = look_;
      if (computes_of(x, value)) return true;
    }
    return false;
  }

  const plan_data& plan_;
  std::vector<int> seen_;
  int look_ = 0;
};

}  // namespace stg::codegen
