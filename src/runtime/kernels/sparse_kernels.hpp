// Rows of a sparse product, compiled once per instruction set by kernels_{baseline,avx2,avx512}.cpp.
// No inline function of the standard library or of stg is called here: the linker would merge copies of it, and AVX-512
// code then runs on machines without it.
#pragma once

#include "philox_lanes.hpp"  // words, philox_lanes
#include "sparse_table.hpp"  // sparse_table

#include <stg/base/keep_mask.hpp>  // mask_block, mask_rounds

#include <cstring>  // memcpy

namespace stg::STG_ISA::sparse {

using index = std::int64_t;

inline constexpr int vector_bytes = 8 * lanes;
inline constexpr int most_vectors = lanes == 8 ? 8 : 4;  // of sums kept in registers
inline constexpr index chunk = 512;                      // entries whose masks are drawn at a time

// ---- the numbers that entries count with, dropout included ----

/// `lanes` neighbouring elements.
template <class T> struct few {
  typedef T values __attribute__((vector_size(lanes * sizeof(T))));
  typedef std::int32_t ids __attribute__((vector_size(lanes * 4)));
  typedef std::int64_t wide __attribute__((vector_size(lanes * 8)));
};
template <class T> struct choice;
template <> struct choice<float> { using type = std::int32_t; };
template <> struct choice<double> { using type = std::int64_t; };

/// to[k] = value[k] · (kept or 0) for `count` entries at (vertex[k], column[k]), rounded up to whole registers: all
/// arrays have room for them.
template <class T>
STG_INLINE void draw_entries(T* to, const std::int32_t* vertex, const std::int32_t* column, const T* value, index count,
                             const entry_mask& mask, T kept) {
  constexpr int registers = 4;  // side by side, since one round waits for the one before
  typedef typename few<T>::wide wide;
  typedef typename choice<T>::type choices __attribute__((vector_size(lanes * sizeof(T))));
  static_assert(mask_block == 4);
  for (index k = 0; k < count; k += registers * lanes) {
    words w[4][registers];
    wide element[registers];
#pragma GCC unroll 4
    for (int n = 0; n < registers; ++n) {
      typename few<T>::ids v, c;
      std::memcpy(&v, vertex + k + n * lanes, sizeof v);
      std::memcpy(&c, column + k + n * lanes, sizeof c);
      element[n] = __builtin_convertvector(c, wide);
      w[0][n] = reinterpret_cast<words>(__builtin_convertvector(v, wide));
      w[1][n] = words{};
      w[2][n] = reinterpret_cast<words>(element[n] >> 2);
      w[3][n] = words{} + mask.site;
    }
    philox_lanes<registers, mask_rounds>(w, mask.key0, mask.key1);
#pragma GCC unroll 4
    for (int n = 0; n < registers; ++n) {
      const wide which = element[n] & 3;
      const words random = which == 0 ? w[0][n] : which == 1 ? w[1][n] : which == 2 ? w[2][n] : w[3][n];
      const wide keep = reinterpret_cast<wide>(random & 0xFFFFFFFFu) >= wide{} + static_cast<index>(mask.threshold);
      typename few<T>::values x;
      std::memcpy(&x, value + k + n * lanes, sizeof x);
      const choices chosen = __builtin_convertvector(keep, choices);
      x = chosen ? x * kept : typename few<T>::values{};
      std::memcpy(to + k + n * lanes, &x, sizeof x);
    }
  }
}

/// The numbers of a stretch of entries, drawn chunk by chunk as rows ask for them in order.
template <class T> class weights {
 public:
  weights(const sparse_rows<T>& x, index first, index last, const entry_mask& mask, T kept)
      : x(x), end(x.offsets[last]), mask(mask), kept(kept), row(first), drawn(x.offsets[first]) {}

  /// The entry after the last one that is there, once entry k is: weight k lies at at(k).
  STG_INLINE index ready(index k) {
    if (k == drawn) draw();
    return drawn;
  }
  STG_INLINE T at(index k) const { return drawn_weights[k - base]; }

 private:
  void draw() {
    base = drawn;
    drawn = end - base < chunk ? end : base + chunk;
    const index count = drawn - base;
    for (index k = base; k < drawn; ++row) {
      const index stop = x.offsets[row + 1] < drawn ? x.offsets[row + 1] : drawn;
      const std::int32_t named = mask.by_column || !mask.vertices ? static_cast<std::int32_t>(row) : mask.vertices[row];
      typename few<T>::ids all = typename few<T>::ids{} + named;
      for (; k < stop; k += lanes) std::memcpy(rows + (k - base), &all, sizeof all);  // past the row's end: the next's
      k = stop;
      if (stop == drawn && x.offsets[row + 1] > drawn) break;  // the row goes on in the next chunk
    }
    for (index k = 0; k < count; ++k) ids[k] = x.index[base + k];
    if (mask.by_column && mask.vertices)
      for (index k = 0; k < count; ++k) ids[k] = mask.vertices[ids[k]];
    for (index k = 0; k < count; ++k) values[k] = x.value[base + k];
    if (mask.by_column) draw_entries(drawn_weights, ids, rows, values, count, mask, kept);
    else draw_entries(drawn_weights, rows, ids, values, count, mask, kept);
  }

  const sparse_rows<T>& x;
  const index end;
  const entry_mask mask;
  const T kept;
  index row, base = 0, drawn;
  alignas(64) std::int32_t rows[chunk + 64] = {};
  alignas(64) std::int32_t ids[chunk + 64] = {};
  alignas(64) T values[chunk + 64] = {};
  alignas(64) T drawn_weights[chunk + 64];
};

// ---- rows ----

/// Rows [first, last) of y = x w for `width` columns, Vectors · Lanes or fewer. A vector that would run over their end
/// ends with them and overlaps the one before it.
template <class T, int Lanes, int Vectors, bool Draws>
void row_block(const sparse_rows<T>& x, index first, index last, const T* w, T* y, index cols, index width,
               const entry_mask& mask, T kept) {
  typedef T vector __attribute__((vector_size(Lanes * sizeof(T))));
  index at[Vectors];
  for (int v = 0; v < Vectors; ++v) at[v] = (v + 1) * Lanes <= width ? v * Lanes : width - Lanes;
  const auto add = [&](vector(&sums)[Vectors], T weight, index k) __attribute__((always_inline)) {
    const T* from = w + x.index[k] * cols;
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
      vector row;  // (columns)
      std::memcpy(&row, from + at[v], sizeof row);
      sums[v] += weight * row;
    }
  };
  const auto store = [&](const vector(&sums)[Vectors], index r) __attribute__((always_inline)) {
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) std::memcpy(y + r * cols + at[v], &sums[v], sizeof(vector));
  };
  if constexpr (Draws) {
    weights<T> drawn(x, first, last, mask, kept);
    for (index r = first; r < last; ++r) {
      vector sums[Vectors] = {};  // (columns) in registers
      const index end = x.offsets[r + 1];
      for (index k = x.offsets[r]; k < end;) {
        const index ready = drawn.ready(k), stop = ready < end ? ready : end;
        for (; k < stop; ++k) add(sums, drawn.at(k), k);
      }
      store(sums, r);
    }
  } else {
    for (index r = first; r < last; ++r) {
      vector sums[Vectors] = {};  // (columns) in registers
      for (index k = x.offsets[r]; k < x.offsets[r + 1]; ++k) add(sums, x.value[k], k);
      store(sums, r);
    }
  }
}

