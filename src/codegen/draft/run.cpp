// Running the units of a draft one after the other.
#include <algorithm>  // max, min
#include <vector>     // vector

#include <stg/codegen/cpu/swept_rows.hpp>  // swept_rows
#include <stg/codegen/cpu/whole.hpp>       // for_each_whole, run_whole
#include <stg/codegen/exchanges.hpp>       // exchanging
#include <stg/codegen/messages.hpp>        // messaging
#include <stg/codegen/scan.hpp>            // run_scan, scan_workspace
#include <stg/runtime/parallel.hpp>        // parallel_in_slots

#include "../column_calls.hpp"  // column_workspace
#include "block.hpp"            // block, lay_out

namespace stg::drafts {

void find_widths(const drafted_plan& plan, const launch& l) {
  for (int i = 0; i < plan.data.size; ++i)
    plan.widths[i] = codegen::axes_product(plan.data, i, 0, plan.data.statements[i].dims.rank, l.extents);
}

namespace {

using row_ranges = codegen::exchanging::ranges;

/// some: the rows to compute; null: all.
void run_sweep(const drafted_plan& plan, int unit, const launch& l, const row_ranges* some) {
  const scratch_layout room = lay_out(plan, unit);
  const cpu::swept_rows all(plan.data, unit, l.graph);
  const std::int64_t parts = all.parts();
  parallel_in_slots(l.resources.threads, parts, [&](std::int64_t part, std::int64_t slot) {
    block mine(plan, unit, room, l, l.resources.workspace + slot * room.bytes);
    const std::int64_t first = all.split(part, parts), last = all.split(part + 1, parts);
    if (some == nullptr) return mine.run(first, last);
    for (const row_range& r : *some)
      if (std::max(first, r.first) < std::min(last, r.last)) mine.run(std::max(first, r.first), std::min(last, r.last));
  });
}

const codegen::step_program& step_of(const made_program& program, int scan) {
  return program.step_programs[static_cast<std::size_t>(program.data.statements[scan].callee())];
}

void run_unit(const made_program& program, const drafted_plan& plan, int unit, const launch& of_call,
              const row_ranges* some) {
  const launch l = codegen::as_unit(plan.data.units[unit], of_call);
  switch (plan.data.units[unit].kind) {
    case pass::unit_kind::sweep:
      return run_sweep(plan, unit, l, some);
    case pass::unit_kind::graph: {
      const scratch_layout room = lay_out(plan, unit);
      return block(plan, unit, room, l, l.resources.workspace).run(0, 1);
    }
    case pass::unit_kind::scan: {
      const int scan = plan.data.steps[plan.data.units[unit].first_step].index;
      return codegen::run_scan(plan.data, scan, step_of(program, scan), l);
    }
    case pass::unit_kind::message:
      return;
    default:
      cpu::for_each_whole(plan.data, unit, [&](int i) {
        cpu::run_whole(plan.data, i, l);
        if (!plan.watched.sees(i)) return;
        plan.watched.take(i, 0, l.memory[i], l.graph.rows_of(plan.data.statements[i].where), plan.widths[i],
                          [](std::int64_t row) { return row; });
      });
  }
}

std::int64_t unit_workspace(const made_program& program, const drafted_plan& plan, int unit, const launch& of_call) {
  const launch l = codegen::as_unit(plan.data.units[unit], of_call);
  switch (plan.data.units[unit].kind) {
    case pass::unit_kind::sweep:
      return lay_out(plan, unit).bytes * l.resources.threads;
    case pass::unit_kind::graph:
      return lay_out(plan, unit).bytes;
    case pass::unit_kind::scan: {
      const int scan = plan.data.steps[plan.data.units[unit].first_step].index;
      return codegen::scan_workspace(plan.data, scan, step_of(program, scan), l);
    }
    case pass::unit_kind::message:
      return 0;
    default:
      return cpu::whole_unit_workspace(plan.data, unit, l);
  }
}

}  // namespace

void run(const made_program& program, const launch& call, const batch_limits& most) {
  const plan_data& data = program.data;
  auto* const numbers = reinterpret_cast<std::int64_t*>(call.resources.workspace);
  watching watched(program, call.scans.again);
  const drafted_plan plan{data, program.read_one_by_one, numbers, numbers + data.size, most, watched};
  codegen::exchanging others(data, call, program.step_programs.data());
  codegen::messaging by_hand(data);
  launch l = others.shown(call);
  l.resources.workspace += bytes_of_numbers(data);
  find_widths(plan, l);
  others.run(l, [&](int unit, const row_ranges* some) {
    by_hand.before(unit, l);
    run_unit(program, plan, unit, l, some);
    by_hand.after(unit, l);
  });
  by_hand.end(l);
  watched.tell();
}

std::int64_t workspace(const made_program& program, const launch& l, const batch_limits& most) {
  const plan_data& data = program.data;
  watching watched(program, true);
  std::vector<std::int64_t> numbers(2 * static_cast<std::size_t>(data.size) + 1);
  const drafted_plan plan{data, program.read_one_by_one, numbers.data(), numbers.data() + data.size, most, watched};
  find_widths(plan, l);
  std::int64_t bytes = codegen::column_workspace(data, l, program.step_programs.data());
  for (int unit = 0; unit < data.unit_count; ++unit) bytes = std::max(bytes, unit_workspace(program, plan, unit, l));
  return bytes_of_numbers(data) + bytes;
}

}  // namespace stg::drafts
