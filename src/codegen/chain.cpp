// Chains of units, block by block.
#include <stg/codegen/cpu/chain.hpp>

#include <algorithm>  // min

#include <stg/codegen/cpu/whole.hpp>  // whole_workspace
#include <stg/codegen/operands.hpp>   // dense_rows, stored_at
#include <stg/runtime/dense.hpp>      // pack_product, product_rows
#include <stg/runtime/parallel.hpp>   // parallel_in_slots, worth_threads

#include "with_type.hpp"  // with_real_type

namespace stg::cpu {

namespace {

using codegen::dense_rows;
using codegen::last_extent;
using codegen::with_real_type;

bool is_product(const plan_data& plan, int unit) { return plan.units[unit].kind == pass::unit_kind::product; }
/// The statement of a product's unit.
int product_of(const plan_data& plan, int unit) { return plan.steps[plan.units[unit].first_step].index; }

/// What one thread needs for a unit, in nanoseconds; a sweep computes about two numbers in one. Sweeps of chains have
/// no loops.
std::int64_t unit_time(const plan_data& plan, int unit, const launch& l) {
  if (is_product(plan, unit)) {
    const int i = product_of(plan, unit), x = plan.statements[i].operands[0];
    return product_time(dense_rows(plan, x, l), last_extent(plan, x, l), last_extent(plan, i, l));
  }
  std::int64_t bytes = 0;
  for (int k = plan.units[unit].first_step; k < plan.units[unit].last_step; ++k)
    bytes += bytes_of_row(plan, plan.steps[k].index, l.extents);
  return l.vertices * bytes / 8;
}

/// Bytes of a product's parameter, laid out anew; of a sweep 0.
std::int64_t packed_bytes(const plan_data& plan, int unit, const launch& l) {
  return is_product(plan, unit) ? (whole_workspace(plan, product_of(plan, unit), l) + 63) / 64 * 64 : 0;
}
void pack(const plan_data& plan, int i, const launch& l, std::byte* packed) {
  const ir::statement& s = plan.statements[i];
  with_real_type(s.type, [&](auto zero) {
    using T = decltype(zero);
    pack_product(codegen::stored_at<T>(plan, s.operands[1], l), reinterpret_cast<T*>(packed),
                 last_extent(plan, s.operands[0], l), last_extent(plan, i, l), s.is_transposed());
  });
}

/// The rows of a value that begin with the block's first.
template <class T> T* rows_in(const plan_data& plan, int i, const sweep_part& block) {
  const int r = plan.root(i);
  std::byte* const rows = plan.in_block[r]
                              ? block.scratch + block.offsets[r]
                              : block.call.memory[r] + block.first * bytes_of_row(plan, r, block.call.extents);
  return reinterpret_cast<T*>(rows);
}
void run_product(const plan_data& plan, int i, const sweep_part& block, const std::byte* packed) {
  const launch& l = block.call;
  const int x = plan.statements[i].operands[0];
  const std::int64_t each = axes_product(plan, x, 0, plan.statements[x].dims.rank - 1, l.extents);
  with_real_type(plan.statements[i].type, [&](auto zero) {
    using T = decltype(zero);
    product_rows(rows_in<T>(plan, x, block), reinterpret_cast<const T*>(packed), rows_in<T>(plan, i, block),
                 (block.last - block.first) * each, last_extent(plan, x, l), last_extent(plan, i, l));
  });
}

/// Where the values of a sweep lie in the chain's scratch, by the numbers of its form.
void place_in_scratch(const compiled_plan& plan, int unit, std::int64_t* offsets) {
  const unit_names& names = plan.units[unit];
  const int n = names.value_count;
  for (int k = 0; k < n; ++k) {
    offsets[k] = plan.offsets[names.values[k]];
    offsets[n + k] = plan.offsets[plan.data.size + names.values[k]];
  }
}

int end_of_chain(const plan_data& plan, int first) { return first + plan.units[first].chained; }

}  // namespace

chain_layout::chain_layout(const compiled_plan& plan, int first, const launch& l) {
  const plan_data& data = plan.data;
  const int end = end_of_chain(data, first);
  rows = rows_of_block(data, first, end, l.extents);
  scratch = lay_out(data, first, end, l.extents, std::min(rows, l.vertices), plan.offsets);
  blocks = (l.vertices + rows - 1) / rows;
  std::int64_t time = 0;
  for (int unit = first; unit < end; ++unit) {
    packed += packed_bytes(data, unit, l);
    time += unit_time(data, unit, l);
  }
  if (worth_threads(time)) threads = std::min(blocks, l.threads);
}

void run_chain(const compiled_plan& plan, int first, const launch& l) {
  const plan_data& data = plan.data;
  const int end = end_of_chain(data, first);
  const chain_layout layout(plan, first, l);
  std::byte* packed = l.workspace;
  for (int unit = first; unit < end; packed += packed_bytes(data, unit++, l))
    if (is_product(data, unit)) pack(data, product_of(data, unit), l, packed);

  form_places all = plan.forms;
  for (int unit = first; unit < end; ++unit) {
    if (is_product(data, unit)) continue;
    as_form(plan.units[unit], l, all);
    place_in_scratch(plan, unit, all.offsets);
    all = all.after(plan.units[unit]);
  }
  parallel_in_slots(layout.threads, layout.blocks, [&](std::int64_t b, std::int64_t slot) {
    const std::int64_t from = b * layout.rows, to = std::min(from + layout.rows, l.vertices);
    std::byte* const scratch = l.workspace + layout.packed + slot * layout.scratch.bytes;
    form_places places = plan.forms;
    const std::byte* of_unit = l.workspace;
    for (int unit = first; unit < end; of_unit += packed_bytes(data, unit++, l)) {
      if (is_product(data, unit)) {
        run_product(data, product_of(data, unit), {l, plan.offsets, 0, scratch, from, to}, of_unit);
        continue;
      }
      const launch call = seen_by_form(plan.units[unit], l, places);
      plan.sweeps[unit](call)({call, places.offsets, layout.scratch.edges_at_a_time, scratch, from, to});
      places = places.after(plan.units[unit]);
    }
  });
}

}  // namespace stg::cpu
