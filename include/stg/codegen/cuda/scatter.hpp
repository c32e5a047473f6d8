// Rows summed by an index: a stable radix sort of the rows by it, a digit of eight bits at a time, then a sum over each
// entry's rows. No step depends on the order in which threads run, so results are the same bits every time.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int32_t, int64_t

#include <stg/codegen/cuda/group.hpp>   // grid
#include <stg/codegen/cuda/pack.hpp>    // pack
#include <stg/runtime/scatter_sum.hpp>  // check_scattered

namespace stg::gpu {

namespace detail {

inline constexpr int digits = 256;  // values of a digit, and threads of a sorting block
inline constexpr int sorted_rows_of_block = 1024;

STG_HOST_DEVICE constexpr std::int64_t sorting_blocks(std::int64_t rows) {
  return (rows + sorted_rows_of_block - 1) / sorted_rows_of_block;
}

/// Keys of some rows: those of the call at first; an index outside of the table becomes the entry after the last.
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

/// counts[digit, block] = the rows of the block with this digit. A thread counts one digit.
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

/// Orders rows by the digit, stably. A thread moves the rows of one digit.
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

/// offsets[i] = the number of rows before entry i, found in the sorted keys.
struct find_entries_kernel {
  const std::int32_t* key;  // (rows), ascending
  std::int64_t* offsets;    // (entries + 1)
  std::int64_t rows, entries;

  grid launched_with() const { return {entries / digits + 1, digits, 0}; }
  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const std::int64_t i = block.index() * block.threads() + block.thread();
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

/// The rows of x to be added up, in the order of their entries, cut into parts. An entry with more rows than a part is
/// a long one: each part that holds some of its rows sums them, and the sums are added afterwards.
template <class T> struct sorted_sums {
  const T* x;                   // (rows, width)
  const std::int32_t* key;      // (rows), ascending
  const std::int32_t* row;      // (rows), of x
  const std::int64_t* offsets;  // (entries + 1)
  T* y;                         // (entries, width)
  T* sums;                      // (2, parts, width): of the entry at a part's beginning, of the entry at its end
  std::int64_t rows, entries, width;

  static constexpr int part = 512, warps = 4, most_columns_of_a_lane = 4;
  STG_HOST_DEVICE static constexpr std::int64_t parts_of(std::int64_t rows) { return (rows + part - 1) / part; }
  STG_HOST_DEVICE std::int64_t parts() const { return parts_of(rows); }
  static grid warp_for_each(std::int64_t count) { return {(count + warps - 1) / warps, 32 * warps, 0}; }
  template <class Block> STG_KERNEL static std::int64_t my_number(const Block& block) {
    return block.index() * warps + block.thread() / 32;
  }

  /// The positions of an entry's rows.
  struct range {
    std::int64_t begin, end;
    STG_KERNEL bool is_long() const { return end - begin > part; }
  };
  template <class Lanes> STG_KERNEL range of_entry(const Lanes& lanes, std::int64_t i) const {
    return {lanes.load_constant(offsets + i), lanes.load_constant(offsets + i + 1)};
  }
  /// The rows of the entry at a part's first or last position; none for rows outside of the table.
  template <class Lanes> STG_KERNEL range of_position(const Lanes& lanes, std::int64_t k) const {
    const std::int64_t i = lanes.load_constant(key + k);
    return i < entries ? of_entry(lanes, i) : range{k, k};
  }

  /// to = the sum of the rows of `from` named by `number` at positions [first, last); null: the positions themselves.
  /// The lanes of a warp share a row, four columns each, and the remaining lanes take other rows.
  template <class Lanes>
  STG_KERNEL void add_up(const Lanes& lanes, const T* from, const std::int32_t* number, std::int64_t first,
                         std::int64_t last, T* to) const {
    if (width % most_columns_of_a_lane == 0)
      add_up_columns<most_columns_of_a_lane>(lanes, from, number, first, last, to);
    else add_up_columns<1>(lanes, from, number, first, last, to);
  }

 private:
  static constexpr int in_flight = 4;  // rows on their way at the same time, for each lane

  template <int N, class Lanes>
  STG_KERNEL void add_up_columns(const Lanes& lanes, const T* from, const std::int32_t* number, std::int64_t first,
                                 std::int64_t last, T* to) const {
    int across = 1;  // lanes that share a row
    while (across < lanes.size() && across * N < width) across *= 2;
    const int at_once = lanes.size() / across, share = lanes.rank() / across;
    for (std::int64_t run = 0; run < width; run += across * N) {
      const std::int64_t f = run + lanes.rank() % across * N, column = f < width ? f : 0;
      pack<T, N> total{};
      for (std::int64_t k = first + share; k < last; k += in_flight * at_once) {
        pack<T, N> next[in_flight];
        for (int r = 0; r < in_flight; ++r) {
          const std::int64_t at = k + r * at_once < last ? k + r * at_once : k;
          const std::int64_t row_at = number == nullptr ? at : lanes.load_constant(number + at);
          next[r] = lanes.template load_constant_pack<N>(from + row_at * width + column);
        }
        for (int r = 0; r < in_flight; ++r)
          for (int n = 0; n < N; ++n)
            if (k + r * at_once < last) total.at[n] += next[r].at[n];
      }
      for (int step = lanes.size() / 2; step >= across; step /= 2)
        for (int n = 0; n < N; ++n) total.at[n] += lanes.shuffle(total.at[n], lanes.rank() ^ step);
      if (share == 0 && f < width) lanes.store_pack(to + f, total);
    }
  }
};

/// y[i] of the short entries. A warp has one.
template <class T> struct sum_entries_kernel {
  sorted_sums<T> of;
  grid launched_with() const { return of.warp_for_each(of.entries); }
  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const auto lanes = block.template group<32>();
    const std::int64_t i = of.my_number(block);
    if (i >= of.entries) return;
    const auto mine = of.of_entry(lanes, i);
    if (!mine.is_long()) of.add_up(lanes, of.x, of.row, mine.begin, mine.end, of.y + i * of.width);
  }
};
/// A part's rows of the long entries that it begins and ends with. A warp has one part.
template <class T> struct sum_parts_kernel {
  sorted_sums<T> of;
  grid launched_with() const { return of.warp_for_each(of.parts()); }
  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const auto lanes = block.template group<32>();
    const std::int64_t p = of.my_number(block), first = p * of.part;
    if (p >= of.parts()) return;
    const std::int64_t last = first + of.part < of.rows ? first + of.part : of.rows;
    const auto head = of.of_position(lanes, first), tail = of.of_position(lanes, last - 1);
    if (head.is_long())
      of.add_up(lanes, of.x, of.row, first, head.end < last ? head.end : last, of.sums + p * of.width);
    if (tail.is_long() && tail.begin > first)
      of.add_up(lanes, of.x, of.row, tail.begin, last, of.sums + (of.parts() + p) * of.width);
  }
};
/// y[i] of the long entries, from the sums of parts. The warp of the entry's first part computes it.
template <class T> struct join_parts_kernel {
  sorted_sums<T> of;
  grid launched_with() const { return of.warp_for_each(of.parts()); }
  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const auto lanes = block.template group<32>();
    const std::int64_t p = of.my_number(block), first = p * of.part;
    if (p >= of.parts()) return;
    const std::int64_t last = first + of.part < of.rows ? first + of.part : of.rows;
    const auto tail = of.of_position(lanes, last - 1);  // a long entry at the end goes on behind this part
    if (!tail.is_long() || tail.begin < first) return;
    T* const to = of.y + std::int64_t{lanes.load_constant(of.key + last - 1)} * of.width;
    const bool is_head = tail.begin == first;
    const std::int64_t end = of.parts_of(tail.end);
    of.add_up(lanes, of.sums, nullptr, is_head ? p : p + 1, end, to);
    if (!is_head) add(lanes, of.sums + (of.parts() + p) * of.width, to);
  }

