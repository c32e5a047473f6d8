// Kernels over whole arrays: sums and maxima over all rows, products with sparse rows, and labels looked at.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/keep_mask.hpp>          // keeps
#include <stg/base/lowest.hpp>             // lowest
#include <stg/codegen/cuda/features.hpp>   // add, larger
#include <stg/codegen/cuda/group.hpp>      // grid
#include <stg/runtime/binding.hpp>         // bound_labels
#include <stg/runtime/sparse_product.hpp>  // entry_dropout, sparse_rows

namespace stg::gpu {

/// Threads of a block that reduces.
inline constexpr int reducing_threads = 128;

/// Slabs of rows that are reduced separately, then among themselves: by the number of rows alone, so that results do
/// not depend on the device.
constexpr std::int64_t reducing_slabs(std::int64_t rows) {
  constexpr std::int64_t least_rows = 512, most = 1024;
  return rows <= 2 * least_rows ? 1 : rows / least_rows < most ? rows / least_rows : most;
}
/// Columns that a block of so many threads takes: a power of two, as many as the rows have.
STG_HOST_DEVICE constexpr int reducing_columns(std::int64_t width, int threads) {
  int n = 1;
  while (n < width && n < threads) n *= 2;
  return n;
}

/// to[slab, f] = the sum (Op add) or maximum (Op larger) of x[row, f] over the rows of each slab; over no rows 0.
/// One block for each slab and run of columns. Threads take every so-manieth row, then their results are combined in
/// order.
template <class T, class Op> struct reduce_kernel {
  const T* x;  // (rows, width)
  T* to;       // (slabs, width)
  std::int64_t rows, width, slabs;

  grid launched_with() const {
    const int columns = reducing_columns(width, reducing_threads);
    return {slabs * ((width + columns - 1) / columns), reducing_threads, reducing_threads * int{sizeof(T)}};
  }
  STG_KERNEL static T begin() {
    if constexpr (std::is_same_v<Op, detail::add>) return T{};
    else return lowest<T>();
  }

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    const int run = reducing_columns(width, reducing_threads), columns = reducing_columns(run, block.threads());
    const int at_once = block.threads() / columns, lane = block.thread() / columns;
    const std::int64_t slab = block.index() % slabs;
    const std::int64_t first = rows / slabs * slab + (slab < rows % slabs ? slab : rows % slabs);
    const std::int64_t last = first + rows / slabs + (slab < rows % slabs ? 1 : 0);
    T* const partial = reinterpret_cast<T*>(block.shared());
    for (int column = block.thread() % columns; column < run; column += columns) {
      const std::int64_t f = block.index() / slabs * run + column;
      T mine = begin();
      for (std::int64_t row = first + lane; row < last && f < width; row += at_once)
        mine = Op()(mine, block.load_constant(x + row * width + f));
      block.store(partial + block.thread(), mine);
      block.sync();
      if (lane == 0 && f < width) {
        for (int k = 1; k < at_once; ++k) mine = Op()(mine, block.load(partial + k * columns + block.thread()));
        block.store(to + slab * width + f, first == last ? T{} : mine);
      }
      block.sync();
    }
  }
};

/// y = x w of sparse rows x, a warp for each; entries that are dropped count 0, others 1 / (1 - p) times. Transposed:
/// x is given by column, so that an entry's row is a vertex of the mask's column.
template <class T, bool Transposed> struct sparse_product_kernel {
  sparse_rows<T> x;
  const T* w;  // (columns of x, cols)
  T* y;        // (rows of x, cols)
  std::int64_t cols;
  entry_dropout drop;
  const std::uint32_t* launches;  // of the captured step that the call is part of, or null

  static constexpr int warps = 4;
  grid launched_with() const { return {(x.count + warps - 1) / warps, 32 * warps, 0}; }

  template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
    auto lanes = block.template group<32>();
    const std::int64_t groups = block.threads() / lanes.size();
    for (std::int64_t row = block.index() * groups + block.thread() / lanes.size(); row < x.count;
         row += block.count() * groups)
      for (std::int64_t f = lanes.rank(); f < cols; f += lanes.size())
        lanes.store(y + row * cols + f, sum(lanes, row, f));
  }

 private:
  template <class Lanes> STG_HOST_DEVICE T sum(const Lanes& lanes, std::int64_t row, std::int64_t f) const {
    const std::int64_t begin = lanes.load_constant(x.offsets + row), end = lanes.load_constant(x.offsets + row + 1);
    const std::uint32_t call = detail::number_now(lanes, drop.call, launches);
    T total{};
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t column = lanes.load_constant(x.index + k);
      T value = lanes.load_constant(x.value + k);
      if (drop.probability != 0) {
        const std::int64_t vertex = Transposed ? column : row, id = drop.vertices ? drop.vertices[vertex] : vertex;
        const bool kept = keeps(drop.seed, call, drop.site, id, Transposed ? row : column, drop.probability);
        if (!kept) continue;
        value *= static_cast<T>(1 / (1 - drop.probability));
      }
      total += value * lanes.load_constant(w + column * cols + f);
    }
    return total;
  }
};

/// For each of its blocks the first row whose label is none of the classes, or that a mask names; `rows` where there is
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
