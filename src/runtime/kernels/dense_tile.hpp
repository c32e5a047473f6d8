// The tile that dense products are made of: a few rows times a few vectors of columns, summed in registers.
// Included by dense_kernels.hpp alone, and for the same reason as there calls nothing that the linker could merge.
#pragma once

#include <stg/base/config.hpp>  // STG_INLINE

#include <cstdint>  // int64_t, uintptr_t
#include <cstring>  // memcpy

#if defined(__SSE2__)
#include <immintrin.h>  // _mm_stream_si128
#endif

namespace stg::STG_ISA::dense {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64, most_vectors = 4;
inline constexpr int rows_at_once[] = {0, 16, 12, 8, 6};  // of 32 registers at most 24 hold sums
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32, most_vectors = 3;
inline constexpr int rows_at_once[] = {0, 8, 6, 4};  // of 16 registers 12
#else
inline constexpr int vector_bytes = 16, most_vectors = 2;
inline constexpr int rows_at_once[] = {0, 8, 4};  // of 16 registers 8: without FMA a product needs one as well
#endif

using index = std::int64_t;

template <class T> struct lanes {
  typedef T type __attribute__((vector_size(vector_bytes)));
  static constexpr int count = vector_bytes / sizeof(T);
};

/// What is multiplied from the left, element (i, p) of x or of x transposed, with rows of x `row` elements apart. Which
/// of the two is known when the tile is compiled: it then keeps one address for all rows of a transposed x.
template <class T, bool Transposed> struct factor {
  const T* data;
  index row;
  STG_INLINE factor from_row(index i) const { return {data + (Transposed ? i : i * row), row}; }
  STG_INLINE T at(index i, index p) const { return Transposed ? data[p * row + i] : data[i * row + p]; }
};

/// Where a tile's result goes, rows `row` elements apart: y = sums, y += sums, or y = sums past the caches, for which
/// `to` and `row` are whole cache lines.
enum class storing { set, add, stream };
template <class T> struct target {
  T* to;
  index row;
  storing how;
  target from_row(index i) const { return {to + i * row, row, how}; }
};

/// What the first panel's tiles ask the memory for while they compute, one line of x and one of g with every term; all
/// in bytes. A product asks for the rows of the next group, a reduced product for the next block of rows, which are too
/// far apart for the processor to see a pattern. Asked for all at once they would only queue; asked into the
/// first-level cache they would crowd out the panel of g, and a reduced product of 128 × 64 takes 10 % longer.
struct upcoming {
  std::uintptr_t x = 0, g = 0;   // addresses, which may run over the end: asking for what is not there is harmless
  index x_term = 0, g_term = 0;  // from one term to the next
  index x_tile_row = 0, g_columns = 0;  // from one row of the tile to the next; what is left of g's row

