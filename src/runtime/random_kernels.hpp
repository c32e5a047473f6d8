// The random mask of one row, compiled once per instruction set by random_{baseline,avx2,avx512}.cpp.
// Includers define STG_RANDOM_ISA. No inline function of the standard library or of stg is called here: the linker
// would merge copies of it, and AVX-512 code then runs on machines without it.
#pragma once

#include "random_table.hpp"  // random_table

#define STG_PHILOX_ISA STG_RANDOM_ISA
#include "philox_lanes.hpp"  // words, philox_lanes

#include <stg/base/keep_mask.hpp>  // mask_tile

#include <cstring>  // memcpy
#include <utility>  // integer_sequence

namespace stg::STG_RANDOM_ISA {

using index = std::int64_t;

/// Words 0 to 3 of N registers of blocks, of which the first lane has number `block`.
template <int N> STG_INLINE void generate(words (&w)[4][N], const mask_row& row, index block) {
  words count;
  for (int i = 0; i < lanes; ++i) count[i] = static_cast<std::uint64_t>(i);
  for (int n = 0; n < N; ++n) {
    w[0][n] = words{} + static_cast<std::uint64_t>(row.row);
    w[1][n] = words{} + (static_cast<std::uint64_t>(row.row) >> 32);
    w[2][n] = count + static_cast<std::uint64_t>(block + n * lanes);
    w[3][n] = words{} + row.site;
  }
  philox_lanes<N>(w, row.key0, row.key1);
}

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

using bits = elements<float, 2 * lanes>::bits;

/// The lower halves of two registers.
template <int... I> STG_INLINE bits lower_halves(words a, words b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(reinterpret_cast<bits>(a), reinterpret_cast<bits>(b), (2 * I)...);
}

/// One tile of the mask, of which the first `count` elements are stored.
template <class T> STG_INLINE void draw_tile(T* to, const mask_row& row, index tile, T kept, index count) {
  constexpr int step = 2 * lanes;  // blocks at a time: two registers of 64-bit lanes make one of 32-bit lanes
#pragma GCC unroll 4
  for (int first = 0; first < mask_tile_blocks; first += step) {
    if (first >= count) return;
    words w[4][2];
    generate<2>(w, row, tile * mask_tile_blocks + first);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      const index at = k * mask_tile_blocks + first;
      if (at < count)
        elements<T, step>::store(to + at, lower_halves(w[k][0], w[k][1], std::make_integer_sequence<int, step>()),
                                 row.threshold, kept, count - at);
    }
  }
}

/// The mask of one row; to: (width).
template <class T> void draw_row(T* to, index width, const mask_row& row, T kept) {
  const index tiles = width / mask_tile, rest = width % mask_tile;
  if (tiles > 0) {
    const mask_row own = row;  // cannot alias the mask, so its keys stay in registers from tile to tile
    for (index tile = 0; tile < tiles; ++tile) draw_tile(to + tile * mask_tile, own, tile, kept, mask_tile);
  }
  to += tiles * mask_tile;
  if (rest > lanes) {
    draw_tile(to, row, tiles, kept, rest);
  } else if (rest > 0) {  // as for the heads of an edge: one register has enough blocks
    words w[4][1];
    generate<1>(w, row, tiles * mask_tile_blocks);
    using few = elements<T, lanes>;
    few::store(to, __builtin_convertvector(w[0][0], typename few::bits), row.threshold, kept, rest);
  }
}

/// Which row, and which element of it, stands in every lane: a register of elements begins with element `begin` of all
/// `count * width`. Past the last row that one stands again.
STG_INLINE void place_elements(words& row, words& element, const index* rows, index count, index width, index begin) {
  index j = begin / width, f = begin % width;
  if (width % lanes == 0) {
    words from_0;
    for (int i = 0; i < lanes; ++i) from_0[i] = static_cast<std::uint64_t>(i);
    row = words{} + static_cast<std::uint64_t>(rows[j < count ? j : count - 1]);
    element = from_0 + static_cast<std::uint64_t>(f);
  } else if (width == 1 && j + lanes <= count) {
    std::memcpy(&row, rows + j, sizeof row);
    element = words{};
  } else {
    for (int i = 0; i < lanes; ++i) {
      row[i] = static_cast<std::uint64_t>(rows[j < count ? j : count - 1]);
      element[i] = static_cast<std::uint64_t>(f);
      if (++f == width) {
        f = 0;
        ++j;
      }
    }
  }
}

/// The masks of `count` rows of `width` elements each, at most mask_tile_blocks of them, so that an element is word 0
/// of a block of its own. Elements of several rows stand side by side in two registers, which hides the latency of
/// rounds.
template <class T>
void draw_narrow(T* to, index stride, const index* rows, index count, index width, const mask_row& common, T kept) {
  constexpr int step = 2 * lanes;
  using few = elements<T, step>;
  const mask_row own = common;  // cannot alias the mask
  for (index begin = 0; begin < count * width; begin += step) {
    words w[4][2];
    for (int n = 0; n < 2; ++n) {
      place_elements(w[0][n], w[2][n], rows, count, width, begin + n * lanes);
      w[1][n] = w[0][n] >> 32;
      w[3][n] = words{} + own.site;
    }
    philox_lanes<2>(w, own.key0, own.key1);
    const index left = count * width - begin;
    const bits random = lower_halves(w[0][0], w[0][1], std::make_integer_sequence<int, step>());
    if (stride == width) {
      few::store(to + begin, random, own.threshold, kept, left);
      continue;
    }
    T all[step];
    few::store(all, random, own.threshold, kept, step);
    for (index i = 0; i < step && i < left; ++i) to[(begin + i) / width * stride + (begin + i) % width] = all[i];
  }
}

inline constexpr random_table table = {draw_row<float>, draw_row<double>, draw_narrow<float>, draw_narrow<double>};

}  // namespace stg::STG_RANDOM_ISA
