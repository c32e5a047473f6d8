// The random masks of rows, compiled once per instruction set by kernels_{baseline,avx2,avx512}.cpp.
// No inline function of the standard library or of stg is called here: the linker would merge copies of it, and AVX-512
// code then runs on machines without it.
#pragma once

#include "philox_lanes.hpp"  // words, philox_lanes
#include "random_table.hpp"  // random_table

#include <stg/base/keep_mask.hpp>  // mask_block, mask_rounds

#include <cstring>  // memcpy
#include <utility>  // integer_sequence

namespace stg::STG_ISA::random {

using index = std::int64_t;

/// The integer as wide as T: what a comparison's result must be to choose between values of T.
template <class T> struct choice;
template <> struct choice<float> { using type = std::int32_t; };
template <> struct choice<double> { using type = std::int64_t; };

/// L neighbouring elements of a mask.
template <class T, int L> struct elements {
  typedef T values __attribute__((vector_size(L * sizeof(T))));
  typedef std::uint32_t bits __attribute__((vector_size(L * 4)));
  typedef typename choice<T>::type choices __attribute__((vector_size(L * sizeof(T))));

  /// Stores the first `count` of them; all where `count` is L or more.
  STG_INLINE static void store(T* to, bits random, std::uint32_t threshold, T kept, index count) {
    const choices keep = __builtin_convertvector(random >= threshold, choices);
    const values mask = keep ? values{} + kept : values{};
    if (count >= L) {
      std::memcpy(to, &mask, sizeof mask);
      return;
    }
    T all[L];
    std::memcpy(all, &mask, sizeof mask);
    const T* from = all;
#pragma GCC unroll 4
    for (int n = L / 2; n > 0; n /= 2)
      if (count & n) {
        std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
        to += n;
        from += n;
      }
  }
};

constexpr int pair = 2 * lanes;  // elements of half a register of blocks
using bits = elements<float, pair>::bits;

/// The lower halves of two registers.
template <int... I> STG_INLINE bits lower_halves(words a, words b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(reinterpret_cast<bits>(a), reinterpret_cast<bits>(b), (2 * I)...);
}

/// Lanes First, First + 1, … of two registers in turn.
template <int First, int... I> STG_INLINE bits in_turn(words a, words b, std::integer_sequence<int, I...>) {
  return reinterpret_cast<bits>(__builtin_shufflevector(a, b, (First + I / 2 + I % 2 * lanes)...));
}

/// Stores the elements of N registers of blocks side by side, the first `count` of them.
template <class T, int N>
STG_INLINE void store_blocks(T* to, const words (&w)[4][N], std::uint32_t threshold, T kept, index count) {
  using order = std::make_integer_sequence<int, lanes>;
#pragma GCC unroll 2
  for (int n = 0; n < N; ++n) {
    const words low = (w[0][n] & 0xFFFFFFFFu) | w[1][n] << 32, high = (w[2][n] & 0xFFFFFFFFu) | w[3][n] << 32;
    if (count <= 0) return;
    elements<T, pair>::store(to, in_turn<0>(low, high, order()), threshold, kept, count);
    if (count <= pair) return;
    elements<T, pair>::store(to + pair, in_turn<lanes / 2>(low, high, order()), threshold, kept, count - pair);
    to += 2 * pair;
    count -= 2 * pair;
  }
}

/// The elements of a row from N registers of blocks, beginning with `block`; the first `count` are stored.
template <class T, int N>
STG_INLINE void draw_blocks(T* to, index row, index block, const mask_draw& draw, T kept, index count) {
  words number;
  for (int i = 0; i < lanes; ++i) number[i] = static_cast<std::uint64_t>(i);
  words w[4][N];
  for (int n = 0; n < N; ++n) {
    w[0][n] = words{} + static_cast<std::uint64_t>(row);
    w[1][n] = words{} + (static_cast<std::uint64_t>(row) >> 32);
    w[2][n] = number + static_cast<std::uint64_t>(block + n * lanes);
    w[3][n] = words{} + draw.site;
  }
  philox_lanes<N, mask_rounds>(w, draw.key0, draw.key1);
  store_blocks<T, N>(to, w, draw.threshold, kept, count);
}

/// The mask of one row; to: (width).
template <class T> STG_INLINE void draw_row(T* to, index row, index width, const mask_draw& draw, T kept) {
  constexpr index most = mask_block * lanes;  // elements of a register
  index f = 0;
  for (; width - f > most; f += 2 * most) draw_blocks<T, 2>(to + f, row, f / mask_block, draw, kept, width - f);
  if (f < width) draw_blocks<T, 1>(to + f, row, f / mask_block, draw, kept, width - f);
}

/// from[index] of every lane.
STG_INLINE words gather(const index* from, words at) {
#if defined(__AVX512F__)
  return reinterpret_cast<words>(_mm512_i64gather_epi64(reinterpret_cast<__m512i>(at), from, 8));
#elif defined(__AVX2__)
  return reinterpret_cast<words>(
      _mm256_i64gather_epi64(reinterpret_cast<const long long*>(from), reinterpret_cast<__m256i>(at), 8));
#else
  words found;
  for (int i = 0; i < lanes; ++i) found[i] = static_cast<std::uint64_t>(from[at[i]]);
  return found;
#endif
}

/// A block of a row; steps go through rows of `blocks` blocks each without a division.
struct place {
  static constexpr int bits_of_inverse = 31;
  index row, block, blocks;
  std::uint64_t inverse;  // n · inverse / 2³¹, rounded down, is n / blocks for n · blocks below 2³¹

