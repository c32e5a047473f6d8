// Launching the units of a plan one after the other.
#include <algorithm>  // max

#include <stg/codegen/cpu/chain.hpp>          // run_chain, chain_layout
#include <stg/codegen/cpu/compiled_plan.hpp>  // run, workspace
#include <stg/codegen/cpu/long_rows.hpp>      // long_row_results
#include <stg/codegen/cpu/rounds.hpp>         // rounds
#include <stg/codegen/cpu/scratch.hpp>        // lay_out
#include <stg/codegen/cpu/swept_rows.hpp>     // swept_rows
#include <stg/codegen/cpu/whole.hpp>          // for_each_whole, run_whole
#include <stg/codegen/scan.hpp>               // run_scan, scan_workspace
#include <stg/runtime/parallel.hpp>           // parallel_in_slots

namespace stg::cpu {

namespace {

scratch_sizes lay_out_form(const plan_data& form, const launch& l, std::int64_t* offsets) {
  return lay_out(form, 0, 1, l.extents, 1, offsets);
}

/// Runs a sweep as its form, a plan of one unit.
void run_sweep(const compiled_plan& plan, int unit, const launch& l) {
  const plan_data& form = *plan.units[unit].form;
  const launch call = as_form(plan.units[unit], l, plan.forms);
  const scratch_sizes sizes = lay_out_form(form, call, plan.forms.offsets);
  const sweep_function run = plan.sweeps[unit](call);
  const swept_rows all(form, 0, call);
  rounds(form, 0, call).run(call, plan.memory, [&](const launch& l, std::int64_t round, std::int64_t count) {
    const std::int64_t parts = (all.parts() + count - 1) / count, first = round * parts;
    sweep_part rows{l,           plan.forms.offsets,      sizes.edges_at_a_time,
                    l.workspace, all.split(round, count), all.split(round + 1, count)};
    const long_row_results hubs(form, 0, l, l.workspace + l.threads * sizes.bytes);
    rows.long_rows = hubs.compute(rows, sizes.bytes, l.threads, run);
    parallel_in_slots(l.threads, parts, [&](std::int64_t part, std::int64_t slot) {
      sweep_part mine = rows;
      mine.scratch += slot * sizes.bytes;
      mine.first = all.split(first + part, count * parts);
      mine.last = all.split(first + part + 1, count * parts);
      run(mine);
    });
  });
}
std::int64_t sweep_workspace(const compiled_plan& plan, int unit, const launch& l) {
  const plan_data& form = *plan.units[unit].form;
  const launch call = as_form(plan.units[unit], l, plan.forms);
  return rounds(form, 0, call).bytes(call) + lay_out_form(form, call, plan.forms.offsets).bytes * call.threads +
         long_row_results(form, 0, call, nullptr).bytes(call.threads);
}

/// Graph arithmetic: one row, that of the graph.
void run_graph(const compiled_plan& plan, int unit, const launch& l) {
  const launch call = as_form(plan.units[unit], l, plan.forms);
  const scratch_sizes sizes = lay_out_form(*plan.units[unit].form, call, plan.forms.offsets);
  plan.sweeps[unit](call)({call, plan.forms.offsets, sizes.edges_at_a_time, call.workspace, 0, 1});
}
std::int64_t graph_workspace(const compiled_plan& plan, int unit, const launch& l) {
  const launch call = as_form(plan.units[unit], l, plan.forms);
  return lay_out_form(*plan.units[unit].form, call, plan.forms.offsets).bytes;
}

/// The scan that a unit is; its other steps are the results.
int scan_of(const compiled_plan& plan, int unit) { return plan.data.steps[plan.data.units[unit].first_step].index; }
const codegen::step_program& step_of(const compiled_plan& plan, int scan) {
  return plan.steps[plan.data.statements[scan].callee()];
}

void run_unit(const compiled_plan& plan, int unit, const launch& of_call) {
  const pass::planned_unit& u = plan.data.units[unit];
  const launch l = codegen::as_unit(u, of_call);
  if (u.chained > 1) return run_chain(plan, unit, l);
  if (u.chained == 0) return;  // runs in an earlier unit's chain
  if (u.kind == pass::unit_kind::sweep) return run_sweep(plan, unit, l);
  if (u.kind == pass::unit_kind::graph) return run_graph(plan, unit, l);
  if (u.kind == pass::unit_kind::scan) {
    const int scan = scan_of(plan, unit);
    return codegen::run_scan(plan.data, scan, step_of(plan, scan), l);
  }
  for_each_whole(plan.data, unit, [&](int i) { run_whole(plan.data, i, l); });
}

std::int64_t unit_workspace(const compiled_plan& plan, int unit, const launch& of_call) {
  const pass::planned_unit& u = plan.data.units[unit];
  const launch l = codegen::as_unit(u, of_call);
  if (u.chained > 1) return chain_layout(plan, unit, l).bytes();
  if (u.chained == 0) return 0;
  if (u.kind == pass::unit_kind::sweep) return sweep_workspace(plan, unit, l);
  if (u.kind == pass::unit_kind::graph) return graph_workspace(plan, unit, l);
  if (u.kind == pass::unit_kind::scan) {
    const int scan = scan_of(plan, unit);
    return codegen::scan_workspace(plan.data, scan, step_of(plan, scan), l);
  }
  return whole_unit_workspace(plan.data, unit, l);
}

}  // namespace

launch as_form(const unit_names& unit, const launch& l, const form_places& places) {
  for (int k = 0; k < unit.extent_count; ++k) places.extents[k] = l.extents[unit.extents[k]];
  if (l.memory != nullptr)
    for (int k = 0; k < unit.value_count; ++k) places.memory[k] = l.memory[unit.values[k]];
  return seen_by_form(unit, l, places);
}

void run(const compiled_plan& plan, const launch& l) {
  for (int unit = 0; unit < plan.data.unit_count; ++unit) run_unit(plan, unit, l);
}

std::int64_t workspace(const compiled_plan& plan, const launch& l) {
  std::int64_t most = 0;
  for (int unit = 0; unit < plan.data.unit_count; ++unit) most = std::max(most, unit_workspace(plan, unit, l));
  return most;
}

}  // namespace stg::cpu
