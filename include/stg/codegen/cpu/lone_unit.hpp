// A unit by itself: everything its kernel knows, without the program around it. Units with the same work are equal, in
// any program, training step or layer.
//
// Its values are numbered in the order of their appearance: steps and loops as they were planned, then each statement's
// operands. Values in memory from other units count by their types and shapes alone; extents bound by a call, and sites
// of random masks, are numbered, too. A call passes its data to a kernel by these numbers.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // move, swap

#include <stg/base/sequence.hpp>      // sequence
#include <stg/codegen/plan_data.hpp>  // plan_data
#include <stg/ir/program.hpp>         // statement, value_id
#include <stg/pass/plan.hpp>          // plan, planned_unit

namespace stg::cpu {

/// Sweeps and graph arithmetic have kernels of their own; all other units are calls of the library.
constexpr bool has_kernel(const pass::planned_unit& unit) {
  return unit.kind == pass::unit_kind::sweep || unit.kind == pass::unit_kind::graph;
}

/// A program of one unit with its plan, and the meaning of its numbers in the original program.
struct lone_unit {
  sequence<ir::statement> statements{};
  pass::plan plan{};
  bool counts_in_f64 = false;       // the program has numbers of 8 bytes: registers have as many lanes as for them
  sequence<ir::value_id> values{};  // by value
  sequence<int> extents{};          // by extent: entries of the program's table
  sequence<std::int64_t> sites{};   // by mask
};

namespace detail {

class unit_cutter {
 public:
  constexpr unit_cutter(const codegen::plan_data& of, int which)
      : from(of), unit(of.units[which]), number_of(of.size), is_made(of.size) {}

  constexpr lone_unit run() {
    mark_made();
    pass::planned_unit u = unit;
    u.first_step = 0;
    u.last_step = unit.last_step - unit.first_step;
    u.chained = 1;
    u.set = u.relation = 0;  // a launch of the unit has its own rows, and the edges if it goes over one relation
    to.plan.units.push_back(u);
    for (int k = unit.first_step; k < unit.last_step; ++k) {
      const pass::step& s = from.steps[k];
      to.plan.steps.push_back({s.is_loop, s.is_loop ? to.plan.loops.size() : name(s.index)});
      if (s.is_loop) add_loop(from.loops[s.index]);
    }
    for (int k = 0; k < to.values.size(); ++k) add_value(to.values[k]);  // appends more of them
    return std::move(to);
  }