  STG_INLINE static place first(index blocks) {
    return {0, 0, blocks, (std::uint32_t{1} << bits_of_inverse) / static_cast<std::uint32_t>(blocks) + 1};
  }
  STG_INLINE void advance(index by) {
    const index to = block + by;
    const index rows = static_cast<index>(static_cast<std::uint64_t>(to) * inverse >> bits_of_inverse);
    row += rows;
    block = to - rows * blocks;
  }
};

/// Which row, and which of its blocks, stands in every lane of N registers that begin at `begin`. Past the last row
/// that one stands again.
template <int N>
STG_INLINE void place_blocks(words (&row)[N], words (&block)[N], const index* rows, index count, const place& begin) {
  const words last = words{} + static_cast<std::uint64_t>(count - 1 - begin.row);
  words number;
  for (int i = 0; i < lanes; ++i) number[i] = static_cast<std::uint64_t>(i);
  number += static_cast<std::uint64_t>(begin.block);
  for (int n = 0; n < N; ++n, number += lanes) {
    const words j = multiply(number, words{} + begin.inverse) >> place::bits_of_inverse;
    block[n] = number - multiply(j, words{} + static_cast<std::uint64_t>(begin.blocks));
    row[n] = gather(rows + begin.row, j < last ? j : last);
  }
}

/// Copies `many` blocks to where they belong, the first to `at`: what rows have of them.
template <class T>
STG_INLINE void scatter_blocks(T* to, index stride, const T* from, int many, index count, index width, place at) {
  for (int i = 0; i < many && at.row < count; ++i, from += mask_block) {
    T* const row = to + at.row * stride + at.block * mask_block;
    const index left = width - at.block * mask_block;
    if (left >= mask_block) std::memcpy(row, from, mask_block * sizeof(T));
    else
      for (index f = 0; f < left; ++f) row[f] = from[f];
    if (++at.block == at.blocks) {
      at.block = 0;
      ++at.row;
    }
  }
}

/// Rows of which several fill a register.
template <class T> struct narrow_rows {
  T* const to;
  const index stride;
  const index* const rows;
  const index count, width;
  const mask_draw draw;
  const T kept;

  /// The next N registers of blocks, of which `left` are there.
  template <int N> STG_INLINE void draw_from(const place& at, index left) const {
    words w[4][N];
    place_blocks<N>(w[0], w[2], rows, count, at);
    for (int n = 0; n < N; ++n) {
      w[1][n] = w[0][n] >> 32;
      w[3][n] = words{} + draw.site;
    }
    philox_lanes<N, mask_rounds>(w, draw.key0, draw.key1);
    if (width == 1 && stride == 1) {
      const bits first = lower_halves(w[0][0], w[0][N - 1], std::make_integer_sequence<int, pair>());
      elements<T, pair>::store(to + at.row, first, draw.threshold, kept, left);
    } else if (width == stride && width % mask_block == 0) {
      store_blocks<T, N>(to + at.row * width + at.block * mask_block, w, draw.threshold, kept, left * mask_block);
    } else {
      T drawn[N * lanes * mask_block];
      store_blocks<T, N>(drawn, w, draw.threshold, kept, N * lanes * mask_block);
      scatter_blocks(to, stride, drawn, N * lanes, count, width, at);
    }
  }
};

/// The masks of `count` rows, rows[j] at to + j * stride. Blocks of several rows stand side by side where one row does
/// not fill a register.
template <class T>
void draw_rows(T* to, index stride, const index* rows, index count, index width, mask_draw draw, T kept) {
  const index blocks = (width + mask_block - 1) / mask_block;
  if (count == 1 || blocks == 0 || blocks > lanes) {
    for (index j = 0; j < count; ++j) draw_row(to + j * stride, rows[j], width, draw, kept);
    return;
  }
  const narrow_rows<T> all{to, stride, rows, count, width, draw, kept};
  place at = place::first(blocks);
  index left = count * blocks;
  for (; left > lanes; left -= pair, at.advance(pair)) all.template draw_from<2>(at, left);
  if (left > 0) all.template draw_from<1>(at, left);
}

inline constexpr random_table table = {draw_rows<float>, draw_rows<double>};

}  // namespace stg::STG_ISA::random
