// Running a chain: its dense products and sweeps on one block of rows after the other, so that what one leaves for the
// next is still in a cache.
//
// Rows are computed by themselves in products and sweeps alike: bits depend neither on blocks nor on threads.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/scratch.hpp>  // scratch_layout, rows_of_block
#include <stg/codegen/cpu/sweep.hpp>    // sweep_for, sweep_part
#include <stg/codegen/cpu/whole.hpp>    // stored_at, last_extent
#include <stg/runtime/dense.hpp>        // pack_product, product_rows
#include <stg/runtime/parallel.hpp>     // parallel_in_slots, worth_threads

namespace stg::cpu {

namespace detail {

template <class P, int Unit> constexpr bool is_product() {
  return P::plan.units[Unit].kind == pass::unit_kind::product;
}
/// The statement of a product's unit.
template <class P, int Unit> inline constexpr int product_of = P::plan.steps[P::plan.units[Unit].first_step].index;

/// What one thread needs for a unit, in nanoseconds; a sweep computes about two numbers in one.
template <class P, int Unit> std::int64_t unit_time(const launch& l) {
  if constexpr (is_product<P, Unit>()) {
    constexpr int I = product_of<P, Unit>, X = P::program.statements[I].operands[0];
    return product_time(dense_rows<P, X>(l), last_extent<P, X>(l), last_extent<P, I>(l));
  } else {
    std::int64_t bytes = 0;
    for (int k = P::plan.units[Unit].first_step; k < P::plan.units[Unit].last_step; ++k)
      bytes += bytes_of_row(data_of<P>, P::plan.steps[k].index, l.extents);
    return l.vertices * bytes / 8;
  }
}
/// Whether the unit that a chain begins with cuts rows. One that comes later finds rows of its block alone.
template <class P, int First> bool has_long_rows(const launch& l) {
  return long_row_results(data_of<P>, First, l, nullptr).bytes(1) > 0;
}
template <class P, int Unit> std::int64_t packed_bytes(const launch& l) {
  if constexpr (is_product<P, Unit>()) return (workspace_of<P, product_of<P, Unit>>(l) + 63) / 64 * 64;
  else return 0;
}

/// How the rows of the chain that begins with unit First are divided, and what lies in the workspace: the products'
/// parameters laid out anew, then the scratch of every thread that takes part, then what loops make of long rows.
template <class P, int First> struct chain_layout {
  static constexpr int length = P::plan.units[First].chained;
  using links = std::make_integer_sequence<int, length>;

  std::int64_t rows = 0, blocks = 0, threads = 1;
  std::int64_t packed[length + 1]{};  // where each unit's parameter lies; then what all take
  scratch_layout<P> scratch;

  explicit chain_layout(const launch& l)
      : rows(rows_of_block(data_of<P>, First, First + length, l.extents)),
        scratch(First, First + length, l.extents, rows < l.vertices ? rows : l.vertices) {
    divide(l, links());
  }
  std::int64_t bytes(const launch& l) const {
    return packed[length] + threads * scratch.sizes.bytes +
           long_row_results(data_of<P>, First, l, nullptr).bytes(threads);
  }

 private:
  template <int... Link> void divide(const launch& l, std::integer_sequence<int, Link...>) {
    ((packed[Link + 1] = packed[Link] + packed_bytes<P, First + Link>(l)), ...);
    blocks = (l.vertices + rows - 1) / rows;
    if (has_long_rows<P, First>(l)) threads = l.threads;
    else if (worth_threads((unit_time<P, First + Link>(l) + ...))) threads = blocks < l.threads ? blocks : l.threads;
  }
};

template <class P, int Unit> void pack(const launch& l, std::byte* packed) {
  if constexpr (is_product<P, Unit>()) {
    constexpr int I = product_of<P, Unit>;
    constexpr ir::statement s = P::program.statements[I];
    pack_product(stored_at<P, s.operands[1]>(l), reinterpret_cast<element<P, I>*>(packed),
                 last_extent<P, s.operands[0]>(l), last_extent<P, I>(l), s.attribute == 1);
  }
}

/// The rows of a value that begin with the block's first.
template <class P, int I> element<P, I>* rows_in(const sweep_part& block) {
  constexpr int R = root_of<P>(I);
  if constexpr (P::plan.in_block[R]) return reinterpret_cast<element<P, I>*>(block.scratch + block.offsets[R]);
  else return stored_at<P, I>(block.call) + block.first * width<P, R>(block.call);
}

/// One unit of a chain, for one block of rows.
template <class P, int Unit> void run_link(const sweep_part& block, const std::byte* packed) {
  if constexpr (is_product<P, Unit>()) {
    constexpr int I = product_of<P, Unit>, X = P::program.statements[I].operands[0];
    const std::int64_t inner = last_extent<P, X>(block.call), cols = last_extent<P, I>(block.call);
    const std::int64_t each = axes_product<P, X, 0, P::program.statements[X].dims.rank - 1>(block.call);
    product_rows(rows_in<P, X>(block), reinterpret_cast<const element<P, I>*>(packed), rows_in<P, I>(block),
                 (block.last - block.first) * each, inner, cols);
  } else {
    sweep_for<P, Unit>(block.call)(block);
  }
}

template <class P, int First, int... Link>
void run_links(const launch& l, const chain_layout<P, First>& layout, std::integer_sequence<int, Link...>) {
  (pack<P, First + Link>(l, l.workspace + layout.packed[Link]), ...);
  const scratch_sizes& sizes = layout.scratch.sizes;
  std::byte* const scratch = l.workspace + layout.packed[sizeof...(Link)];
  const sweep_part rows{l, layout.scratch.offsets, sizes.edges_at_a_time, scratch, 0, l.vertices};
  const long_row_results hubs(data_of<P>, First, l, scratch + layout.threads * sizes.bytes);
  const long_row_results* long_rows = nullptr;
  if constexpr (!is_product<P, First>())
    long_rows = hubs.compute(rows, sizes.bytes, layout.threads, sweep_for<P, First>(l));
  parallel_in_slots(layout.threads, layout.blocks, [&](std::int64_t b, std::int64_t slot) {
    sweep_part block = rows;
    block.scratch += slot * sizes.bytes;
    block.first = b * layout.rows;
    block.last = block.first + layout.rows < l.vertices ? block.first + layout.rows : l.vertices;
    ((block.long_rows = Link == 0 ? long_rows : nullptr,
      run_link<P, First + Link>(block, l.workspace + layout.packed[Link])),
     ...);
  });
}

}  // namespace detail

/// Runs the chain of units that begins with unit First.
template <class P, int First> void run_chain(const launch& l) {
  const detail::chain_layout<P, First> layout(l);
  detail::run_links(l, layout, typename detail::chain_layout<P, First>::links());
}

}  // namespace stg::cpu
