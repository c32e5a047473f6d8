// Finds the columns that ranks can share a sweep by, and writes the sweep's statements for a share of them: when a call
// runs, and when a program is compiled that has kernels for shares.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // move, swap

#include <stg/base/sequence.hpp>          // sequence
#include <stg/codegen/column_sweeps.hpp>  // column_sweep
#include <stg/codegen/plan_data.hpp>      // plan_data
#include <stg/codegen/plan_view.hpp>      // is_own_of_edge
#include <stg/ir/fields.hpp>              // takes_part
#include <stg/op/list.hpp>                // info_of

namespace stg::codegen {

namespace finding {

template <class T> constexpr bool is_among(const sequence<T>& all, const T& x) {
  for (const T& one : all)
    if (one == x) return true;
  return false;
}
template <class T> constexpr void add_once(sequence<T>& to, const T& x) {
  if (!is_among(to, x)) to.push_back(x);
}

/// Looks at one unit, as if its columns were of one extent: a value has columns if its first axis is of this length or
/// a multiple of it, and its row holds them one behind the other.
class column_finder {
 public:
  constexpr column_finder(const plan_data& plan, int unit, std::int64_t columns) : plan_(plan) {
    found_.unit = unit;
    found_.columns = columns;
    found_.kinds = sequence<unsigned char>(plan.size);  // unread
  }

  /// Whether the unit can be shared so.
  constexpr bool run() {
    find_steps();
    find_records();
    for (int k = found_.first_step; k < found_.last_step && is_right_; ++k) look_at(plan_.steps[k]);
    if (!is_right_ || !has_columns_) return false;
    find_made();
    return is_right_;
  }
  constexpr column_sweep take() { return std::move(found_); }
  /// The first axes of what the loops read, where the columns may be.
  constexpr sequence<std::int64_t> first_axes() {
    collects_ = true;
    find_steps();
    for (int k = found_.first_step; k < found_.last_step; ++k) look_at(plan_.steps[k]);
    return axes_;
  }

 private:
  constexpr const ir::statement& at(int i) const { return plan_.statements[i]; }
  constexpr const pass::planned_unit& unit() const { return plan_.units[found_.unit]; }
  constexpr void refuse() { is_right_ = collects_; }
  constexpr bool is_by_columns(int i) { return kind_of(i) == column_sweep::by_columns; }

  constexpr void find_steps() {
    found_.first_step = found_.last_step = unit().first_step;
    bool none = true;
    for (int k = unit().first_step; k < unit().last_step; ++k) {
      if (!plan_.steps[k].is_loop) continue;
      if (none) found_.first_step = k;
      none = false;
      found_.last_step = k + 1;
    }
  }
  constexpr bool is_step(int i, int first, int last) const {
    for (int k = first; k < last; ++k)
      if (!plan_.steps[k].is_loop && plan_.steps[k].index == i) return true;
    return false;
  }
  constexpr bool is_made_before(int i) const {
    if (at(i).code == ir::opcode::input || is_step(i, unit().first_step, found_.first_step)) return true;
    return plan_.stored[i] && plan_.lifetimes[i].first < found_.unit;
  }
  constexpr bool has_columns(const ir::shape& dims) const {
    const int axis = column_axis(dims);
    if (axis < 0) return false;
    const std::int64_t first = dims.axes[axis].code;
    return first == found_.columns || (first > 0 && found_.columns > 0 && first % found_.columns == 0);
  }

  constexpr void look_at(const pass::step& step) {
    if (!step.is_loop) {
      (void)kind_of(step.index);
      return;
    }
    const pass::planned_loop& loop = plan_.loops[step.index];
    side_ = loop.side;
    if (loop.side != unit().side || loop.relation != 0) return refuse();
    for (int m = loop.first_mode; m < loop.last_mode; ++m) {
      const int i = plan_.modes[m].at;
      const bool is_of_other_unit = plan_.stored[i] && plan_.lifetimes[i].first < found_.unit;
      const bool is_gather = op::info_of(at(i).code).kind == op::category::gather;
      if (is_of_other_unit && !is_gather && !is_own_of_edge(at(i))) return refuse();
      (void)kind_of(i);
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = plan_.loop_results[r].at;
      if (at(a).where == ir::space::edge && side_ == pass::sweep_side::out) return refuse();
      if (is_by_columns(a)) has_columns_ = true;
    }
  }

