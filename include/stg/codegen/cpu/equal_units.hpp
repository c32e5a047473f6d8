// Units that do the same: they share the kernels of the first of them.
//
// The layers of a model are mostly alike, and so are the units that they become. A kernel names values by number and
// finds them in the call's table of memory. So a later unit runs as the first one that does the same, with a table in
// which the first one's numbers stand for the later one's values, and a model's kernels are as many as it has kinds of
// layers.
//
// Two units are equal where all is equal that a kernel reads of them (grep P::plan and P::program in this folder):
// their steps and loops as they were planned, and every statement that they reach, up to values that lie in memory and
// were made elsewhere. Of those counts what and how long they are, not how they were made. Numbers of values are told
// in the order in which they are come across. Units of a chain are equal together. A mask that is drawn has its own
// random numbers, which are part of it: layers with dropout have units of their own where masks are drawn.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // move

#include <stg/base/room.hpp>          // room_for
#include <stg/base/sequence.hpp>      // sequence
#include <stg/codegen/plan_data.hpp>  // plan_data
#include <stg/ir/program.hpp>         // statement, value_id
#include <stg/pass/plan.hpp>          // planned_unit, planned_loop

namespace stg::cpu {

/// A value of a unit, and the one that stands in its place in the first unit that does the same.
struct renamed_value {
  ir::value_id first = ir::no_value, mine = ir::no_value;
};

/// Of a plan, as data: which unit a unit runs as, and its values there.
struct equal_units {
  const int* first = nullptr;       // by unit: the first that does the same, or itself
  const int* values_end = nullptr;  // by unit: where its values end, those of the unit before being where they begin
  const renamed_value* values = nullptr;
};

namespace detail {

/// All that a kernel reads of a unit, as numbers, and the values that it names, in the order in which they are told.
class unit_form {
 public:
  constexpr unit_form(const codegen::plan_data& of, sequence<int>& numbers) : plan(of), number_of(numbers.first) {}

  /// Units [unit, unit + chained).
  constexpr void tell(int unit) {
    const int end = unit + (plan.units[unit].chained > 1 ? plan.units[unit].chained : 1);
    for (int u = unit; u < end; ++u) mark_made(u);
    for (int u = unit; u < end; ++u) tell_unit(plan.units[u]);
    for (int k = 0; k < values.size(); ++k) tell_value(values.first[k]);  // which adds more of them
    for (ir::value_id i : values) number_of[i] = 0;
    for (ir::value_id i : made) number_of[i] = 0;
  }

  sequence<std::int64_t> told{};
  sequence<ir::value_id> values{};