/// All columns in blocks of as many vectors as stay in registers.
template <class T, int Lanes, bool Draws>
void rows_of_width(const sparse_rows<T>& x, index first, index last, const T* w, T* y, index cols,
                   const entry_mask& mask, T kept) {
  constexpr index most = most_vectors * Lanes;
  for (index c = 0; c < cols;) {
    const index left = cols - c;
    const index width = left > most ? most : left;
    const index n = (width + Lanes - 1) / Lanes;
    const index begin = width < Lanes ? cols - Lanes : c;  // the last columns once more, from further left
    const index used = width < Lanes ? Lanes : width;
    const auto run = [&]<int Vectors>() {
      row_block<T, Lanes, Vectors, Draws>(x, first, last, w + begin, y + begin, cols, used, mask, kept);
    };
    c += width;
    if constexpr (Lanes == 1) {
      run.template operator()<1>();
    } else if constexpr (Lanes * static_cast<int>(sizeof(T)) < vector_bytes) {  // fewer columns than twice as many
      if (n == 1) run.template operator()<1>();
      else run.template operator()<2>();
    } else if (n == 1) {
      run.template operator()<1>();
    } else if (n == 2) {
      run.template operator()<2>();
    } else if (n == 3) {
      run.template operator()<3>();
    } else if (n == 4 || most_vectors == 4) {
      run.template operator()<4>();
    } else if (n <= 6) {
      run.template operator()<6>();
    } else {
      run.template operator()<8>();
    }
  }
}

/// With the widest vector that a row of w fills.
template <class T, int Lanes, bool Draws>
void widest(const sparse_rows<T>& x, index first, index last, const T* w, T* y, index cols, const entry_mask& mask,
            T kept) {
  if constexpr (Lanes > 1) {
    if (cols < Lanes) return widest<T, Lanes / 2, Draws>(x, first, last, w, y, cols, mask, kept);
  }
  rows_of_width<T, Lanes, Draws>(x, first, last, w, y, cols, mask, kept);
}

template <class T>
void rows(const sparse_rows<T>& x, index first, index last, const T* w, T* y, index cols, const entry_mask& mask,
          T kept) {
  constexpr int full = vector_bytes / static_cast<int>(sizeof(T));
  if (mask.draws) widest<T, full, true>(x, first, last, w, y, cols, mask, kept);
  else widest<T, full, false>(x, first, last, w, y, cols, mask, kept);
}

inline constexpr sparse_table table = {{rows<float>}, {rows<double>}};

}  // namespace stg::STG_ISA::sparse
