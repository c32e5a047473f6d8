// Loops of a draft over the edges of a block of rows, some edges at a time.
#include <algorithm>    // copy_n, fill_n, upper_bound
#include <cmath>        // exp
#include <cstring>      // memcpy
#include <type_traits>  // type_identity

#include <stg/base/lowest.hpp>  // finite_or_zero, lowest
#include <stg/op/list.hpp>      // ElementwiseAggregate, visit

#include "../with_type.hpp"  // with_type, with_real_type
#include "block.hpp"         // block
#include "rows.hpp"          // repeat_row

namespace stg::drafts {

namespace {

/// Calls body with what an aggregate begins with and what it is of no edges; a top_share begins with its maximum.
template <class T, class Body> void with_bounds(ir::opcode code, const Body& body) {
  op::visit(code, [&]<class Op>(std::type_identity<Op>) {
    if constexpr (op::ElementwiseAggregate<Op>) body(Op::template neutral<T>(), Op::template of_none<T>());
    else if constexpr (Op::kind == op::category::aggregate) body(lowest<T>(), Op::template of_none<T>());
  });
}

}  // namespace

/// Of a batch that begins with edge k: as many whole rows as there is room for, or a part of one that is longer. So the
/// rows around it do not decide how a row is added up.
std::int64_t block::end_of_batch(std::int64_t k, std::int64_t last_row) const {
  const std::int64_t most = k + room_.edges;
  if (edges_.begin(last_row) <= most) return edges_.begin(last_row);
  const std::int64_t* const ends = edges_.offsets();
  const std::int64_t whole = *(std::upper_bound(ends + row_at_, ends + last_row, most) - 1);
  return whole > k ? whole : most;
}

void block::run_loop(const pass::planned_loop& loop, const batch& rows) {
  edges_ = codegen::edges_of(loop, call_.graph);
  side_ = loop.side;
  for (int r = loop.first_result; r < loop.last_result; ++r) begin(plan_.data.loop_results[r].at, rows);
  const std::int64_t end = edges_.end(rows.first + rows.count - 1);
  row_at_ = rows.first;
  for (std::int64_t k = edges_.begin(rows.first), next; k < end; k = next) {
    while (edges_.end(row_at_) <= k) ++row_at_;
    next = end_of_batch(k, rows.first + rows.count);
    const batch b{{ir::space::edge, loop.relation}, k, next - k};
    for (int v = loop.first_mode; v < loop.last_mode; ++v) {
      const int i = plan_.data.modes[v].at;
      if (plan_.offsets[i] >= 0 && place(i, b) == scratch_ + plan_.offsets[i]) compute(i, b, place(i, b));
      if (plan_.watched.sees(i)) show(i, loop.first_mode, b);
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) take(plan_.data.loop_results[r].at, rows, b);
  }
  for (int r = loop.first_result; r < loop.last_result; ++r) {
    const int a = plan_.data.loop_results[r].at;
    finish(a, rows);
    if (at(a).where == ir::space::vertex && plan_.watched.sees(a)) show(a, loop.first_mode, rows);
  }
}

std::byte* block::state(int result) const {
  const std::int64_t rows = is_in_memory(result) ? 0 : room_.rows * row_bytes(result);
  return scratch_ + plan_.offsets[result] + padded(rows);
}

void block::begin(int a, const batch& rows) const {
  const ir::statement& s = at(a);
  if (s.where == ir::space::edge) return;
  const std::int64_t n = rows.count * plan_.widths[a];
  if (s.code == ir::opcode::first_max_edge) {
    std::fill_n(reinterpret_cast<std::int32_t*>(place(a, rows)), n, op::first_max_edge::of_none<std::int32_t>());
    return;
  }
  codegen::with_type(s.type, [&](auto zero) {
    using T = decltype(zero);
    with_bounds<T>(s.code, [&](T neutral, T) { std::fill_n(reinterpret_cast<T*>(place(a, rows)), n, neutral); });
    if (s.code == ir::opcode::top_share_edges) std::fill_n(reinterpret_cast<T*>(state(a)), n, T{});
  });
}

void block::take(int a, const batch& rows, const batch& b) const {
  const ir::statement& s = at(a);
  if (s.where == ir::space::edge) return write_edges(a, b);
  if (s.code == ir::opcode::top_share_edges) return take_exponentials(a, rows, b);
  if (s.code == ir::opcode::first_max_edge) return take_first(a, rows, b);
  if (take_weighted(a, rows, b)) return;
  const int x = s.operands[0];
  const std::int64_t bytes = row_bytes(a), width = plan_.widths[a];
  const draft_kernels& join = kernels_.kernels(s.code, s.type);
  std::byte* const to = place(a, rows);
  if (joins_neighbours(plan_.data, side_, a)) {
    const std::byte* const table = call_.memory[plan_.data.root(at(x).operands[0])];
    return for_each_row(rows, b, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      join.fold_of(to + (row - rows.first) * bytes, table, edges_.neighbours() + b.first + first, count, width);
    });
  }
  const std::byte* const from = rows_of(x, b, 0);
  for_each_row(rows, b, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
    join.fold(to + (row - rows.first) * bytes, from + first * bytes, count, width);
  });
}

