// Chains of units, block by block.
#include <stg/codegen/cpu/chain.hpp>

#include <algorithm>    // max, min
#include <type_traits>  // is_same_v

#include <stg/codegen/cpu/whole.hpp>  // has_same_parameter, pack_parameter, product_workspace
#include <stg/codegen/operands.hpp>   // dense_rows
#include <stg/runtime/dense.hpp>      // product_rows
#include <stg/runtime/memory.hpp>     // in_lines
#include <stg/runtime/parallel.hpp>   // parallel_in_slots, worth_threads

#include "laid_out.hpp"   // laid_out_chain, laid_out_unit
#include "with_type.hpp"  // with_real_type, with_row_type

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
  return l.graph.vertices * bytes / 8;
}

/// Bytes of a product's parameter, which is laid out anew; 0 where that is the same for all steps of a scan, and of a
/// sweep.
std::int64_t packed_bytes(const plan_data& plan, int unit, const launch& l) {
  if (!is_product(plan, unit) || has_same_parameter(plan, product_of(plan, unit), l.scans)) return 0;
  return in_lines(product_workspace(plan, product_of(plan, unit), l));
}

chained_rows rows_of(const plan_data& plan, int i, const chain_layout& layout, const launch& l) {
  const int r = plan.root(i);
  if (plan.in_block[r]) return {-1, layout.offsets[r], 0};
  return {r, 0, bytes_of_row(plan, r, l.extents)};
}
void run_product(const plan_data& plan, const laid_out_unit& u, const launch& l, std::byte* scratch, std::int64_t from,
                 std::int64_t to) {
  std::byte *const x = u.x.from(from, l.memory, scratch), *const y = u.y.from(from, l.memory, scratch);
  if (u.room >= 0)
    return codegen::with_row_type(plan.statements[plan.statements[u.product].operands[0]].type, [&](auto of_x) {
      using X = decltype(of_x);
      if constexpr (!std::is_same_v<X, float>)
        product_rows(reinterpret_cast<const X*>(x), reinterpret_cast<const float*>(u.packed),
                     reinterpret_cast<float*>(y), reinterpret_cast<float*>(scratch + u.room),
                     (to - from) * u.products_of_row, u.inner, u.columns);
    });
  with_real_type(plan.statements[u.product].type, [&](auto zero) {
    using T = decltype(zero);
    product_rows(reinterpret_cast<const T*>(x), reinterpret_cast<const T*>(u.packed), reinterpret_cast<T*>(y),
                 (to - from) * u.products_of_row, u.inner, u.columns);
  });
}

int end_of_chain(const plan_data& plan, int first) { return first + plan.units[first].chained; }

}  // namespace

chain_layout::chain_layout(const compiled_plan& plan, int first, const launch& l, std::int64_t* room) : offsets(room) {
  const plan_data& data = plan.data;
  const int end = end_of_chain(data, first);
  rows = rows_of_block(data, first, end, l.extents);
  scratch = lay_out(data, first, end, l.extents, std::min(rows, l.graph.vertices), room);
  blocks = (l.graph.vertices + rows - 1) / rows;
  std::int64_t time = 0, to_widen = 0;
  for (int unit = first; unit < end; ++unit) {
    packed += packed_bytes(data, unit, l);
    time += unit_time(data, unit, l);
    if (is_product(data, unit)) to_widen = std::max(to_widen, widening_room(data, product_of(data, unit), l));
  }
  widening = scratch.bytes;
  scratch.bytes += to_widen;
  if (worth_threads(time)) threads = std::min(blocks, l.resources.threads);
}

void lay_out_products(const compiled_plan& plan, int first, const laid_out_chain& chain, laid_out_unit* units) {
  const plan_data& data = plan.data;
  const launch& l = chain.call;
  std::int64_t at = 0;
  for (int unit = first; unit < end_of_chain(data, first); ++unit) {
    if (!is_product(data, unit)) continue;
    laid_out_unit& u = units[unit];
    const int i = u.product = product_of(data, unit), x = data.statements[i].operands[0];
    u.x = rows_of(data, x, chain.layout, l);
    u.y = rows_of(data, i, chain.layout, l);
    u.products_of_row = axes_product(data, x, 0, data.statements[x].dims.rank - 1, l.extents);
    u.inner = last_extent(data, x, l);
    u.columns = last_extent(data, i, l);
    u.room = widens_rows(data, i) ? chain.layout.widening : -1;
    if (!u.stays && l.resources.workspace != nullptr) u.packed = l.resources.workspace + at;
    at += packed_bytes(data, unit, l);
  }
}

void run_chain(const compiled_plan& plan, int first, const laid_out_chain& chain, const laid_out_unit* units) {
  const plan_data& data = plan.data;
  const chain_layout& layout = chain.layout;
  const launch& l = chain.call;
  const int end = end_of_chain(data, first);
  for (int unit = first; unit < end; ++unit)
    if (units[unit].product >= 0 && !units[unit].stays)
      pack_parameter(data, units[unit].product, l, units[unit].packed);

  const auto run_block = [&](std::int64_t b, std::int64_t slot) {
    const std::int64_t from = b * layout.rows, to = std::min(from + layout.rows, l.graph.vertices);
    std::byte* const scratch = l.resources.workspace + layout.packed + slot * layout.scratch.bytes;
    for (int unit = first; unit < end; ++unit) {
      const laid_out_unit& u = units[unit];
      if (u.product >= 0) run_product(data, u, l, scratch, from, to);
      else u.run({u.call, u.offsets, layout.scratch.edges_at_a_time, scratch, from, to});
    }
  };
  if (layout.blocks == 1) return run_block(0, 0);
  parallel_in_slots(layout.threads, layout.blocks, run_block);
}

}  // namespace stg::cpu
