// Kernels over whole arrays: sums and maxima over all rows, products with sparse rows, and labels looked at.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/keep_mask.hpp>          // keeps
#include <stg/base/lowest.hpp>             // lowest
#include <stg/codegen/cuda/features.hpp>   // add, larger
#include <stg/codegen/cuda/group.hpp>      // grid
#include <stg/codegen/cuda/pack.hpp>       // pack
#include <stg/runtime/binding.hpp>         // bound_labels
#include <stg/runtime/sparse_product.hpp>  // entry_dropout, sparse_rows

namespace stg::gpu {

/// Threads of a reducing block.
inline constexpr int reducing_threads = 256;
/// Numbers that a thread takes at a time of rows of this width, 16 bytes if the width divides into as many.
template <class T> constexpr int reducing_pack(std::int64_t width) {
  constexpr int most = 16 / int{sizeof(T)};
  return width % most == 0 ? most : 1;
}
/// Columns, of packs, that a block of so many threads takes: a power of two, as many as the rows have.
STG_HOST_DEVICE constexpr int reducing_columns(std::int64_t packs, int threads) {
  int n = 1;
  while (n < packs && n < threads) n *= 2;
  return n;
}
/// Slabs of rows reduced separately, then among themselves: by the sizes alone, so that results do not depend on the
/// device. A thread has 8 rows of a slab, or more if slabs would be too many for the second round.
template <class T> constexpr std::int64_t reducing_slabs(std::int64_t rows, std::int64_t width) {
  constexpr std::int64_t rows_of_thread = 8, most = 512;
  const int at_once = reducing_threads / reducing_columns(width / reducing_pack<T>(width), reducing_threads);
  const std::int64_t least_rows = rows_of_thread * at_once;
  return rows <= 2 * least_rows ? 1 : rows / least_rows < most ? rows / least_rows : most;
}

/// to[slab, f] = the sum (Op add) or maximum (Op larger) of x[row, f] over the rows of each slab; over no rows 0.
/// One block for each slab and run of columns. Threads take every so-manieth row, then their results are combined, half
/// of them with the other half until one is left.
template <class T, class Op> struct reduce_kernel {
  const T* x;  // (rows, width)
  T* to;       // (slabs, width)
  std::int64_t rows, width, slabs;

  grid launched_with() const {
    const std::int64_t packs = width / reducing_pack<T>(width);
    const int columns = reducing_columns(packs, reducing_threads);
    return {slabs * ((packs + columns - 1) / columns), reducing_threads, reducing_threads * 16};
  }
  STG_KERNEL static T begin() {
    if constexpr (std::is_same_v<Op, detail::add>) return T{};
    else return lowest<T>();
  }

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    constexpr int most = 16 / int{sizeof(T)};
    if (width % most == 0) reduce<most>(block);
    else reduce<1>(block);
  }

 private:
  /// Rows on their way at the same time, for each thread.
  static constexpr int in_flight = 4;

