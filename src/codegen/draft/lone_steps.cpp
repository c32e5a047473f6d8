// Steps of a sweep by themselves.
#include "lone_steps.hpp"

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
  read_ = values_read_one_by_one(data_);
}

std::int64_t lone_steps::workspace(const launch& l) const {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(2 * data_.size + 1));
  watching nothing;
  const drafted_plan plan{data_, read_, numbers.data(), numbers.data() + data_.size, {}, nothing, {}};
  find_widths(plan, l);
  return bytes_of_numbers(data_) + lay_out(plan, 0).bytes * l.resources.threads;
}

void lone_steps::run(const launch& l, const column_range& columns) {
  auto* const numbers = reinterpret_cast<std::int64_t*>(l.resources.workspace);
  watching nothing;
  const drafted_plan plan{data_, read_, numbers, numbers + data_.size, {}, nothing, columns};
  find_widths(plan, l);
  const scratch_layout room = lay_out(plan, 0);  // of all columns: so many edges at a time decide how rows are added up
  if (columns.has_columns != nullptr)
    for (int i = 0; i < data_.size; ++i) {
      ir::statement& s = statements_[static_cast<std::size_t>(i)];
      if (columns.has_columns[i] == 0) continue;
      const std::int64_t axis = codegen::extent_of(s.dims.axes[0].code, l.extents);
      s.dims.axes[0].code = axis / columns.columns * (columns.last - columns.first);
    }
  find_widths(plan, l);
  const cpu::swept_rows all(data_, 0, l.graph);
  const std::int64_t parts = all.parts();
  std::byte* const scratch = l.resources.workspace + bytes_of_numbers(data_);
  parallel_in_slots(l.resources.threads, parts, [&](std::int64_t part, std::int64_t slot) {
    block(plan, 0, room, l, scratch + slot * room.bytes).run(all.split(part, parts), all.split(part + 1, parts));
  });
}

}  // namespace stg::drafts
