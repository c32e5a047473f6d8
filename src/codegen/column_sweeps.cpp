// Which sweeps of a plan can be shared by columns.
#include <stg/codegen/column_sweeps.hpp>

#include <algorithm>  // any_of
#include <utility>    // move

#include <stg/codegen/column_finder.hpp>  // column_sweep_of
#include <stg/codegen/exchanges.hpp>      // can_be_made_again

namespace stg::codegen {

std::vector<column_sweep> column_sweeps_of(const plan_data& plan, const rows_there* there) {
  const auto is_of_others = [&](int value) {
    const ir::statement& s = plan.statements[value];
    const bool is_there = s.code == ir::opcode::input && (there == nullptr || there[s.entry()] == rows_there::all);
    return !is_there && !can_be_made_again(plan, value, there);
  };
  std::vector<column_sweep> found;
  for (int unit = 0; unit < plan.unit_count; ++unit) {
    column_sweep sweep = column_sweep_of(plan, unit);
    if (sweep.columns != 0 && std::any_of(sweep.neighbours.begin(), sweep.neighbours.end(), is_of_others))
      found.push_back(std::move(sweep));
  }
  return found;
}

row_pieces pieces_of(const plan_data& plan, const column_sweep& sweep, int value, column_share share,
                     const std::int64_t* extents) {
  const std::int64_t columns = extent_of(sweep.columns, extents);
  const std::int64_t row = axes_product(plan, value, 0, plan.statements[value].dims.rank, extents);
  const sequence<column_sweep::part> all{{0, row, sweep.has_columns(value)}};
  const sequence<column_sweep::part>* const parts = finding::parts_of(plan, sweep, value);
  const std::int64_t bytes = bytes_of(plan.statements[value].type);
  row_pieces pieces;
  for (const column_sweep::part& p : parts == nullptr ? all : *parts) {
    const column_sweep::part mine = finding::share_of_part(p, columns, share);
    pieces.all.push_back({mine.first * bytes, mine.length * bytes});
    pieces.bytes += mine.length * bytes;
  }
  return pieces;
}

}  // namespace stg::codegen