  constexpr unsigned char kind_of(int i) {
    unsigned char& kind = found_.kinds[i];
    if (kind != column_sweep::unread) return kind;
    const unsigned char found = is_right_ ? find_kind(i) : static_cast<unsigned char>(column_sweep::whole);
    if (found == column_sweep::by_columns && !has_columns(at(i).dims)) refuse();
    if (found == column_sweep::record && at(i).where == ir::space::graph) refuse();
    return kind = found;
  }
  constexpr unsigned char find_kind(int i) {
    const ir::statement& s = at(i);
    if (s.is_sequence() || s.where.set != 0) refuse();
    if (ir::is_view(s)) {
      if (kind_of(s.operands[0]) == column_sweep::record) refuse();
      return kind_of(s.operands[0]);
    }
    const op::category kind = op::info_of(s.code).kind;
    const bool is_edges = s.where == ir::space::edge;
    if (is_edges ? is_own_of_edge(s) : is_made_before(i)) return kind_of_given(i);
    if (s.where == ir::space::graph && kind != op::category::source) refuse();
    switch (kind) {
      case op::category::source:
        return kind_of_source(i);
      case op::category::pointwise:
        return kind_of_pointwise(s);
      case op::category::feature:
        return kind_of_feature(s);
      case op::category::aggregate:
        if (kind_of(s.operands[0]) == column_sweep::record) refuse();
        return kind_of(s.operands[0]);
      case op::category::gather:
        if (!pass::reads_own_row(s.code, side_)) add_once(found_.neighbours, plan_.root(s.operands[0]));
        return kind_of(s.operands[0]);
      default:
        refuse();
        return column_sweep::whole;
    }
  }
  constexpr unsigned char kind_of_given(int i) {
    if (const int axis = column_axis(at(i).dims); axis >= 0) axes_.push_back(at(i).dims.axes[axis].code);
    if (at(i).where != ir::space::graph) add_once(found_.read, i);
    for (const column_sweep::packed_value& r : found_.records)
      if (r.value == i) return column_sweep::record;
    return has_columns(at(i).dims) ? column_sweep::by_columns : column_sweep::whole;
  }
  constexpr unsigned char kind_of_source(int i) {
    const ir::statement& s = at(i);
    if (!has_columns(s.dims)) return column_sweep::whole;
    if (s.code == ir::opcode::iota || (s.code == ir::opcode::keep_mask && plan_.stored[i])) refuse();
    return column_sweep::by_columns;
  }
  constexpr bool any_by_columns(const ir::statement& s) {
    bool any = false;
    for (int k = 0; k < s.arity(); ++k) {
      any = is_by_columns(s.operands[k]) || any;
      if (kind_of(s.operands[k]) == column_sweep::record) refuse();  // slices alone read it
    }
    return any;
  }
  /// An operand without columns is the same for all of them, or refuses to be.
  constexpr unsigned char kind_of_pointwise(const ir::statement& s) {
    if (!any_by_columns(s)) return column_sweep::whole;
    const int axis = column_axis(s.dims);
    for (int k = 0; k < s.arity(); ++k) {
      const ir::shape& dims = at(s.operands[k]).dims;
      const int theirs = axis - (s.dims.rank - dims.rank);  // the same axis of the operand
      if (is_by_columns(s.operands[k])) {
        if (theirs < 0 || dims.axes[theirs] != s.dims.axes[axis]) refuse();
      } else if (theirs >= 0 && dims.axes[theirs].code != 1) {
        refuse();
      }
    }
    return column_sweep::by_columns;
  }
  constexpr unsigned char kind_of_feature(const ir::statement& s) {
    if (is_part_of_record(s)) return has_columns(s.dims) ? column_sweep::by_columns : column_sweep::whole;
    if (!any_by_columns(s)) return column_sweep::whole;
    const int axis = column_axis(at(s.operands[0]).dims);
    for (int k = 0; k < s.arity(); ++k)
      if (!is_by_columns(s.operands[k]) || column_axis(at(s.operands[k]).dims) != axis) refuse();
    switch (op::info_of(s.code).moves) {
      case op::movement::none:
        if (s.reduces(axis)) refuse();
        break;
      case op::movement::swap:
        if (s.swapped_axis() <= axis || s.other_axis() <= axis) refuse();
        break;
      case op::movement::runs:
        if (s.part_axis() <= axis) refuse();
        break;
      default:
        refuse();
    }
    return column_sweep::by_columns;
  }

