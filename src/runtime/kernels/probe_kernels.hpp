// The loops of the probes, compiled once per instruction set with registers as wide as it has.
#pragma once

#include "probe_table.hpp"  // probe_table

#include <algorithm>  // min

#if defined(__x86_64__)
#include <immintrin.h>  // streaming stores
#endif

namespace stg::STG_ISA::probe {

#if defined(__AVX512F__)
constexpr int lanes = 16;
#elif defined(__AVX2__)
constexpr int lanes = 8;
#else
constexpr int lanes = 4;
#endif

typedef float wide __attribute__((vector_size(lanes * sizeof(float))));

static float total_of(const wide& a) {
  float sum = 0;
  for (int i = 0; i < lanes; ++i) sum += a[i];
  return sum;
}

static inline void stream(float* to, const wide& a) {
#if defined(__AVX512F__)
  _mm512_stream_ps(to, reinterpret_cast<__m512>(a));
#elif defined(__AVX2__)
  _mm256_stream_ps(to, reinterpret_cast<__m256>(a));
#elif defined(__x86_64__)
  _mm_stream_ps(to, reinterpret_cast<__m128>(a));
#else
  __builtin_memcpy(to, &a, sizeof a);
#endif
}

static inline void add(wide& sum, const float* from) {
  wide a;
  __builtin_memcpy(&a, from, sizeof a);
  sum += a;
}

/// Rows of Blocks registers. The last register of a row ends with the row, or with the table's margin if it is wider.
template <int Blocks>
static float gather_blocks(const adjacency& rows, std::int64_t first, std::int64_t last, const float* x,
                           std::int64_t width, int distance) {
  wide sum[Blocks] = {};
  const std::int64_t end = width > lanes ? width - lanes : 0;
  const auto read = [&](const float* row) {
    for (int b = 0; b + 1 < Blocks; ++b) add(sum[b], row + b * lanes);
    add(sum[Blocks - 1], row + end);
  };
  std::int64_t k = first;
  if (distance > 0)
    for (const std::int64_t until = std::min(last, rows.edges() - distance); k < until; ++k) {
      const float* next = x + rows.neighbour(k + distance) * width;
      for (int b = 0; b < Blocks; b += 16 / lanes) __builtin_prefetch(next + b * lanes);
      read(x + rows.neighbour(k) * width);
    }
  for (; k < last; ++k) read(x + rows.neighbour(k) * width);
  wide all = sum[0];
  for (int b = 1; b < Blocks; ++b) all += sum[b];
  return total_of(all);
}

using gather_function = float (*)(const adjacency&, std::int64_t, std::int64_t, const float*, std::int64_t, int);
template <int Blocks> static gather_function choose_gather(std::int64_t blocks) {
  if constexpr (Blocks > 1)
    if (blocks < Blocks) return choose_gather<Blocks - 1>(blocks);
  return gather_blocks<Blocks>;
}

/// Rows wider than sixteen registers are read in as many rounds as they need; a round reads sixteen.
static float gather(const adjacency& rows, std::int64_t first, std::int64_t last, const float* x, std::int64_t width,
                    int distance) {
  constexpr std::int64_t most = 16 * lanes;
  if (width <= most) return choose_gather<16>((width + lanes - 1) / lanes)(rows, first, last, x, width, distance);
  wide sum[16] = {};
  for (std::int64_t k = first; k < last; ++k) {
    const float* row = x + rows.neighbour(k) * width;
    const float* next = x + rows.neighbour(std::min(k + distance, rows.edges() - 1)) * width;
    for (std::int64_t at = 0; at < width; at += most) {
      if (distance > 0)
        for (std::int64_t i = at; i < std::min(at + most, width); i += 16) __builtin_prefetch(next + i);
      for (int b = 0; b < 16; ++b) add(sum[b], row + std::min(at + b * lanes, width - lanes));
    }
  }
  for (int b = 1; b < 16; ++b) sum[0] += sum[b];
  return total_of(sum[0]);
}

static float read(const float* x, std::int64_t count) {
  wide sum[8] = {};
  for (std::int64_t i = 0; i + 8 * lanes <= count; i += 8 * lanes)
    for (int b = 0; b < 8; ++b) add(sum[b], x + i + b * lanes);
  for (int b = 1; b < 8; ++b) sum[0] += sum[b];
  return total_of(sum[0]);
}

static void write(float* x, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) stream(x + i, wide{});
  for (; i < count; ++i) x[i] = 0;
}

static void triad(float* a, const float* b, const float* c, std::int64_t count) {
  for (std::int64_t i = 0; i + lanes <= count; i += lanes) {
    wide p, q;
    __builtin_memcpy(&p, b + i, sizeof p);
    __builtin_memcpy(&q, c + i, sizeof q);
    stream(a + i, p + 3.0f * q);
  }
}

/// Makes the compiler forget what it knows of a value.
static inline void hide(wide& a) {
#if defined(__x86_64__)
  asm volatile("" : "+x"(a));
#else
  asm volatile("" : "+m"(a));
#endif
}

/// Chains enough to hide the latency of a multiply-add, few enough for all to stay in registers.
constexpr int chains = 12;
static float multiply_add(std::int64_t rounds) {
  wide sum[chains] = {};
  wide a = wide{} + 0.5f, b = wide{} + 1.0f;
  for (wide& s : sum) hide(s);  // or the compiler sees that all chains are the same
  for (std::int64_t r = 0; r < rounds; ++r) {
    for (wide& s : sum) s = s * a + b;
    hide(a);  // nothing is known of the factors from one round to the next
    hide(b);
  }
  for (int i = 1; i < chains; ++i) sum[0] += sum[i];
  return total_of(sum[0]);
}

constexpr probe_table table = {gather, read, write, triad, multiply_add, 2 * lanes* chains};

}  // namespace stg::STG_ISA::probe
