// Rows summed by an index: a stable radix sort of the rows by it, a digit of eight bits at a time, then a sum over each
// entry's rows. No step depends on the order in which threads run, so results are the same bits every time.
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // int32_t, int64_t
#include <type_traits>  // conditional_t
#include <utility>      // swap

#include <stg/codegen/cuda/group.hpp>     // grid
#include <stg/codegen/cuda/reduce.hpp>    // sparse_product_kernel
#include <stg/runtime/sparse_tensor.hpp>  // sparse_rows

namespace stg::gpu {

namespace detail {

inline constexpr int digits = 256;  // values of a digit, and threads of a block that sorts
inline constexpr int sorted_rows_of_block = 1024;

STG_HOST_DEVICE constexpr std::int64_t sorting_blocks(std::int64_t rows) {
  return (rows + sorted_rows_of_block - 1) / sorted_rows_of_block;
}

/// Keys of some rows: those of the call at first, in which an index outside of the table is the entry after the last.
struct keys {
  const std::int32_t* key;  // (rows)
  const std::int32_t* row;  // (rows), or null where they are in order yet
  std::int64_t rows;
  std::int32_t entries;
  int shift;  // of the digit at hand

  template <class Block> STG_KERNEL std::int32_t key_at(const Block& block, std::int64_t k) const {
    const std::int32_t at = block.load_constant(key + k);
    return at < 0 || at > entries ? entries : at;
  }
  template <class Block> STG_KERNEL std::int32_t row_at(const Block& block, std::int64_t k) const {
    return row == nullptr ? static_cast<std::int32_t>(k) : block.load_constant(row + k);
  }
  STG_KERNEL int digit_of(std::int32_t at) const { return at >> shift & (digits - 1); }

  /// Keys of the rows of one block, in its shared memory; how many.
  template <class Block> STG_KERNEL int share(Block& block) const {
    auto* const mine = reinterpret_cast<std::int32_t*>(block.shared());
    const std::int64_t first = block.index() * sorted_rows_of_block;
    const auto count = static_cast<int>(rows - first < sorted_rows_of_block ? rows - first : sorted_rows_of_block);
    for (int k = block.thread(); k < count; k += block.threads()) block.store(mine + k, key_at(block, first + k));
    block.sync();
    return count;
  }
  static constexpr int shared_bytes = sorted_rows_of_block * int{sizeof(std::int32_t)};
  grid launched_with() const { return {sorting_blocks(rows), digits, shared_bytes}; }
};

/// counts[digit, block] = the rows of the block that have it. A thread counts one digit.
struct count_digits_kernel {
  keys from;
  std::int32_t* counts;  // (digits, blocks)

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const int count = from.share(block);
    const auto* const mine = reinterpret_cast<const std::int32_t*>(block.shared());
    std::int32_t n = 0;
    for (int k = 0; k < count; ++k) n += from.digit_of(block.load(mine + k)) == block.thread();
    block.store(counts + block.thread() * block.count() + block.index(), n);
  }
};

/// counts[digit, block] = the rows with the digit in the blocks before; totals[digit] = all of them. A block has one
/// digit, a thread a run of blocks.
struct scan_counts_kernel {
  std::int32_t* counts;  // (digits, blocks)
  std::int32_t* totals;  // (digits)
  std::int64_t blocks;

  grid launched_with() const { return {digits, digits, digits * int{sizeof(std::int32_t)}}; }
  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    auto* const sums = reinterpret_cast<std::int32_t*>(block.shared());
    std::int32_t* const mine = counts + block.index() * blocks;
    const std::int64_t run = (blocks + digits - 1) / digits, first = block.thread() * run;
    const std::int64_t last = first + run < blocks ? first + run : blocks;
    std::int32_t sum = 0;
    for (std::int64_t b = first; b < last; ++b) sum += block.load(mine + b);
    block.store(sums + block.thread(), sum);
    block.sync();
    std::int32_t before = 0;
    for (int t = 0; t < block.thread(); ++t) before += block.load(sums + t);
    for (std::int64_t b = first; b < last; ++b) {
      const std::int32_t n = block.load(mine + b);
      block.store(mine + b, before);
      before += n;
    }
    if (block.thread() == digits - 1) block.store(totals + block.index(), before);
  }
};