  // ---- records ----

  constexpr bool is_part_of_record(const ir::statement& s) {
    return ir::takes_part(s.code) && s.part_axis() == 0 && kind_of(s.operands[0]) == column_sweep::record;
  }
  /// The value in memory that a slice of a neighbour's row is of, or -1.
  constexpr int value_of_part(const ir::statement& s) const {
    if (!ir::takes_part(s.code) || s.where != ir::space::edge || s.part_axis() != 0 || s.dims.rank != 1) return -1;
    const ir::statement& x = at(s.operands[0]);
    if (op::info_of(x.code).kind != op::category::gather || x.dims.axes[0].code < 0) return -1;
    const int of = plan_.root(x.operands[0]);
    return is_made_before(of) && s.beginning().code >= 0 ? of : -1;
  }
  /// Values of which the loops read slices alone: `pack` puts several values of vertices side by side.
  constexpr void find_records() {
    for (int k = found_.first_step; k < found_.last_step; ++k) {
      if (!plan_.steps[k].is_loop) continue;
      const pass::planned_loop& loop = plan_.loops[plan_.steps[k].index];
      for (int m = loop.first_mode; m < loop.last_mode; ++m) add_part(at(plan_.modes[m].at));
    }
    for (column_sweep::packed_value& r : found_.records) {
      for (int k = 1; k < r.parts.size(); ++k)  // in ascending order
        for (int at = k; at > 0 && r.parts[at].first < r.parts[at - 1].first; --at)
          std::swap(r.parts[at], r.parts[at - 1]);
      for (int k = 1; k < r.parts.size(); ++k)
        if (r.parts[k - 1].first + r.parts[k - 1].length > r.parts[k].first) refuse();
    }
  }
  constexpr void add_part(const ir::statement& s) {
    const int value = value_of_part(s);
    if (value < 0) return;
    const column_sweep::part mine{s.beginning().code, s.dims.axes[0].code, has_columns(s.dims)};
    for (column_sweep::packed_value& r : found_.records) {
      if (r.value != value) continue;
      add_once(r.parts, mine);
      return;
    }
    found_.records.push_back({value, sequence<column_sweep::part>{mine}});
  }

  // ---- values between steps ----

  constexpr void find_made() {
    const int last = unit().last_step;
    const auto add = [&](int i) {
      if (plan_.stored[i] || is_read_by(i, found_.last_step, last)) add_once(found_.made, i);
    };
    for (int k = found_.first_step; k < found_.last_step; ++k) {
      const pass::step& step = plan_.steps[k];
      if (!step.is_loop) {
        add(step.index);
        continue;
      }
      const pass::planned_loop& loop = plan_.loops[step.index];
      for (int r = loop.first_result; r < loop.last_result; ++r) add(plan_.loop_results[r].at);
    }
    for (const int i : found_.made)
      if (!plan_.stored[i]) add_once(found_.kept, i);
    for (int k = unit().first_step; k < found_.first_step; ++k) {
      const int i = plan_.steps[k].index;
      const bool is_read = is_among(found_.read, i);
      if (!plan_.stored[i] && (is_read || is_read_by(i, found_.last_step, last))) add_once(found_.kept, i);
    }
  }
  constexpr bool is_read_by(int i, int first, int last) const {
    for (int k = first; k < last; ++k) {
      const ir::statement& s = at(plan_.steps[k].index);
      for (int o = 0; o < s.arity(); ++o)
        if (plan_.root(s.operands[o]) == i) return true;
    }
    return false;
  }

