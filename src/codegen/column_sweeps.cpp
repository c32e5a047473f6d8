// Which sweeps of a plan can be shared by columns.
#include <stg/codegen/column_sweeps.hpp>

#include <algorithm>  // find, sort, unique
#include <utility>    // move

#include <stg/codegen/exchanges.hpp>  // can_be_made_again
#include <stg/codegen/plan_view.hpp>  // is_own_of_edge
#include <stg/ir/fields.hpp>          // takes_part
#include <stg/op/list.hpp>            // info_of

namespace stg::codegen {

namespace {

std::size_t as_index(int i) { return static_cast<std::size_t>(i); }

void add_once(std::vector<int>& to, int i) {
  if (std::find(to.begin(), to.end(), i) == to.end()) to.push_back(i);
}

/// Looks at one unit, as if its columns were of one extent: a value has columns if its first axis is of this length or
/// a multiple of it, and its row holds them one behind the other.
class column_finder {
 public:
  column_finder(const plan_data& plan, const rows_there* there, int unit, std::int64_t columns)
      : plan_(plan), there_(there) {
    found_.unit = unit;
    found_.columns = columns;
    found_.kinds.assign(as_index(plan.size), column_sweep::unread);
  }

  /// Whether the unit can be shared so.
  bool run() {
    find_steps();
    find_records();
    for (int k = found_.first_step; k < found_.last_step && is_right_; ++k) look_at(plan_.steps[k]);
    if (!is_right_ || !has_columns_ || !reads_others_) return false;
    find_made();
    return is_right_;
  }
  column_sweep take() { return std::move(found_); }
  /// The first axes of what the loops read, where the columns may be.
  std::vector<std::int64_t> first_axes() {
    collects_ = true;
    find_steps();
    for (int k = found_.first_step; k < found_.last_step; ++k) look_at(plan_.steps[k]);
    return axes_;
  }

 private:
  const ir::statement& at(int i) const { return plan_.statements[i]; }
  const pass::planned_unit& unit() const { return plan_.units[found_.unit]; }
  void refuse() { is_right_ = collects_; }
  bool is_by_columns(int i) { return kind_of(i) == column_sweep::by_columns; }

  void find_steps() {
    found_.first_step = found_.last_step = unit().first_step;
    bool none = true;
    for (int k = unit().first_step; k < unit().last_step; ++k) {
      if (!plan_.steps[k].is_loop) continue;
      if (none) found_.first_step = k;
      none = false;
      found_.last_step = k + 1;
    }
  }
  bool is_step(int i, int first, int last) const {
    for (int k = first; k < last; ++k)
      if (!plan_.steps[k].is_loop && plan_.steps[k].index == i) return true;
    return false;
  }
  bool is_made_before(int i) const {
    if (at(i).code == ir::opcode::input || is_step(i, unit().first_step, found_.first_step)) return true;
    return plan_.stored[i] && plan_.lifetimes[i].first < found_.unit;
  }
  bool has_columns(const ir::shape& dims) const {
    const int axis = column_axis(dims);
    if (axis < 0) return false;
    const std::int64_t first = dims.axes[axis].code;
    return first == found_.columns || (first > 0 && found_.columns > 0 && first % found_.columns == 0);
  }