 private:
  constexpr void mark_made() {
    for (int k = unit.first_step; k < unit.last_step; ++k) {
      const pass::step& s = from.steps[k];
      if (!s.is_loop) {
        is_made[s.index] = 1;
        continue;
      }
      if (first_loop < 0) first_loop = s.index;
      const pass::planned_loop& l = from.loops[s.index];
      goes_over_several = goes_over_several || l.relation != unit.relation || l.side != unit.side;
      for (int m = l.first_mode; m < l.last_mode; ++m)
        if (from.modes[m].mode != pass::edge_mode::leaf) is_made[from.modes[m].at] = 1;
      for (int r = l.first_result; r < l.last_result; ++r) is_made[from.loop_results[r].at] = 1;
    }
  }
  constexpr ir::value_id name(ir::value_id i) {
    if (i < 0) return ir::no_value;
    if (number_of[i] == 0) {
      to.values.push_back(i);
      number_of[i] = to.values.size();
    }
    return number_of[i] - 1;
  }
  constexpr std::int64_t extent_name(std::int64_t code) {
    if (code >= 0) return code;
    const int entry = static_cast<int>(-1 - code);
    int k = 0;
    while (k < to.extents.size() && to.extents[k] != entry) ++k;
    if (k == to.extents.size()) to.extents.push_back(entry);
    return -1 - k;
  }
  constexpr void add_loop(const pass::planned_loop& l) {
    pass::plan& p = to.plan;
    pass::planned_loop mine;
    mine.side = l.side;
    mine.relation = goes_over_several ? l.relation : 0;
    mine.first_statement = p.loop_statements.size();
    for (int k = l.first_statement; k < l.last_statement; ++k) {
      pass::planned_value v = from.loop_statements[k];
      v.at = name(v.at);
      v.softmax = name(v.softmax);
      p.loop_statements.push_back(v);
    }
    mine.last_statement = p.loop_statements.size();
    mine.first_mode = p.modes.size();
    for (int k = l.first_mode; k < l.last_mode; ++k) add_mode({name(from.modes[k].at), from.modes[k].mode}, mine);
    mine.last_mode = p.modes.size();
    mine.first_result = p.loop_results.size();
    for (int k = l.first_result; k < l.last_result; ++k) {
      pass::planned_result r = from.loop_results[k];
      r.at = name(r.at);
      r.over = name(r.over);
      if (r.summed_in >= 0) r.summed_in -= first_loop;
      p.loop_results.push_back(r);
    }
    mine.last_result = p.loop_results.size();
    p.loops.push_back(mine);
  }
  /// Modes are looked up by value: they stand in ascending order.
  constexpr void add_mode(const pass::value_mode& m, const pass::planned_loop& loop) {
    sequence<pass::value_mode>& all = to.plan.modes;
    all.push_back(m);
    for (int k = all.size() - 1; k > loop.first_mode && all[k].at < all[k - 1].at; --k) std::swap(all[k], all[k - 1]);
  }
  constexpr void add_value(ir::value_id i) {
    const ir::statement& s = from.statements[i];
    const bool is_computed_by_readers = s.code == ir::opcode::constant || s.code == ir::opcode::edge_index;
    const bool is_kept = from.stored[i] || from.in_block[i];
    const bool is_given = s.code == ir::opcode::input || (is_kept && !is_made[i] && !is_computed_by_readers);
    ir::statement mine;
    mine.where = s.where.kind;
    mine.type = s.type;
    mine.dims.rank = s.dims.rank;
    for (int a = 0; a < s.dims.rank; ++a) mine.dims.axes[a].code = extent_name(s.dims.axes[a].code);
    if (is_given) {  // in memory, or in the block at hand, where a chain's products leave it
      mine.code = from.in_block[i] ? ir::opcode::matmul : ir::opcode::input;
    } else {
      mine.code = s.code;
      ir::take_members(mine, s);
      if (ir::attribute_is_extent(s.code)) ir::set_extent_of(mine, ir::extent(extent_name(ir::extent_of(s).code)));
      if (s.code == ir::opcode::keep_mask) mine.set_site(site_name(s.site()));
      for (int k = 0; k < s.arity(); ++k) mine.operands[k] = name(s.operands[k]);
    }
    to.statements.push_back(mine);
    to.plan.stored.push_back(from.stored[i] && !(is_given && !from.in_block[i]));
    to.plan.in_block.push_back(from.in_block[i]);
    to.plan.joined.push_back(from.joined[i] && !is_given);
  }
  constexpr int site_name(int site) {
    to.sites.push_back(site);
    return to.sites.size() - 1;
  }

  const codegen::plan_data& from;
  const pass::planned_unit& unit;
  sequence<int> number_of;  // by value of the program: its number plus 1; 0: not come across
  ir::flags is_made;
  int first_loop = -1;
  bool goes_over_several = false;  // relations, or sides of one
  lone_unit to{};
};

}  // namespace detail

/// Whether a program has numbers of 8 bytes.
constexpr bool has_f64(const codegen::plan_data& plan) {
  for (int i = 0; i < plan.size; ++i)
    if (plan.statements[i].type == scalar_type::f64) return true;
  return false;
}

/// Cuts out a unit that has a kernel. counts_in_f64: of the program, which is asked once for all of its units.
constexpr lone_unit cut_out(const codegen::plan_data& plan, int unit, bool counts_in_f64) {
  lone_unit cut = detail::unit_cutter(plan, unit).run();
  cut.counts_in_f64 = counts_in_f64;
  return cut;
}

}  // namespace stg::cpu
