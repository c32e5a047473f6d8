// Philox on registers of blocks, for sources that are compiled once per instruction set.
// No inline function of the standard library or of stg is called here: the linker would merge copies of it, and AVX-512
// code then runs on machines without it.
#pragma once

#include <stg/base/config.hpp>  // STG_INLINE
#include <stg/base/philox.hpp>  // philox_multiplier0

#include <cstdint>  // uint32_t, uint64_t

#if defined(__SSE2__)
#include <immintrin.h>  // _mm_mul_epu32
#endif

namespace stg::STG_ISA {

#if defined(__AVX512F__)
inline constexpr int lanes = 8;
#elif defined(__AVX2__)
inline constexpr int lanes = 4;
#else
inline constexpr int lanes = 2;
#endif

/// A 32-bit word of `lanes` blocks, in the lower halves: products of 32 bits need 64. The upper halves are garbage.
typedef std::uint64_t words __attribute__((vector_size(8 * lanes)));

/// The full products of the lower halves. Written as a product of vectors, g++ 12 makes three multiplications of it.
STG_INLINE words multiply(words a, words b) {
#if defined(__AVX512F__)
  return reinterpret_cast<words>(_mm512_mul_epu32(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
  return reinterpret_cast<words>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
  return reinterpret_cast<words>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  return (a & 0xFFFFFFFFu) * (b & 0xFFFFFFFFu);
#endif
}

/// The exclusive or of three: g++ 12 makes one instruction of it here and two there.
STG_INLINE words parity(words a, words b, words c) {
#if defined(__AVX512F__)
  return reinterpret_cast<words>(_mm512_ternarylogic_epi64(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b),
                                                           reinterpret_cast<__m512i>(c), 0x96));
#else
  return a ^ b ^ c;
#endif
}

/// Turns the counters of N registers of blocks into random words 0 to 3. Rounds as in philox.hpp.
template <int N, int Rounds>
STG_INLINE void philox_lanes(words (&w)[4][N], std::uint32_t first_key, std::uint32_t second_key) {
  words key0 = words{} + first_key, key1 = words{} + second_key;
#pragma GCC unroll 10
  for (int round = 0; round < Rounds; ++round) {
    for (int n = 0; n < N; ++n) {
      const words a = multiply(w[0][n], words{} + philox_multiplier0),
                  b = multiply(w[2][n], words{} + philox_multiplier2);
      w[0][n] = parity(b >> 32, w[1][n], key0);
      w[1][n] = b;
      w[2][n] = parity(a >> 32, w[3][n], key1);
      w[3][n] = a;
    }
    key0 += philox_key_step0;
    key1 += philox_key_step1;
  }
}

}  // namespace stg::STG_ISA