  const plan_data& plan_;
  column_sweep found_{};
  pass::sweep_side side_ = pass::sweep_side::none;
  sequence<std::int64_t> axes_{};
  bool collects_ = false, is_right_ = true, has_columns_ = false;
};

/// The parts of a record, null of other values; of a gather those of what it gathers.
constexpr const sequence<column_sweep::part>* parts_of(const plan_data& plan, const column_sweep& sweep, int i) {
  if (sweep.kind_of(i) != column_sweep::record) return nullptr;
  while (op::info_of(plan.statements[i].code).kind == op::category::gather)
    i = plan.root(plan.statements[i].operands[0]);
  for (const column_sweep::packed_value& r : sweep.records)
    if (r.value == i) return &r.parts;
  return nullptr;
}
constexpr column_sweep::part share_of_part(const column_sweep::part& of, std::int64_t columns, column_share share) {
  if (!of.has_columns || columns == 0) return of;
  const std::int64_t of_column = of.length / columns;
  return {of.first + share.first * of_column, (share.last - share.first) * of_column, true};
}

}  // namespace finding

/// The sweep of a unit by as many columns as it can be shared by; of no columns where it cannot. It need not read rows
/// of other ranks.
constexpr column_sweep column_sweep_of(const plan_data& plan, int unit) {
  const pass::planned_unit& u = plan.units[unit];
  const bool goes_along_edges = u.kind == pass::unit_kind::sweep && u.side != pass::sweep_side::none;
  if (!goes_along_edges || u.chained != 1 || u.set != 0 || u.relation != 0) return {};
  sequence<std::int64_t> axes = finding::column_finder(plan, unit, 1).first_axes();
  while (!axes.empty()) {
    int largest = 0;
    for (int k = 1; k < axes.size(); ++k) largest = axes[k] > axes[largest] ? k : largest;
    const std::int64_t columns = axes[largest];
    sequence<std::int64_t> others;
    for (const std::int64_t axis : axes)
      if (axis != columns) others.push_back(axis);
    axes = std::move(others);
    finding::column_finder by(plan, unit, columns);
    if (columns != 1 && by.run()) return by.take();
  }
  return {};
}

/// The statements of a plan where values have a share of their columns.
constexpr sequence<ir::statement> statements_of_share(const plan_data& plan, const column_sweep& sweep,
                                                      column_share share, const std::int64_t* extents) {
  const std::int64_t columns = extent_of(sweep.columns, extents);
  sequence<ir::statement> all;
  for (int i = 0; i < plan.size; ++i) all.push_back(plan.statements[i]);
  for (int i = 0; i < plan.size; ++i) {
    ir::statement& s = all[i];
    if (const auto* const parts = finding::parts_of(plan, sweep, i)) {
      s.dims.axes[0].code = 0;
      for (const column_sweep::part& p : *parts)
        s.dims.axes[0].code += finding::share_of_part(p, columns, share).length;
      continue;
    }
    const bool is_part = ir::takes_part(s.code) && sweep.kind_of(i) != column_sweep::unread;
    if (const auto* const parts = is_part ? finding::parts_of(plan, sweep, s.operands[0]) : nullptr) {
      std::int64_t before = 0;
      for (const column_sweep::part& p : *parts)
        if (p.first < s.beginning().code) before += finding::share_of_part(p, columns, share).length;
      s.set_beginning(ir::extent(before));
    }
    if (!sweep.has_columns(i) || columns == 0) continue;
    ir::extent& axis = s.dims.axes[column_axis(s.dims)];
    axis.code = extent_of(axis.code, extents) / columns * (share.last - share.first);
  }
  return all;
}

}  // namespace stg::codegen