  template <int N> STG_KERNEL static void combine(pack<T, N>& mine, const pack<T, N>& x) {
    for (int k = 0; k < N; ++k) mine.at[k] = Op()(mine.at[k], x.at[k]);
  }
  template <int N, class Block> STG_KERNEL void reduce(Block& block) const {
    const std::int64_t packs = width / N;
    const int run = reducing_columns(packs, reducing_threads), columns = reducing_columns(run, block.threads());
    const int at_once = block.threads() / columns, lane = block.thread() / columns;
    const std::int64_t slab = block.index() % slabs;
    const std::int64_t first = rows / slabs * slab + (slab < rows % slabs ? slab : rows % slabs);
    const std::int64_t last = first + rows / slabs + (slab < rows % slabs ? 1 : 0);
    T* const partial = reinterpret_cast<T*>(block.shared());  // (threads, N)
    for (int column = block.thread() % columns; column < run; column += columns) {
      const std::int64_t f = (block.index() / slabs * run + column) * N;
      pack<T, N> mine;
      for (int k = 0; k < N; ++k) mine.at[k] = begin();
      if (f < width) take<N>(block, mine, first + lane, last, at_once, f);
      block.store_pack(partial + block.thread() * N, mine);
      for (int half = at_once / 2; half > 0; half /= 2) {
        block.sync();
        if (lane >= half) continue;
        combine(mine, block.template load_pack<N>(partial + (block.thread() + half * columns) * N));
        block.store_pack(partial + block.thread() * N, mine);
      }
      if (first == last) mine = pack<T, N>{};
      if (lane == 0 && f < width) block.store_pack(to + slab * width + f, mine);
      block.sync();
    }
  }
  template <int N, class Block>
  STG_KERNEL void take(const Block& block, pack<T, N>& mine, std::int64_t row, std::int64_t last, int step,
                       std::int64_t f) const {
    for (; row + (in_flight - 1) * step < last; row += in_flight * step) {
      pack<T, N> next[in_flight];
      for (int r = 0; r < in_flight; ++r)
        next[r] = block.template load_constant_pack<N>(x + (row + r * step) * width + f);
      for (int r = 0; r < in_flight; ++r) combine(mine, next[r]);
    }
    for (; row < last; row += step) combine(mine, block.template load_constant_pack<N>(x + row * width + f));
  }
};

/// y = x w of sparse rows x; entries that are dropped count 0, others 1 / (1 - p) times. A row has a warp. Transposed:
/// x is given by column, so that an entry's row is a vertex of the mask's column; columns may have any number of
/// entries, and have a block each.
///
/// Every lane loads an entry and draws its mask, then hands it to the others. Lanes share the row of w four columns
/// each, and the remaining lanes take other entries; sums are put together in an order fixed by the sizes.
template <class T, bool Transposed> struct sparse_product_kernel {
  sparse_rows<T> x;
  const T* w;  // (columns of x, cols)
  T* y;        // (rows of x, cols)
  std::int64_t cols;
  entry_dropout drop;
  const std::uint32_t* launches;  // of the captured step with this call, or null

  static constexpr int warps = 4, most_columns_of_a_lane = 4;
  grid launched_with() const {
    constexpr int threads = 32 * warps;
    if (Transposed) return {x.count, threads, threads * most_columns_of_a_lane * int{sizeof(T)}};
    return {(x.count + warps - 1) / warps, threads, 0};
  }

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    if (cols % most_columns_of_a_lane == 0) multiply<most_columns_of_a_lane>(block);
    else multiply<1>(block);
  }

 private:
  /// Rows of w on their way at the same time, for each lane.
  static constexpr int in_flight = 4;
  struct entry {
    std::int32_t column = 0;
    T value{};
  };

  template <int N, class Block> STG_KERNEL void multiply(Block& block) const {
    auto lanes = block.template group<32>();
    const int groups = block.threads() / lanes.size(), group = block.thread() / lanes.size();
    int across = 1;  // lanes that share a row of w
    while (across < lanes.size() && across * N < cols) across *= 2;
    const int share = lanes.rank() / across;
    const std::int64_t first = Transposed ? block.index() : block.index() * groups + group;
    for (std::int64_t row = first; row < x.count; row += Transposed ? block.count() : block.count() * groups)
      for (std::int64_t run = 0; run < cols; run += across * N) {
        const std::int64_t f = run + lanes.rank() % across * N;
        pack<T, N> total = sum<N>(lanes, row, f, across, Transposed ? group : 0, Transposed ? groups : 1);
        if constexpr (Transposed) {
          T* const partial = reinterpret_cast<T*>(block.shared());  // (threads, N)
          block.store_pack(partial + block.thread() * N, total);
          block.sync();
          for (int g = 1; g < groups && group == 0; ++g) {
            const auto theirs = block.template load_pack<N>(partial + (g * lanes.size() + lanes.rank()) * N);
            for (int k = 0; k < N; ++k) total.at[k] += theirs.at[k];
          }
          block.sync();
        }
        if (share == 0 && f < cols && (!Transposed || group == 0)) lanes.store_pack(y + row * cols + f, total);
      }
  }

  /// Elements [f, f + N) of the row's sum over the entries of a group: runs of as many as it has lanes, every
  /// groups-manieth run.
  template <int N, class Lanes>
  STG_KERNEL pack<T, N> sum(const Lanes& lanes, std::int64_t row, std::int64_t f, int across, int group,
                            int groups) const {
    const int size = lanes.size(), at_once = size / across, share = lanes.rank() / across;
    const std::int64_t begin = lanes.load_constant(x.offsets + row), end = lanes.load_constant(x.offsets + row + 1);
    const std::uint32_t call = detail::number_now(lanes, drop.call, launches);
    const std::int64_t column_of_w = f < cols ? f : 0;
    pack<T, N> total{};
    for (std::int64_t k = begin + group * size; k < end; k += std::int64_t{groups} * size) {
      const int count = static_cast<int>(end - k < size ? end - k : size);
      const entry mine = entry_at(lanes, row, k + (lanes.rank() < count ? lanes.rank() : count - 1), call);
      for (int j = 0; j < count; j += in_flight * at_once) {
        pack<T, N> rows[in_flight];
        T values[in_flight];
        for (int r = 0; r < in_flight; ++r) {
          const int at = j + r * at_once + share, from = at < count ? at : count - 1;
          const std::int64_t column = lanes.shuffle(mine.column, from);
          values[r] = lanes.shuffle(mine.value, from);
          rows[r] = lanes.template load_constant_pack<N>(w + column * cols + column_of_w);
        }
        for (int r = 0; r < in_flight; ++r)
          for (int n = 0; n < N; ++n)
            if (j + r * at_once + share < count) total.at[n] += values[r] * rows[r].at[n];
      }
    }
    for (int step = size / 2; step >= across; step /= 2)
      for (int n = 0; n < N; ++n) total.at[n] += lanes.shuffle(total.at[n], lanes.rank() ^ step);
    return total;
  }

  template <class Lanes>
  STG_KERNEL entry entry_at(const Lanes& lanes, std::int64_t row, std::int64_t k, std::uint32_t call) const {
    entry e{lanes.load_constant(x.index + k), lanes.load_constant(x.value + k)};
    if (drop.probability == 0) return e;
    const std::int64_t vertex = Transposed ? e.column : row, id = drop.vertices ? drop.vertices[vertex] : vertex;
    const bool kept = keeps(drop.seed, call, drop.site, id, Transposed ? row : e.column, drop.probability);
    e.value = kept ? e.value * static_cast<T>(1 / (1 - drop.probability)) : T{};
    return e;
  }
};