  STG_INLINE void advance(index rows) {
    x += static_cast<std::uintptr_t>(rows * x_tile_row);
    if (g_columns <= 64) return;
    g += 64;
    g_columns -= 64;
  }
};
STG_INLINE std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// Stores a register without reading the line it overwrites.
template <class V> STG_INLINE void stream(void* to, V v) {
#if defined(__AVX512F__)
  _mm512_stream_si512(static_cast<__m512i*>(to), reinterpret_cast<__m512i>(v));
#elif defined(__AVX2__)
  _mm256_stream_si256(static_cast<__m256i*>(to), reinterpret_cast<__m256i>(v));
#elif defined(__SSE2__)
  _mm_stream_si128(static_cast<__m128i*>(to), reinterpret_cast<__m128i>(v));
#else
  std::memcpy(to, &v, sizeof v);
#endif
}

/// Streamed stores are seen by other threads no later than what this thread stores after it.
STG_INLINE void finish_streams() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

template <class T> STG_INLINE void store_few(T* to, const T* from, index count, bool add) {
  if (add)
    for (index c = 0; c < count; ++c) to[c] += from[c];
  else
    for (index c = 0; c < count; ++c) to[c] = from[c];
}
/// Stores the rows of a tile whose last columns are padding; from: (rows, width), or (rows, cols) where it is packed.
/// A function for all tiles: its loops within each of them were a third of this file's compilation.
template <class T>
[[gnu::noinline]] void store_narrow(target<T> y, const T* from, index rows, index width, index cols, bool packed) {
  if (packed) return store_few(y.to, from, rows * cols, y.how == storing::add);
  for (index i = 0; i < rows; ++i) store_few(y.to + i * y.row, from + i * width, cols, y.how == storing::add);
}

/// x panel for Rows rows; x: (Rows, depth), panel: (depth, Vectors * lanes), zero beyond cols; target: (Rows, cols).
/// Every element is summed in ascending order whatever Rows is, so how rows are cut into tiles changes no bit.
template <bool Prefetch, int Rows, int Vectors, class T, bool Transposed>
void tile(factor<T, Transposed> x, const T* panel, index depth, target<T> y, index cols, const upcoming& next) {
  using vector = typename lanes<T>::type;
  constexpr index n = lanes<T>::count, width = Vectors * n;
  vector sums[Rows][Vectors] = {};  // (rows, columns) in registers
  [[maybe_unused]] std::uintptr_t next_x = next.x, next_g = next.g;
  for (index p = 0; p < depth; ++p) {
    if constexpr (Prefetch) {
      __builtin_prefetch(reinterpret_cast<const void*>(next_x), 0, 2);
      __builtin_prefetch(reinterpret_cast<const void*>(next_g), 0, 2);
      next_x += static_cast<std::uintptr_t>(next.x_term);
      next_g += static_cast<std::uintptr_t>(next.g_term);
    }
    vector w[Vectors];  // (columns)
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) std::memcpy(&w[v], panel + p * width + v * n, sizeof(vector));
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) sums[i][v] += x.at(i, p) * w[v];
  }
  if (cols == width) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) {
        T* const to = y.to + i * y.row + v * n;
        if (y.how == storing::stream) {
          stream(to, sums[i][v]);
          continue;
        }
        if (y.how == storing::add) {
          vector before;
          std::memcpy(&before, to, sizeof(vector));
          sums[i][v] += before;
        }
        std::memcpy(to, &sums[i][v], sizeof(vector));
      }
    return;
  }
  T rows[Rows * width];
  const bool packed = cols == y.row;  // each row's padding is then overwritten by the next row
  const index row = packed ? cols : width;
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) std::memcpy(rows + i * row + v * n, &sums[i][v], sizeof(vector));
  store_narrow(y, rows, Rows, width, cols, packed);
}

/// Rows of the largest tile below one of `rows`: a single row leaves most of the registers idle.
constexpr int fewer_rows(int rows) {
  int n = 1;
  while (2 * n < rows) n *= 2;
  return n;
}

/// `tile` over any number of rows: as many as fit of Rows, the rest by fewer. What a product has left are its last
/// rows, behind which there is nothing to ask for.
template <bool Prefetch, int Rows, int Vectors, class T, bool Transposed>
void tiles(factor<T, Transposed> x, const T* panel, index rows, index depth, target<T> y, index cols, upcoming next) {
  index i = 0;
  for (; i + Rows <= rows; i += Rows) {
    tile<Prefetch, Rows, Vectors>(x.from_row(i), panel, depth, y.from_row(i), cols, next);
    if constexpr (Prefetch) next.advance(Rows);
    next.g += lanes<T>::count;  // a vector of the next panel each, until all are asked for
  }
  if constexpr (Rows > 1)
    if (i < rows)
      tiles<Prefetch && Transposed, fewer_rows(Rows), Vectors>(x.from_row(i), panel, rows - i, depth, y.from_row(i),
                                                               cols, next);
}

/// `tiles` for a panel of 1 to Vectors vectors.
template <bool Prefetch, int Vectors = most_vectors, class T, bool Transposed>
STG_INLINE void tiles_of(int vectors, factor<T, Transposed> x, const T* panel, index rows, index depth, target<T> y,
                         index cols, const upcoming& next = {}) {
  if constexpr (Vectors > 1)
    if (vectors < Vectors) return tiles_of<Prefetch, Vectors - 1>(vectors, x, panel, rows, depth, y, cols, next);
  tiles<Prefetch, rows_at_once[Vectors], Vectors>(x, panel, rows, depth, y, cols, next);
}

}  // namespace stg::STG_ISA::dense
