// Statements along the feature axes of a row.
#include <algorithm>  // fill_n
#include <cmath>      // exp
#include <cstring>    // memcpy, memset

#include <stg/base/lowest.hpp>           // finite_or_zero, lowest
#include <stg/codegen/reduced_axes.hpp>  // for_each_reduced

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
  switch (s.code) {
    case ir::opcode::reduce_sum:
    case ir::opcode::reduce_max:
    case ir::opcode::reduce_top_share:
      return reduce(i, b, to);
    case ir::opcode::pick:
    case ir::opcode::put:
      return move_entries(i, b, to);
    case ir::opcode::transpose:
      return transpose_rows(to, axes(s.dims, call_.extents), rows_of(s.operands[0], b, 0), s.swapped_axis(),
                            s.other_axis(), b.count, bytes_of(s.type));
    default:
      return move_parts(i, b, to);
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

/// concat, slice and pad move runs of the axis and everything to its right.
void block::move_parts(int i, const batch& b, std::byte* to) const {
  const ir::statement& s = at(i);
  const axes mine(s.dims, call_.extents), theirs(at(s.operands[0]).dims, call_.extents);
  const std::int64_t run = mine.product(s.part_axis() + 1, mine.rank) * bytes_of(s.type);
  const std::int64_t outer = b.count * mine.product(0, s.part_axis());
  const std::int64_t of_mine = mine.at[s.part_axis()] * run, of_theirs = theirs.at[s.part_axis()] * run;
  const std::byte* from = rows_of(s.operands[0], b, 0);
  const auto copy = [](std::byte* into, const std::byte* source, std::int64_t n) {
    std::memcpy(into, source, static_cast<std::size_t>(n));
  };
  if (s.code == ir::opcode::concat) {
    const std::byte* second = rows_of(s.operands[1], b, 1);
    for (std::int64_t o = 0; o < outer; ++o) {
      copy(to + o * of_mine, from + o * of_theirs, of_theirs);
      copy(to + o * of_mine + of_theirs, second + o * (of_mine - of_theirs), of_mine - of_theirs);
    }
    return;
  }
  const std::int64_t begin = codegen::extent_of(s.beginning().code, call_.extents) * run;
  for (std::int64_t o = 0; o < outer; ++o) {
    if (s.code == ir::opcode::slice) {
      copy(to + o * of_mine, from + o * of_theirs + begin, of_mine);
    } else {
      std::memset(to + o * of_mine, 0, static_cast<std::size_t>(of_mine));
      copy(to + o * of_mine + begin, from + o * of_theirs, of_theirs);
    }
  }
}

/// pick copies one entry of the first axis, put sets one and the others to 0; entries outside are 0. All rows pick from
/// a graph's value where it lies, however large it is.
void block::move_entries(int i, const batch& b, std::byte* to) const {
  const ir::statement& s = at(i);
  const std::byte* const table = picks_from_table(plan_.data, i) ? place(plan_.data.root(s.operands[0]), b) : nullptr;
  const std::int64_t mine = row_bytes(i);
  const std::int64_t theirs = table != nullptr ? 0 : plan_.widths[s.operands[0]] * bytes_of(s.type);
  const bool picks = s.code == ir::opcode::pick;
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