/// For each of its blocks the first row with a label outside of the classes, or named by a mask; `rows` if there is
/// none.
struct label_kernel {
  bound_labels labels;
  std::int64_t* found;  // (blocks)

  static constexpr int blocks = 64, threads = 128;
  static constexpr grid launched_with() { return {blocks, threads, threads * int{sizeof(std::int64_t)}}; }

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    std::int64_t row = block.index() * block.threads() + block.thread();
    while (row < labels.rows && is_passed(block, row)) row += block.count() * block.threads();
    auto* const firsts = reinterpret_cast<std::int64_t*>(block.shared());
    block.store(firsts + block.thread(), row);
    block.sync();
    if (block.thread() != 0) return;
    std::int64_t first = labels.rows;
    for (int k = 0; k < block.threads(); ++k) {
      const std::int64_t theirs = block.load(firsts + k);
      first = theirs < first ? theirs : first;
    }
    block.store(found + block.index(), first);
  }

 private:
  template <class Block> STG_HOST_DEVICE bool is_passed(const Block& block, std::int64_t row) const {
    if (labels.label == nullptr) return !block.load_constant(labels.kept + row);
    if (labels.kept != nullptr && !block.load_constant(labels.kept + row)) return true;
    const std::int32_t label = block.load_constant(labels.label + row);
    return label >= 0 && label < labels.classes;
  }
};

}  // namespace stg::gpu
