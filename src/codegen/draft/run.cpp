// Running the units of a draft one after the other.
#include <algorithm>  // max

#include <stg/codegen/cpu/compiled_plan.hpp>  // sweep_parts
#include <stg/codegen/cpu/whole.hpp>          // run_whole, whole_workspace
#include <stg/runtime/parallel.hpp>           // parallel_in_slots

#include "block.hpp"  // block, lay_out

namespace stg::drafts {

namespace {

void find_widths(const drafted_plan& plan, const launch& l) {
  for (int i = 0; i < plan.data.size; ++i)
    plan.widths[i] = codegen::axes_product(plan.data, i, 0, plan.data.statements[i].dims.rank, l.extents);
}

/// Calls body(i) for the statements of a unit whose steps read whole arrays.
template <class Body> void for_each_whole(const plan_data& plan, int unit, const Body& body) {
  for (int k = plan.units[unit].first_step; k < plan.units[unit].last_step; ++k) body(plan.steps[k].index);
}

void run_sweep(const drafted_plan& plan, int unit, const launch& l) {
  const scratch_layout room = lay_out(plan, unit);
  const adjacency& edges = plan.data.units[unit].side == pass::sweep_side::out ? l.out : l.in;
  const std::int64_t parts = cpu::sweep_parts(l);
  parallel_in_slots(l.threads, parts, [&](std::int64_t part, std::int64_t slot) {
    block mine(plan, unit, room, l, l.workspace + slot * room.bytes);
    mine.run(edges.split(part, parts), edges.split(part + 1, parts));
  });
}

void run_unit(const drafted_plan& plan, int unit, const launch& l) {
  switch (plan.data.units[unit].kind) {
    case pass::unit_kind::sweep:
      return run_sweep(plan, unit, l);
    case pass::unit_kind::graph: {
      const scratch_layout room = lay_out(plan, unit);
      return block(plan, unit, room, l, l.workspace).run(0, 1);
    }
    default:
      for_each_whole(plan.data, unit, [&](int i) { cpu::run_whole(plan.data, i, l); });
  }
}

std::int64_t unit_workspace(const drafted_plan& plan, int unit, const launch& l) {
  switch (plan.data.units[unit].kind) {
    case pass::unit_kind::sweep:
      return lay_out(plan, unit).bytes * l.threads;
    case pass::unit_kind::graph:
      return lay_out(plan, unit).bytes;
    default: {
      std::int64_t most = 0;
      for_each_whole(plan.data, unit, [&](int i) { most = std::max(most, cpu::whole_workspace(plan.data, i, l)); });
      return most;
    }
  }
}

}  // namespace

void run(const drafted_plan& plan, const launch& l) {
  find_widths(plan, l);
  for (int unit = 0; unit < plan.data.unit_count; ++unit) run_unit(plan, unit, l);
}

std::int64_t workspace(const drafted_plan& plan, const launch& l) {
  find_widths(plan, l);
  std::int64_t most = 0;
  for (int unit = 0; unit < plan.data.unit_count; ++unit) most = std::max(most, unit_workspace(plan, unit, l));
  return most;
}

}  // namespace stg::drafts
