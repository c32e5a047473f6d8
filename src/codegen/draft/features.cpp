// Statements along the feature axes of a row.
#include <algorithm>  // fill_n
#include <cmath>      // exp
#include <cstring>    // memcpy, memset

#include <stg/base/lowest.hpp>           // finite_or_zero, lowest
#include <stg/codegen/reduced_axes.hpp>  // for_each_reduced
#include <stg/op/list.hpp>               // info_of, runs_of

#include "../with_type.hpp"  // with_type, with_real_type
#include "block.hpp"         // block
#include "rows.hpp"          // axes, transpose_rows

namespace stg::drafts {

namespace {

/// One row, reduced over any axes; Σ exp less the maximum of each result.
template <class T>
void reduce_row(ir::opcode code, const axes& of, std::int64_t reduced_axes, const T* from, T* to, std::int64_t width,
                T* sums) {
  const bool adds = code == ir::opcode::reduce_sum;
  std::fill_n(to, width, adds ? T{} : lowest<T>());
  codegen::for_each_reduced(of.at, of.rank, reduced_axes, [&](std::int64_t r, std::int64_t k) {
    if (adds) to[r] += from[k];
    else to[r] = to[r] < from[k] ? from[k] : to[r];
  });
  if (code != ir::opcode::reduce_top_share) return;
  if constexpr (std::is_floating_point_v<T>) {
    std::fill_n(sums, width, T{});
    codegen::for_each_reduced(of.at, of.rank, reduced_axes, [&](std::int64_t r, std::int64_t k) {
      sums[r] += std::exp(from[k] - finite_or_zero(to[r]));
    });
    for (std::int64_t r = 0; r < width; ++r) to[r] = 1 / sums[r];
  }
}

}  // namespace

void block::write_feature(int i, const batch& b, std::byte* to) const {
  const ir::statement& s = at(i);
  switch (op::info_of(s.code).moves) {
    case op::movement::none:
      return reduce(i, b, to);
    case op::movement::from_entry:
    case op::movement::to_entry:
      return move_entries(i, b, to);
    case op::movement::swap:
      return transpose_rows(to, axes(s.dims, call_.extents), rows_of(s.operands[0], b, 0), s.swapped_axis(),
                            s.other_axis(), b.count, bytes_of(s.type));
    case op::movement::runs:
      return move_runs(i, b, to);
    case op::movement::whole:
      return;
  }
}

void block::reduce(int i, const batch& b, std::byte* to) const {
  const ir::statement& s = at(i);
  const axes of(at(s.operands[0]).dims, call_.extents);
  const std::byte* const from = rows_of(s.operands[0], b, 0);
  const std::int64_t width = plan_.widths[i], inner = of.size();
  const int last_axes = pass::reduced_last_axes(s, at(s.operands[0]).dims);
  if (last_axes > 0 && s.code != ir::opcode::reduce_top_share) {
    return kernels_.kernels(s.code, s.type).reduce(to, from, b.count * width, of.product(of.rank - last_axes, of.rank));
  }
  codegen::with_type(s.type, [&](auto zero) {
    using T = decltype(zero);
    T* const sums = reinterpret_cast<T*>(operand_place(1));
    for (std::int64_t r = 0; r < b.count; ++r)
      reduce_row(s.code, of, s.axes(), reinterpret_cast<const T*>(from) + r * inner,
                 reinterpret_cast<T*>(to) + r * width, width, sums);
  });
}

void block::move_runs(int i, const batch& b, std::byte* to) const {
  const ir::statement& s = at(i);
  const op::runs runs = op::runs_of(plan_.data.statements, s);
  const int along = s.part_axis();
  const axes mine(s.dims, call_.extents);
  const std::int64_t to_the_right = mine.product(along + 1, mine.rank) * bytes_of(s.type);
  const std::int64_t outer = b.count * mine.product(0, along), all = mine.at[along] * to_the_right;
  const auto bytes = [&](ir::extent e) { return codegen::extent_of(e.code, call_.extents) * to_the_right; };
  if (!runs.fill) std::memset(to, 0, static_cast<std::size_t>(outer * all));
  struct {
    const std::byte* from;
    std::int64_t axis, to, length;
  } moved[op::runs::most] = {};
  for (int k = 0; k < runs.count; ++k) {
    const op::run& r = runs.of[k];
    const int x = s.operands[r.operand];
    moved[k] = {rows_of(x, b, r.operand) + bytes(r.from), bytes(at(x).dims.axes[along]), bytes(r.to), bytes(r.length)};
  }
  for (std::int64_t o = 0; o < outer; ++o)
    for (int k = 0; k < runs.count; ++k)
      copy_row(to + o * all + moved[k].to, moved[k].from + o * moved[k].axis, moved[k].length);
}

/// One entry of the first axis comes from there, or goes there and all others are 0; entries outside are 0. All rows
/// take theirs from a graph's value where it lies, however large it is.
void block::move_entries(int i, const batch& b, std::byte* to) const {
  const ir::statement& s = at(i);
  const std::byte* const table = picks_from_table(plan_.data, i) ? place(plan_.data.root(s.operands[0]), b) : nullptr;
  const std::int64_t mine = row_bytes(i);
  const std::int64_t theirs = table != nullptr ? 0 : plan_.widths[s.operands[0]] * bytes_of(s.type);
  const bool picks = op::info_of(s.code).moves == op::movement::from_entry;
  const std::int64_t entries = axes(picks ? at(s.operands[0]).dims : s.dims, call_.extents).at[0];
  const std::byte* const from = table != nullptr ? table : rows_of(s.operands[0], b, 0);
  const auto* const label = reinterpret_cast<const std::int32_t*>(rows_of(s.operands[1], b, 1));
  for (std::int64_t r = 0; r < b.count; ++r) {
    const bool inside = label[r] >= 0 && label[r] < entries;
    std::byte* const row = to + r * mine;
    if (!picks || !inside) std::memset(row, 0, static_cast<std::size_t>(mine));
    if (picks && inside) std::memcpy(row, from + r * theirs + label[r] * mine, static_cast<std::size_t>(mine));
    if (!picks && inside) std::memcpy(row + label[r] * theirs, from + r * theirs, static_cast<std::size_t>(theirs));
  }
}

}  // namespace stg::drafts