 private:
  template <class Lanes> STG_KERNEL void add(const Lanes& lanes, const T* x, T* to) const {
    lanes.sync();
    for (std::int64_t f = lanes.rank(); f < of.width; f += lanes.size())
      lanes.store(to + f, lanes.load_constant(x + f) + lanes.load(to + f));
  }
};

/// The workspace, in lines of 16 bytes: two buffers of keys and rows, counts of digits, offsets and sums of parts.
/// Without one it says how many bytes it needs.
template <class T> class scatter_room {
 public:
  scatter_room(std::byte* workspace, std::int64_t rows, std::int64_t entries, std::int64_t width) : begin_(workspace) {
    for (std::int32_t*& of : key) take(of, rows);
    for (std::int32_t*& of : row) take(of, rows);
    take(counts, digits * sorting_blocks(rows));
    take(totals, digits);
    take(offsets, entries + 1);
    take(sums, 2 * sorted_sums<T>::parts_of(rows) * width);
  }

  std::int32_t *key[2], *row[2], *counts, *totals;
  std::int64_t* offsets;
  T* sums;
  std::int64_t bytes = 0;

 private:
  template <class U> void take(U*& of, std::int64_t count) {
    of = begin_ == nullptr ? nullptr : reinterpret_cast<U*>(begin_ + bytes);
    bytes += (count * int{sizeof(U)} + 15) / 16 * 16;
  }
  std::byte* begin_;
};

/// y[i] = Σ x[row] over the rows with index i, as stg::scatter_sum.
template <class T, class Machine>
void scatter_rows(Machine& on, const T* x, const std::int32_t* index, T* y, std::byte* workspace, std::int64_t rows,
                  std::int64_t entries, std::int64_t width) {
  check_scattered(rows, entries);
  if (entries == 0) return;
  const auto run = [&](const auto& kernel) { on.launch(kernel, kernel.launched_with()); };
  const scatter_room<T> in(workspace, rows, entries, width);
  int to = 0;
  keys from{index, nullptr, rows, static_cast<std::int32_t>(entries), 0};
  for (; rows > 0 && (from.shift == 0 || entries >> from.shift > 0); from.shift += 8) {
    on.launch(count_digits_kernel{from, in.counts}, from.launched_with());
    run(scan_counts_kernel{in.counts, in.totals, sorting_blocks(rows)});
    on.launch(place_rows_kernel{from, in.counts, in.totals, in.key[to], in.row[to]}, from.launched_with());
    from.key = in.key[to];
    from.row = in.row[to];
    to = 1 - to;
  }
  run(find_entries_kernel{from.key, in.offsets, rows, entries});
  const sorted_sums<T> sums{x, from.key, from.row, in.offsets, y, in.sums, rows, entries, width};
  run(sum_entries_kernel<T>{sums});
  if (rows <= sorted_sums<T>::part) return;
  run(sum_parts_kernel<T>{sums});
  run(join_parts_kernel<T>{sums});
}

}  // namespace detail

}  // namespace stg::gpu
