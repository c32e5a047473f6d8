// Launching the units of a plan one after the other.
#include <algorithm>  // max, min

#include <stg/codegen/cpu/chain.hpp>          // chain_layout
#include <stg/codegen/cpu/compiled_plan.hpp>  // run, run_steps, workspace
#include <stg/codegen/cpu/long_rows.hpp>      // long_row_results
#include <stg/codegen/cpu/rounds.hpp>         // rounds
#include <stg/codegen/cpu/swept_rows.hpp>     // swept_rows
#include <stg/codegen/cpu/whole.hpp>          // for_each_whole, pack_parameter, run_packed, run_whole
#include <stg/codegen/exchanges.hpp>          // exchanging
#include <stg/codegen/messages.hpp>           // messaging
#include <stg/codegen/scan.hpp>               // run_scan, scan_workspace
#include <stg/runtime/memory.hpp>             // in_lines
#include <stg/runtime/parallel.hpp>           // parallel_in_slots

#include "../runtime/memory/kept_lists.hpp"  // kept_lists
#include "column_calls.hpp"                  // column_workspace
#include "laid_out.hpp"                      // laid_out_plan

namespace stg::cpu {

namespace {

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// The scan that a unit is; its other steps are the results.
int scan_of(const compiled_plan& plan, int unit) { return plan.data.steps[plan.data.units[unit].first_step].index; }
const codegen::step_program& step_of(const compiled_plan& plan, int scan) {
  return plan.steps[plan.data.statements[scan].callee()];
}

}  // namespace

// ---- laying out ----

void laid_out_plan::take_room(const compiled_plan& plan) {
  const plan_data& data = plan.data;
  std::int64_t addresses = data.size, numbers = 0;  // those of a round
  for (int unit = 0; unit < data.unit_count; ++unit) {
    const unit_names& names = plan.units[unit];
    addresses += names.value_count;
    numbers += 2 * names.value_count + 1 + names.extent_count;
    if (data.units[unit].chained > 1) numbers += 2 * data.size + 1;
  }
  if (size(addresses) > addresses_.size()) addresses_.resize(size(addresses));
  if (size(numbers) > numbers_.size()) numbers_.resize(size(numbers));
  if (size(data.unit_count) > units_.size()) units_.resize(size(data.unit_count));
  chains_.clear();
  next_address_ = addresses_.data() + data.size;
  next_number_ = numbers_.data();
}

/// Products by a parameter that is the same for all steps of a scan, and where it lies.
void laid_out_plan::place_packed(const compiled_plan& plan, const launch& l) {
  packed_bytes_ = 0;
  if (l.scans.same_inputs == nullptr) return;
  for (int unit = 0; unit < plan.data.unit_count; ++unit) {
    const pass::planned_unit& planned = plan.data.units[unit];
    const int i = plan.data.steps[planned.first_step].index;
    const bool is_one_product = planned.kind == pass::unit_kind::product && planned.last_step == planned.first_step + 1;
    if (!is_one_product || !has_same_parameter(plan.data, i, l.scans)) continue;
    units_[size(unit)].product = i;
    units_[size(unit)].stays = true;
    if (l.resources.workspace != nullptr) units_[size(unit)].packed = l.resources.workspace + packed_bytes_;
    packed_bytes_ += in_lines(product_workspace(plan.data, i, l));
  }
}

void laid_out_plan::lay_out(const compiled_plan& plan, const launch& of_call) {
  take_room(plan);
  for (int unit = 0; unit < plan.data.unit_count; ++unit) units_[size(unit)].forget();
  place_packed(plan, of_call);
  launch l = of_call;
  if (l.resources.workspace != nullptr) l.resources.workspace += packed_bytes_;
  int first = 0;  // of the chain, or the unit itself
  for (int unit = 0; unit < plan.data.unit_count; ++unit) {
    const pass::planned_unit& planned = plan.data.units[unit];
    laid_out_unit& u = units_[size(unit)];
    if (planned.chained > 0) first = unit;
    u.call = l;
    if (l.graph.kinds != nullptr) u.call.graph = codegen::as_unit(plan.data.units[first], l.graph);
    if (planned.chained > 1) {
      u.chain = static_cast<int>(chains_.size());
      chains_.push_back({chain_layout(plan, unit, u.call, next_number_), u.call});
      next_number_ += 2 * plan.data.size + 1;
      lay_out_products(plan, unit, chains_.back(), units_.data());
    }
    if (plan.units[unit].form == nullptr) continue;
    as_form(plan, unit);
    if (planned.chained == 1) lay_out_rows(plan, unit);
    else place_in_chain(plan, unit, chains_.back().layout.offsets);
  }
}

/// Its values lie where those of the chain do.
void laid_out_plan::place_in_chain(const compiled_plan& plan, int unit, const std::int64_t* in_chain) {
  const unit_names& names = plan.units[unit];
  std::int64_t* const offsets = units_[size(unit)].offsets;
  for (int k = 0; k < names.value_count; ++k) {
    offsets[k] = in_chain[names.values[k]];
    offsets[names.value_count + k] = in_chain[plan.data.size + names.values[k]];
  }
}

/// The unit's call by the numbers of its form.
void laid_out_plan::as_form(const compiled_plan& plan, int unit) {
  const unit_names& names = plan.units[unit];
  laid_out_unit& u = units_[size(unit)];
  u.memory = next_address_;
  next_address_ += names.value_count;
  u.offsets = next_number_;
  std::int64_t* const extents = u.offsets + 2 * names.value_count + 1;
  next_number_ = extents + names.extent_count;
  for (int k = 0; k < names.extent_count; ++k) extents[k] = u.call.extents[names.extents[k]];
  u.call.memory = u.call.memory == nullptr ? nullptr : u.memory;  // none yet where sizes are asked for
  u.call.extents = extents;
  u.call.draws.sites = names.sites;
  if (plan.sweeps != nullptr) u.run = plan.sweeps[unit](u.call);
}

void laid_out_plan::lay_out_rows(const compiled_plan& plan, int unit) {
  const plan_data& form = *plan.units[unit].form;
  laid_out_unit& u = units_[size(unit)];
  u.scratch = cpu::lay_out(form, 0, 1, u.call.extents, 1, u.offsets);
  if (plan.data.units[unit].kind == pass::unit_kind::graph) {  // one row, that of the graph
    u.rows = 1;
    u.is_one_part = true;
  } else if (u.run != nullptr) {
    const swept_rows all(form, 0, u.call.graph);
    u.rows = all.split(1, 1);
    u.is_one_part = all.parts() == 1 && long_row_results(form, 0, u.call, nullptr).bytes(1) == 0;
  }
}

// ---- running ----

namespace {

/// Calls body for the rows of a part that are among some; null: all.
template <class Body> void for_each_among(const row_ranges* some, const sweep_part& part, const Body& body) {
  if (some == nullptr) return body(part);
  for (const row_range& r : *some) {
    sweep_part mine = part;
    mine.first = std::max(part.first, r.first);
    mine.last = std::min(part.last, r.last);
    if (mine.first < mine.last) body(mine);
  }
}

}  // namespace

/// Runs a sweep as its form, a plan of one unit.
void laid_out_plan::run_parts(const compiled_plan& plan, int unit, const row_ranges* some) {
  const plan_data& form = *plan.units[unit].form;
  const laid_out_unit& u = units_[size(unit)];
  const swept_rows all(form, 0, u.call.graph);
  rounds(form, 0, u.call).run(u.call, addresses_.data(), [&](const launch& l, std::int64_t round, std::int64_t count) {
    const std::int64_t parts = (all.parts() + count - 1) / count, first = round * parts;
    const std::int64_t begin = all.split(round, count), end = all.split(round + 1, count);
    const std::int64_t threads = l.resources.threads;
    std::byte* const scratch = l.resources.workspace;
    sweep_part rows{l, u.offsets, u.scratch.edges_at_a_time, scratch, begin, end};
    const long_row_results hubs(form, 0, l, scratch + threads * u.scratch.bytes);
    for_each_among(some, rows, [&](const sweep_part& mine) {
      if (const long_row_results* found = hubs.compute(mine, u.scratch.bytes, threads, u.run)) rows.long_rows = found;
    });
    parallel_in_slots(threads, parts, [&](std::int64_t part, std::int64_t slot) {
      sweep_part mine = rows;
      mine.scratch += slot * u.scratch.bytes;
      mine.first = all.split(first + part, count * parts);
      mine.last = all.split(first + part + 1, count * parts);
      for_each_among(some, mine, u.run);
    });
  });
}

void laid_out_plan::run_unit(const compiled_plan& plan, int unit, const row_ranges* some) {
  const pass::planned_unit& planned = plan.data.units[unit];
  const laid_out_unit& u = units_[size(unit)];
  if (planned.chained > 1) return run_chain(plan, unit, chains_[size(u.chain)], units_.data());
  if (planned.chained == 0) return;                      // runs in an earlier unit's chain
  if (planned.kind == pass::unit_kind::message) return;  // what is behind every unit runs it
  if (u.is_one_part)
    return for_each_among(some, {u.call, u.offsets, u.scratch.edges_at_a_time, u.call.resources.workspace, 0, u.rows},
                          u.run);
  if (planned.kind == pass::unit_kind::sweep) return run_parts(plan, unit, some);
  if (planned.kind == pass::unit_kind::scan) {
    const int scan = scan_of(plan, unit);
    return codegen::run_scan(plan.data, scan, step_of(plan, scan), u.call);
  }
  if (u.stays) return run_packed(plan.data, u.product, u.call, u.packed, u.call.resources.workspace);
  for_each_whole(plan.data, unit, [&](int i) { run_whole(plan.data, i, u.call); });
}

void laid_out_plan::pack(const compiled_plan& plan, const launch& l) {
  for (int unit = 0; unit < plan.data.unit_count; ++unit)
    if (const laid_out_unit& u = units_[size(unit)]; u.stays) pack_parameter(plan.data, u.product, l, u.packed);
}

void laid_out_plan::run(const compiled_plan& plan, const launch& l, codegen::exchanging& others,
                        codegen::messaging& by_hand) {
  for (laid_out_chain& chain : chains_) {
    chain.call.memory = l.memory;
    chain.call.draws.seed = l.draws.seed;
  }
  for (int unit = 0; unit < plan.data.unit_count; ++unit) units_[size(unit)].show(plan.units[unit], l);
  launch around = l;
  around.resources.workspace += packed_bytes_;
  others.run(around, [&](int unit, const row_ranges* some) {
    by_hand.before(unit, l);
    run_unit(plan, unit, some);
    by_hand.after(unit, l);
  });
  by_hand.end(l);
}

// ---- sizes ----

std::int64_t laid_out_plan::unit_workspace(const compiled_plan& plan, int unit) const {
  const pass::planned_unit& planned = plan.data.units[unit];
  const laid_out_unit& u = units_[size(unit)];
  if (planned.chained > 1) return chains_[size(u.chain)].layout.bytes();
  if (planned.chained == 0) return 0;
  if (planned.kind == pass::unit_kind::message) return 0;
  if (planned.kind == pass::unit_kind::graph) return u.scratch.bytes;
  if (planned.kind == pass::unit_kind::sweep) {
    const plan_data& form = *plan.units[unit].form;
    return rounds(form, 0, u.call).bytes(u.call) + u.scratch.bytes * u.call.resources.threads +
           long_row_results(form, 0, u.call, nullptr).bytes(u.call.resources.threads);
  }
  if (planned.kind == pass::unit_kind::scan) {
    const int scan = scan_of(plan, unit);
    return codegen::scan_workspace(plan.data, scan, step_of(plan, scan), u.call);
  }
  return u.stays ? u.call.resources.threads * widening_room(plan.data, u.product, u.call)
                 : whole_unit_workspace(plan.data, unit, u.call);
}

std::int64_t laid_out_plan::workspace(const compiled_plan& plan, const launch& l) const {
  std::int64_t most = codegen::column_workspace(plan.data, l, plan.steps);
  for (int unit = 0; unit < plan.data.unit_count; ++unit) most = std::max(most, unit_workspace(plan, unit));
  return packed_bytes_ + most;
}

// ---- calls ----

void run(const compiled_plan& plan, const launch& l) {
  const stg::detail::kept_lists<laid_out_plan> units;
  codegen::exchanging others(plan.data, l, plan.steps);
  codegen::messaging by_hand(plan.data);
  const launch shown = others.shown(l);
  units->lay_out(plan, shown);
  units->run(plan, shown, others, by_hand);
}

void run_steps(const compiled_plan& plan, codegen::step_calls& steps) {
  const stg::detail::kept_lists<laid_out_plan> units;
  bool is_laid_out = false;
  codegen::exchanging others(plan.data, steps.call, plan.steps);
  codegen::messaging none(plan.data);
  steps.call = others.shown(steps.call);
  while (steps.next()) {
    if (!is_laid_out || steps.has_other_sizes) units->lay_out(plan, steps.call);
    if (!is_laid_out) units->pack(plan, steps.call);
    is_laid_out = true;
    units->run(plan, steps.call, others, none);
  }
}

std::int64_t workspace(const compiled_plan& plan, const launch& l) {
  const stg::detail::kept_lists<laid_out_plan> units;
  units->lay_out(plan, l);
  return units->workspace(plan, l);
}

}  // namespace stg::cpu