bool block::take_weighted(int a, const batch& rows, const batch& b) const {
  if (plan_.weighted == nullptr) return false;
  for (const weighted_sum& w : *plan_.weighted) {
    if (w.aggregate != a) continue;
    const draft_weighted_sum add = kernels_.weighted_sum[static_cast<int>(at(a).type)];
    const std::int64_t bytes = row_bytes(a), heads = plan_.widths[w.weight];
    if (heads == 0) return true;
    const std::int64_t width = plan_.widths[a] / heads;
    const std::byte* const weights = rows_of(w.weight, b, 0);
    for_each_row(rows, b, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      add(place(a, rows) + (row - rows.first) * bytes, call_.memory[w.table], edges_.neighbours() + b.first + first,
          weights + first * row_bytes(w.weight), count, heads, width, b.count - first);
    });
    return true;
  }
  return false;
}

/// A top_share keeps the largest score and the sum of exponentials of what is less: of the batch all at once, between
/// the maxima and the sums of its rows.
void block::take_exponentials(int a, const batch& rows, const batch& b) const {
  const ir::statement& s = at(a);
  const std::int64_t width = plan_.widths[a], bytes = row_bytes(a);
  const auto kernels = [&](ir::opcode code) -> const draft_kernels& { return kernels_.kernels(code, s.type); };
  codegen::with_real_type(s.type, [&](auto zero) {
    using T = decltype(zero);
    T *const most = reinterpret_cast<T*>(place(a, rows)), *const sums = reinterpret_cast<T*>(state(a));
    const T* const scores = reinterpret_cast<const T*>(rows_of(s.operands[0], b, 0));
    T *const exponentials = reinterpret_cast<T*>(operand_place(1)), *const before =
                                                                        reinterpret_cast<T*>(operand_place(2));
    for_each_row(rows, b, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      T *const mine = most + (row - rows.first) * width, *const sum = sums + (row - rows.first) * width;
      const bool continues = edges_.begin(row) < b.first;
      if (continues) std::copy_n(mine, width, before);
      kernels(ir::opcode::max_edges).fold(mine, scores + first * width, count, width);
      T* const shifts = exponentials + first * width;
      for (std::int64_t f = 0; f < width; ++f) {
        shifts[f] = finite_or_zero(mine[f]);
        if (continues && sum[f] != 0) sum[f] *= std::exp(finite_or_zero(before[f]) - shifts[f]);
      }
      repeat_row(reinterpret_cast<std::byte*>(shifts + width), reinterpret_cast<std::byte*>(shifts), count - 1, bytes);
    });
    const std::int64_t n = b.count * width;
    kernels(ir::opcode::sub).pointwise(exponentials, {{scores, exponentials, nullptr}, {}}, 0, n);
    kernels(ir::opcode::exp).pointwise(exponentials, {{exponentials, nullptr, nullptr}, {}}, 0, n);
    for_each_row(rows, b, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      kernels(ir::opcode::sum_edges)
          .fold(sums + (row - rows.first) * width, exponentials + first * width, count, width);
    });
  });
}

/// The first edge that reaches the maximum; of NaN alone the first of all.
void block::take_first(int a, const batch& rows, const batch& b) const {
  const ir::statement& s = at(a);
  const std::int64_t width = plan_.widths[a];
  auto* const ids = reinterpret_cast<std::int32_t*>(place(a, rows));
  codegen::with_type(at(s.operands[0]).type, [&](auto zero) {
    using T = decltype(zero);
    T* const most = reinterpret_cast<T*>(state(a));
    const T* const from = reinterpret_cast<const T*>(rows_of(s.operands[0], b, 0));
    for_each_row(rows, b, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      const std::int64_t mine = (row - rows.first) * width;
      for (std::int64_t k = first; k < first + count; ++k)
        for (std::int64_t f = 0; f < width; ++f) {
          const T x = from[k * width + f];
          T& best = most[mine + f];
          if (ids[mine + f] >= 0 && !(best < x) && !(best != best && x == x)) continue;
          best = x;
          ids[mine + f] = static_cast<std::int32_t>(codegen::number_of_edge(call_.graph, edges_, b.first + k));
        }
    });
  });
}

/// Stores the rows of an edge value by their edges' ids.
void block::write_edges(int i, const batch& b) const {
  const std::int64_t bytes = row_bytes(i);
  const std::byte* const from = rows_of(i, b, 0);
  std::byte* const to = call_.memory[plan_.data.root(i)];
  for (std::int64_t k = 0; k < b.count; ++k)
    std::memcpy(to + edges_.edge_id(b.first + k) * bytes, from + k * bytes, static_cast<std::size_t>(bytes));
}

void block::finish(int a, const batch& rows) const {
  const ir::statement& s = at(a);
  if (s.where == ir::space::edge || s.code == ir::opcode::first_max_edge) return;
  const std::int64_t width = plan_.widths[a];
  codegen::with_type(s.type, [&](auto zero) {
    using T = decltype(zero);
    T* const to = reinterpret_cast<T*>(place(a, rows));
    if constexpr (std::is_floating_point_v<T>) {
      const T* const sums = s.code == ir::opcode::top_share_edges ? reinterpret_cast<const T*>(state(a)) : nullptr;
      for (std::int64_t k = 0; sums != nullptr && k < rows.count * width; ++k) to[k] = 1 / sums[k];
    }
    with_bounds<T>(s.code, [&](T, T none) {
      for (std::int64_t r = 0; r < rows.count; ++r)
        if (edges_.degree(rows.first + r) == 0) std::fill_n(to + r * width, width, none);
    });
  });
}

}  // namespace stg::drafts