 private:
  // number_of[i]: 0: not come across; -1: nor that, but the unit makes it; else its number among values plus 1,
  // negative below -1 for what the unit makes
  constexpr void mark(ir::value_id i) {
    if (number_of[i] != 0) return;
    number_of[i] = -1;
    made.push_back(i);
  }
  constexpr void mark_made(int u) {
    const pass::planned_unit& unit = plan.units[u];
    for (int k = unit.first_step; k < unit.last_step; ++k) {
      const pass::step& s = plan.steps[k];
      if (!s.is_loop) {
        mark(s.index);
        continue;
      }
      const pass::planned_loop& l = plan.loops[s.index];
      for (int v = l.first_mode; v < l.last_mode; ++v) mark(plan.modes[v].at);
      for (int r = l.first_result; r < l.last_result; ++r) mark(plan.loop_results[r].at);
    }
  }
  /// A value by its number.
  constexpr void name(ir::value_id i) {
    if (i < 0) {
      told.push_back(-1);
      return;
    }
    int& n = number_of[i];
    if (n == 0 || n == -1) {
      values.push_back(i);
      n = n == 0 ? values.size() : -1 - values.size();
    }
    told.push_back(n);
  }
  constexpr void tell_unit(const pass::planned_unit& unit) {
    told.push_back(static_cast<int>(unit.kind));
    told.push_back(static_cast<int>(unit.side));
    told.push_back(unit.last_step - unit.first_step);
    told.push_back(unit.chained);
    int first_loop = -1;
    for (int k = unit.first_step; k < unit.last_step; ++k) {
      const pass::step& s = plan.steps[k];
      told.push_back(s.is_loop);
      if (!s.is_loop) {
        name(s.index);
        continue;
      }
      if (first_loop < 0) first_loop = s.index;
      tell_loop(plan.loops[s.index], s.index - first_loop, first_loop);
    }
  }
  constexpr void tell_loop(const pass::planned_loop& l, int nth, int first_loop) {
    told.push_back(nth);
    told.push_back(static_cast<int>(l.side));
    told.push_back(l.last_statement - l.first_statement);
    told.push_back(l.last_result - l.first_result);
    told.push_back(l.last_mode - l.first_mode);
    for (int k = l.first_statement; k < l.last_statement; ++k) {
      const pass::planned_value& v = plan.loop_statements[k];
      name(v.at);
      told.push_back(v.level);
      told.push_back(v.kept + 2 * v.in_one_chunk);
      name(v.softmax);
    }
    for (int k = l.first_mode; k < l.last_mode; ++k) {
      name(plan.modes[k].at);
      told.push_back(static_cast<int>(plan.modes[k].mode));
    }
    for (int k = l.first_result; k < l.last_result; ++k) {
      const pass::planned_result& r = plan.loop_results[k];
      name(r.at);
      told.push_back(r.level);
      told.push_back(r.takes_logarithm);
      told.push_back(r.summed_in < 0 ? -1 : r.summed_in - first_loop);
      name(r.over);
    }
  }
  /// A statement. Its operands are told unless it lies in memory and was made elsewhere.
  constexpr void tell_value(ir::value_id i) {
    const ir::statement& s = plan.statements[i];
    const bool is_input = s.code == ir::opcode::input;
    const bool is_given = is_input || (number_of[i] > 0 && (plan.stored[i] || plan.in_block[i]));
    told.push_back(static_cast<int>(s.code));
    told.push_back(static_cast<int>(s.where));
    told.push_back(static_cast<int>(s.type));
    told.push_back(plan.stored[i] + 2 * plan.in_block[i] + 4 * plan.joined[i]);
    told.push_back(s.dims.rank);
    for (int a = 0; a < s.dims.rank; ++a) told.push_back(s.dims.axes[a].code);
    told.push_back(is_input ? 0 : s.attribute);
    told.push_back(s.axis);
    told.push_back(static_cast<std::int64_t>(s.bits()));
    for (int k = 0; k < ir::statement::max_operands && s.operands[k] != ir::no_value && !is_given; ++k)
      name(s.operands[k]);
  }

  const codegen::plan_data& plan;
  int* number_of;  // by value; all 0 before and after
  sequence<ir::value_id> made{};
};

/// The units of a plan that run as others.
struct compared_units {
  sequence<int> first{}, values_end{};
  sequence<renamed_value> values{};
};
constexpr compared_units compare_units(const codegen::plan_data& plan) {
  sequence<int> number_of(plan.size);
  sequence<sequence<std::int64_t>> told;  // of units that are the first of their kind
  sequence<sequence<ir::value_id>> values;
  sequence<int> units;
  compared_units same;
  for (int u = 0; u < plan.unit_count; ++u) {
    const pass::planned_unit& unit = plan.units[u];
    same.first.push_back(unit.chained == 0 ? same.first.back() + 1 : u);  // within a chain as the chain does
    const bool has_kernel = unit.kind == pass::unit_kind::sweep || unit.kind == pass::unit_kind::graph;
    if (unit.chained > 1 || (unit.chained == 1 && has_kernel)) {
      unit_form form(plan, number_of);
      form.tell(u);
      int known = 0;
      while (known < told.size() && !(told[known] == form.told)) ++known;
      if (known < told.size()) {
        same.first.back() = units[known];
        for (int k = 0; k < form.values.size(); ++k) same.values.push_back({values[known][k], form.values[k]});
      } else {
        units.push_back(u);
        told.push_back(std::move(form.told));
        values.push_back(std::move(form.values));
      }
    }
    same.values_end.push_back(same.values.size());
  }
  return same;
}

/// The same as a constant. Where there is no room for all values, every unit runs as itself.
template <int Units, int Values> struct frozen_units {
  int first[room_for(Units)]{};
  int values_end[room_for(Units)]{};
  renamed_value values[room_for(Values)]{};
  bool any = false;

  constexpr explicit frozen_units(const compared_units& same) {
    const bool fits = same.values.size() <= Values;
    for (int u = 0; u < Units; ++u) {
      first[u] = fits ? same.first.first[u] : u;
      values_end[u] = fits ? same.values_end.first[u] : 0;
      any = any || first[u] != u;
    }
    for (int k = 0; k < same.values.size() && fits; ++k) values[k] = same.values.first[k];
  }
};
template <class P>
inline constexpr frozen_units<P::plan.unit_count, 4 * P::program.size + 64> units_of(
    compare_units(codegen::data_of<P>));

}  // namespace detail

}  // namespace stg::cpu
