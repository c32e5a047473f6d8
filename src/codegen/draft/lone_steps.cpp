// Steps of a sweep by themselves.
#include "lone_steps.hpp"

#include <algorithm>  // any_of, find

#include <stg/codegen/cpu/swept_rows.hpp>  // swept_rows
#include <stg/codegen/draft/made.hpp>      // values_read_one_by_one
#include <stg/runtime/parallel.hpp>        // parallel_in_slots

namespace stg::drafts {

lone_steps::lone_steps(const plan_data& of, int unit, int first_step, int last_step, const std::vector<int>& kept)
    : statements_(of.statements, of.statements + of.size),
      stored_(of.stored, of.stored + of.size),
      unit_(of.units[unit]),
      data_(of) {
  for (const int i : kept) stored_[static_cast<std::size_t>(i)] = 1;
  unit_.first_step = first_step;
  unit_.last_step = last_step;
  data_.statements = statements_.data();
  data_.stored = stored_.data();
  data_.units = &unit_;
  data_.unit_count = 1;
  find_weighted();
  find_read();
}

namespace {

/// Whether a value has one number for each of some first axes of another: both at their ends, which it has no more of.
bool is_for_first_axes(const ir::shape& of, const ir::shape& dims) {
  if (of.rank == 0) return true;
  if (of.rank != dims.rank) return false;
  int a = 0;
  while (a < of.rank && of.axes[a] == dims.axes[a]) ++a;
  while (a < of.rank && of.axes[a].code == 1) ++a;
  return a == of.rank;
}

}  // namespace

/// Sums of the loops, of products of which one factor is a neighbour's row.
void lone_steps::find_weighted() {
  for (int k = unit_.first_step; k < unit_.last_step; ++k) {
    if (!data_.steps[k].is_loop) continue;
    const pass::planned_loop& loop = data_.loops[data_.steps[k].index];
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = data_.loop_results[r].at;
      const ir::statement &s = data_.statements[a], &x = data_.statements[s.operands[0]];
      if (s.code != ir::opcode::sum_edges || (s.type != f32 && s.type != f64) || x.code != ir::opcode::mul) continue;
      for (const int factor : {0, 1}) {
        const int row = data_.root(x.operands[factor]), weight = x.operands[1 - factor];
        const ir::statement &g = data_.statements[row], &w = data_.statements[weight];
        const bool is_neighbour = op::info_of(g.code).kind == op::category::gather &&
                                  !pass::reads_own_row(g.code, loop.side) && g.dims == x.dims;
        if (!is_neighbour || w.where != ir::space::edge || !is_for_first_axes(w.dims, x.dims)) continue;
        weighted_.push_back({a, weight, data_.root(g.operands[0])});
        break;
      }
    }
  }
}

/// Values that are written out: all that others read, but products that sums take apart, and rows that these alone
/// read.
void lone_steps::find_read() {
  read_ = values_read_one_by_one(data_);
  const ir::flags read = read_;
  std::vector<int> products;
  for (const weighted_sum& w : weighted_) {
    products.push_back(data_.root(data_.statements[w.aggregate].operands[0]));
    read_[products.back()] = 0;
  }
  const auto is_product = [&](int i) { return std::find(products.begin(), products.end(), i) != products.end(); };
  for (const int p : products)
    for (const int x : data_.statements[p].operands)
      if (x >= 0) read_[data_.root(x)] = 0;
  for (int k = unit_.first_step; k < unit_.last_step; ++k) {
    if (!data_.steps[k].is_loop) continue;
    const pass::planned_loop& loop = data_.loops[data_.steps[k].index];
    for (int m = loop.first_mode; m < loop.last_mode; ++m) {
      const int i = data_.modes[m].at;
      const ir::statement& s = data_.statements[i];
      for (int o = 0; o < s.arity(); ++o) {
        const int x = data_.root(s.operands[o]);
        if (!is_product(i)) read_[x] = read[x];
      }
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = data_.loop_results[r].at, x = data_.root(data_.statements[a].operands[0]);
      const bool is_weighted =
          std::any_of(weighted_.begin(), weighted_.end(), [&](const weighted_sum& w) { return w.aggregate == a; });
      if (data_.statements[a].where == ir::space::edge) read_[data_.root(a)] = read[data_.root(a)];
      else if (!is_weighted) read_[x] = read[x];
    }
  }
  for (const weighted_sum& w : weighted_) read_[data_.root(w.weight)] = read[data_.root(w.weight)];
}

std::int64_t lone_steps::workspace(const launch& l) const {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(2 * data_.size + 1));
  watching nothing;
  const drafted_plan plan{data_, read_, numbers.data(), numbers.data() + data_.size, {}, nothing, {}, &weighted_};
  find_widths(plan, l);
  return bytes_of_numbers(data_) + lay_out(plan, 0).bytes * l.resources.threads;
}

void lone_steps::run(const launch& l, const column_range& columns, const std::vector<ir::statement>* narrow) {
  auto* const numbers = reinterpret_cast<std::int64_t*>(l.resources.workspace);
  watching nothing;
  const drafted_plan plan{data_, read_, numbers, numbers + data_.size, {}, nothing, columns, &weighted_};
  find_widths(plan, l);
  const scratch_layout room = lay_out(plan, 0);  // of all columns: so many edges at a time decide how rows are added up
  if (narrow != nullptr) statements_ = *narrow, data_.statements = statements_.data();
  find_widths(plan, l);
  const cpu::swept_rows all(data_, 0, l.graph);
  const std::int64_t parts = all.parts();
  std::byte* const scratch = l.resources.workspace + bytes_of_numbers(data_);
  parallel_in_slots(l.resources.threads, parts, [&](std::int64_t part, std::int64_t slot) {
    block(plan, 0, room, l, scratch + slot * room.bytes).run(all.split(part, parts), all.split(part + 1, parts));
  });
}

}  // namespace stg::drafts