  void look_at(const pass::step& step) {
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

  unsigned char kind_of(int i) {
    unsigned char& kind = found_.kinds[as_index(i)];
    if (kind != column_sweep::unread) return kind;
    const unsigned char found = is_right_ ? find_kind(i) : static_cast<unsigned char>(column_sweep::whole);
    if (found == column_sweep::by_columns && !has_columns(at(i).dims)) refuse();
    if (found == column_sweep::record && at(i).where == ir::space::graph) refuse();
    return kind = found;
  }
  unsigned char find_kind(int i) {
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
        if (!pass::reads_own_row(s.code, side_)) look_at_neighbours(plan_.root(s.operands[0]));
        return kind_of(s.operands[0]);
      default:
        refuse();
        return column_sweep::whole;
    }
  }
  void look_at_neighbours(int value) {
    const bool is_input = at(value).code == ir::opcode::input;
    const bool is_there = is_input && (there_ == nullptr || there_[at(value).entry()] == rows_there::all);
    reads_others_ = reads_others_ || !(is_there || can_be_made_again(plan_, value, there_));
  }
  unsigned char kind_of_given(int i) {
    if (const int axis = column_axis(at(i).dims); axis >= 0) axes_.push_back(at(i).dims.axes[axis].code);
    if (at(i).where != ir::space::graph) add_once(found_.read, i);
    for (const column_sweep::packed_value& r : found_.records)
      if (r.value == i) return column_sweep::record;
    return has_columns(at(i).dims) ? column_sweep::by_columns : column_sweep::whole;
  }
  unsigned char kind_of_source(int i) {
    const ir::statement& s = at(i);
    if (!has_columns(s.dims)) return column_sweep::whole;
    if (s.code == ir::opcode::iota || (s.code == ir::opcode::keep_mask && plan_.stored[i])) refuse();
    return column_sweep::by_columns;
  }
  bool any_by_columns(const ir::statement& s) {
    bool any = false;
    for (int k = 0; k < s.arity(); ++k) {
      any = is_by_columns(s.operands[k]) || any;
      if (kind_of(s.operands[k]) == column_sweep::record) refuse();  // slices alone read it
    }
    return any;
  }
  /// An operand without columns is the same for all of them, or refuses to be.
  unsigned char kind_of_pointwise(const ir::statement& s) {
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
  unsigned char kind_of_feature(const ir::statement& s) {
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

  bool is_part_of_record(const ir::statement& s) {
    return ir::takes_part(s.code) && s.part_axis() == 0 && kind_of(s.operands[0]) == column_sweep::record;
  }
  /// The value in memory that a slice of a neighbour's row is of, or -1.
  int value_of_part(const ir::statement& s) const {
    if (!ir::takes_part(s.code) || s.where != ir::space::edge || s.part_axis() != 0 || s.dims.rank != 1) return -1;
    const ir::statement& x = at(s.operands[0]);
    if (op::info_of(x.code).kind != op::category::gather || x.dims.axes[0].code < 0) return -1;
    const int of = plan_.root(x.operands[0]);
    return is_made_before(of) && s.beginning().code >= 0 ? of : -1;
  }
  /// Values of which the loops read slices alone: `pack` puts several values of vertices side by side.
  void find_records() {
    for (int k = found_.first_step; k < found_.last_step; ++k) {
      if (!plan_.steps[k].is_loop) continue;
      const pass::planned_loop& loop = plan_.loops[plan_.steps[k].index];
      for (int m = loop.first_mode; m < loop.last_mode; ++m) add_part(at(plan_.modes[m].at));
    }
    for (column_sweep::packed_value& r : found_.records) {
      std::sort(r.parts.begin(), r.parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t k = 1; k < r.parts.size(); ++k)
        if (r.parts[k - 1].first + r.parts[k - 1].length > r.parts[k].first) refuse();
    }
  }
  void add_part(const ir::statement& s) {
    const int value = value_of_part(s);
    if (value < 0) return;
    const column_sweep::part mine{s.beginning().code, s.dims.axes[0].code, has_columns(s.dims)};
    for (column_sweep::packed_value& r : found_.records) {
      if (r.value != value) continue;
      if (std::find(r.parts.begin(), r.parts.end(), mine) == r.parts.end()) r.parts.push_back(mine);
      return;
    }
    found_.records.push_back({value, {mine}});
  }

  // ---- values between steps ----

  void find_made() {
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
      const bool is_read = std::find(found_.read.begin(), found_.read.end(), i) != found_.read.end();
      if (!plan_.stored[i] && (is_read || is_read_by(i, found_.last_step, last))) add_once(found_.kept, i);
    }
  }
  bool is_read_by(int i, int first, int last) const {
    for (int k = first; k < last; ++k) {
      const ir::statement& s = at(plan_.steps[k].index);
      for (int o = 0; o < s.arity(); ++o)
        if (plan_.root(s.operands[o]) == i) return true;
    }
    return false;
  }

  const plan_data& plan_;
  const rows_there* there_;
  column_sweep found_{};
  pass::sweep_side side_ = pass::sweep_side::none;
  std::vector<std::int64_t> axes_{};
  bool collects_ = false, is_right_ = true, has_columns_ = false, reads_others_ = false;
};

/// Looks for the largest number of columns that a unit can be shared by.
void find_columns(const plan_data& plan, const rows_there* there, int unit, std::vector<column_sweep>& to) {
  std::vector<std::int64_t> axes = column_finder(plan, there, unit, 1).first_axes();
  std::sort(axes.begin(), axes.end(), [](std::int64_t a, std::int64_t b) { return a > b; });
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  for (const std::int64_t columns : axes) {
    column_finder by(plan, there, unit, columns);
    if (columns == 1 || !by.run()) continue;
    to.push_back(by.take());
    return;
  }
}

}  // namespace

std::vector<column_sweep> column_sweeps_of(const plan_data& plan, const rows_there* there) {
  std::vector<column_sweep> found;
  for (int unit = 0; unit < plan.unit_count; ++unit) {
    const pass::planned_unit& u = plan.units[unit];
    const bool goes_along_edges = u.kind == pass::unit_kind::sweep && u.side != pass::sweep_side::none;
    if (goes_along_edges && u.chained == 1 && u.set == 0 && u.relation == 0) find_columns(plan, there, unit, found);
  }
  return found;
}

int column_axis(const ir::shape& dims) {
  for (int a = 0; a < dims.rank; ++a)
    if (dims.axes[a].code != 1) return a;
  return -1;
}

namespace {

/// The parts of a record, null of other values; of a gather those of what it gathers.
const std::vector<column_sweep::part>* parts_of(const plan_data& plan, const column_sweep& sweep, int i) {
  if (sweep.kind_of(i) != column_sweep::record) return nullptr;
  while (op::info_of(plan.statements[i].code).kind == op::category::gather)
    i = plan.root(plan.statements[i].operands[0]);
  for (const column_sweep::packed_value& r : sweep.records)
    if (r.value == i) return &r.parts;
  return nullptr;
}
column_sweep::part share_of_part(const column_sweep::part& of, std::int64_t columns, column_share share) {
  if (!of.has_columns || columns == 0) return of;
  const std::int64_t of_column = of.length / columns;
  return {of.first + share.first * of_column, (share.last - share.first) * of_column, true};
}

}  // namespace

row_pieces pieces_of(const plan_data& plan, const column_sweep& sweep, int value, column_share share,
                     const std::int64_t* extents) {
  const std::int64_t columns = extent_of(sweep.columns, extents);
  const std::int64_t row = axes_product(plan, value, 0, plan.statements[value].dims.rank, extents);
  const std::vector<column_sweep::part> all{{0, row, sweep.has_columns(value)}};
  const std::vector<column_sweep::part>* const parts = parts_of(plan, sweep, value);
  const std::int64_t bytes = bytes_of(plan.statements[value].type);
  row_pieces pieces;
  for (const column_sweep::part& p : parts == nullptr ? all : *parts) {
    const column_sweep::part mine = share_of_part(p, columns, share);
    pieces.all.push_back({mine.first * bytes, mine.length * bytes});
    pieces.bytes += mine.length * bytes;
  }
  return pieces;
}

std::vector<ir::statement> statements_of_share(const plan_data& plan, const column_sweep& sweep, column_share share,
                                               const std::int64_t* extents) {
  const std::int64_t columns = extent_of(sweep.columns, extents);
  std::vector<ir::statement> all(plan.statements, plan.statements + plan.size);
  for (int i = 0; i < plan.size; ++i) {
    ir::statement& s = all[as_index(i)];
    if (const auto* const parts = parts_of(plan, sweep, i)) {
      s.dims.axes[0].code = pieces_of(plan, sweep, i, share, extents).bytes / bytes_of(s.type);
      continue;
    }
    const bool is_part = ir::takes_part(s.code) && sweep.kind_of(i) != column_sweep::unread;
    if (const auto* const parts = is_part ? parts_of(plan, sweep, s.operands[0]) : nullptr) {
      std::int64_t before = 0;
      for (const column_sweep::part& p : *parts)
        if (p.first < s.beginning().code) before += share_of_part(p, columns, share).length;
      s.set_beginning(ir::extent(before));
    }
    if (!sweep.has_columns(i) || columns == 0) continue;
    ir::extent& axis = s.dims.axes[column_axis(s.dims)];
    axis.code = extent_of(axis.code, extents) / columns * (share.last - share.first);
  }
  return all;
}

}  // namespace stg::codegen