/// Rows by the digit, those that share it in their order. A thread moves the rows of one digit.
struct place_rows_kernel {
  keys from;
  const std::int32_t* counts;  // (digits, blocks), of the blocks before
  const std::int32_t* totals;  // (digits)
  std::int32_t *key, *row;     // (rows)

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const int count = from.share(block);
    const auto* const mine = reinterpret_cast<const std::int32_t*>(block.shared());
    std::int64_t to = block.load_constant(counts + block.thread() * block.count() + block.index());
    for (int d = 0; d < block.thread(); ++d) to += block.load_constant(totals + d);
    const std::int64_t first = block.index() * sorted_rows_of_block;
    for (int k = 0; k < count; ++k) {
      const std::int32_t at = block.load(mine + k);
      if (from.digit_of(at) != block.thread()) continue;
      block.store(key + to, at);
      block.store(row + to, from.row_at(block, first + k));
      ++to;
    }
  }
};

/// offsets[i] = the rows before those of entry i, found in the sorted keys; and ones, which rows count with.
template <class T> struct find_entries_kernel {
  const std::int32_t* key;  // (rows), ascending
  std::int64_t* offsets;    // (entries + 1)
  T* ones;                  // (rows)
  std::int64_t rows, entries;

  grid launched_with() const {
    const std::int64_t most = rows > entries ? rows : entries + 1;
    return {(most + digits - 1) / digits, digits, 0};
  }
  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const std::int64_t i = block.index() * block.threads() + block.thread();
    if (i < rows) block.store(ones + i, T(1));
    if (i > entries) return;
    std::int64_t low = 0, high = rows;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (block.load_constant(key + middle) < i) low = middle + 1;
      else high = middle;
    }
    block.store(offsets + i, low);
  }
};

/// The workspace, in lines of 16 bytes: two buffers of keys and rows, counts of digits, offsets and ones. Without one
/// it says how many bytes it needs.
template <class T> class scatter_room {
 public:
  scatter_room(std::byte* workspace, std::int64_t rows, std::int64_t entries) : begin_(workspace) {
    for (std::int32_t*& of : key) take(of, rows);
    for (std::int32_t*& of : row) take(of, rows);
    take(counts, digits * sorting_blocks(rows));
    take(totals, digits);
    take(offsets, entries + 1);
    take(ones, rows);
  }

  std::int32_t *key[2], *row[2], *counts, *totals;
  std::int64_t* offsets;
  T* ones;
  std::int64_t bytes = 0;

 private:
  template <class U> void take(U*& of, std::int64_t count) {
    of = begin_ == nullptr ? nullptr : reinterpret_cast<U*>(begin_ + bytes);
    bytes += (count * int{sizeof(U)} + 15) / 16 * 16;
  }
  std::byte* begin_;
};

/// y[i] = Σ x[row] over the rows whose index is i, as stg::scatter_sum.
template <class T, class Machine>
void scatter_rows(Machine& on, const T* x, const std::int32_t* index, T* y, std::byte* workspace, std::int64_t rows,
                  std::int64_t entries, std::int64_t width) {
  if (entries == 0) return;
  const scatter_room<T> in(workspace, rows, entries);
  int to = 0;
  keys from{index, nullptr, rows, static_cast<std::int32_t>(entries), 0};
  for (; rows > 0 && (from.shift == 0 || entries >> from.shift > 0); from.shift += 8) {
    const count_digits_kernel count{from, in.counts};
    on.launch(count, from.launched_with());
    const scan_counts_kernel scan{in.counts, in.totals, sorting_blocks(rows)};
    on.launch(scan, scan.launched_with());
    const place_rows_kernel place{from, in.counts, in.totals, in.key[to], in.row[to]};
    on.launch(place, from.launched_with());
    from.key = in.key[to];
    from.row = in.row[to];
    to = 1 - to;
  }
  const find_entries_kernel<T> find{from.key, in.offsets, in.ones, rows, entries};
  on.launch(find, find.launched_with());
  const sparse_rows<T> sorted{entries, in.offsets, from.row, in.ones, rows};
  const auto add_up = [&](auto by_blocks) {  // an entry has a warp, or a block where entries have many rows
    const sparse_product_kernel<T, decltype(by_blocks)::value> kernel{sorted, x, y, width, {}, nullptr};
    on.launch(kernel, kernel.launched_with());
  };
  constexpr std::int64_t many = 256;
  if (rows > many * entries) add_up(std::true_type());
  else add_up(std::false_type());
}

}  // namespace detail

}  // namespace stg::gpu
