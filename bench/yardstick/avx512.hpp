// Registers of 16 floats.
#pragma once

#include <immintrin.h>  // AVX-512

#include <cstdint>  // int32_t, int64_t

namespace yardstick {

struct avx512 {
  using vec = __m512;
  using mask = __mmask16;
  static constexpr int lanes = 16;

  static mask first(std::int64_t n) { return static_cast<mask>(n >= 16 ? 0xFFFF : (1u << n) - 1); }
  static vec load(const float* p) { return _mm512_loadu_ps(p); }
  static vec load(mask m, const float* p) { return _mm512_maskz_loadu_ps(m, p); }
  static void store(float* p, vec a) { _mm512_storeu_ps(p, a); }
  static void store(mask m, float* p, vec a) { _mm512_mask_storeu_ps(p, m, a); }
  /// Past the caches if asked to: p aligned.
  static void store(float* p, vec a, bool stream) { stream ? _mm512_stream_ps(p, a) : store(p, a); }
  static vec all(float a) { return _mm512_set1_ps(a); }
  static vec fma(vec a, vec b, vec c) { return _mm512_fmadd_ps(a, b, c); }
  static vec max(vec a, vec b) { return _mm512_max_ps(a, b); }
  static vec keep(mask m, vec a) { return _mm512_maskz_mov_ps(m, a); }
  static vec keep(mask m, vec a, vec otherwise) { return _mm512_mask_mov_ps(otherwise, m, a); }
  /// a > 0 ? 1 : slope.
  static vec slope_of(vec a, vec slope) {
    return _mm512_mask_mov_ps(slope, _mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_GT_OQ), all(1));
  }
  static float sum(vec a) { return _mm512_reduce_add_ps(a); }
  static float max(vec a) { return _mm512_reduce_max_ps(a); }
  /// base[stride · id[i]].
  static vec gather(mask m, const float* base, const std::int32_t* id, int stride) {
    __m512i at = _mm512_maskz_loadu_epi32(m, id);
    if (stride != 1) at = _mm512_mullo_epi32(at, _mm512_set1_epi32(stride));
    return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), m, at, base, 4);
  }

  /// e^a for a <= 0, to 3 units in the last place of values above 1e-30: 2^n · 2^f with Taylor's terms of 2^f, |f| <=
  /// ½.
  static vec exp(vec a) {
    const vec t = _mm512_max_ps(a, all(-87)) * all(1.442695041f);
    const vec n = _mm512_roundscale_ps(t, 0);
    const vec f = t - n;
    vec p = fma(all(1.5403530e-4f), f, all(1.3333558e-3f));
    p = fma(p, f, all(9.6181291e-3f));
    p = fma(p, f, all(5.5504109e-2f));
    p = fma(p, f, all(2.4022651e-1f));
    p = fma(p, f, all(6.9314718e-1f));
    p = fma(p, f, all(1));
    return _mm512_scalef_ps(p, n);
  }
  /// log a for a > 0: exponent and mantissa in [¾, 1½), then 2 artanh((m - 1) / (m + 1)).
  static vec log(vec a) {
    const vec m = _mm512_getmant_ps(a, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
    const vec exponent = _mm512_getexp_ps(a / m);
    const vec z = (m - all(1)) / (m + all(1)), z2 = z * z;
    vec p = fma(all(2.0f / 11), z2, all(2.0f / 9));
    p = fma(p, z2, all(2.0f / 7));
    p = fma(p, z2, all(2.0f / 5));
    p = fma(p, z2, all(2.0f / 3));
    p = fma(p, z2, all(2));
    return fma(exponent, all(0.69314718f), p * z);
  }

  // Eight heads of eight: a register holds one number per head for two edges, or two heads of one edge's row.
  static constexpr int edges = 2;
  static mask one_edge() { return 0x00FF; }
  static vec heads(const float* p, const float* q) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(p)), _mm256_loadu_ps(q), 1);
  }
  static vec heads(const float* p) { return heads(p, p); }
  /// Each head's number of edge E at the elements of heads 2 B and 2 B + 1.
  template <int E, int B> static vec spread(vec a) {
    constexpr int i = 8 * E + 2 * B, j = i + 1;
    return _mm512_permutexvar_ps(_mm512_setr_epi32(i, i, i, i, i, i, i, i, j, j, j, j, j, j, j, j), a);
  }
  /// Sums over the elements of each head, for both edges the same.
  static vec heads_of(const vec (&a)[4]) {
    const vec p = columns(a[0], a[1], a[2], a[3]);
    const vec even_odd = _mm512_shuffle_f32x4(p, p, 0x88) + _mm512_shuffle_f32x4(p, p, 0xDD);
    return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15), even_odd);
  }
  /// Both edges' numbers added, at both edges.
  static vec both(vec a) { return a + _mm512_shuffle_f32x4(a, a, 0x4E); }
  static vec both_max(vec a) { return max(a, _mm512_shuffle_f32x4(a, a, 0x4E)); }
  static void store_heads(float* p, vec a) { _mm256_storeu_ps(p, _mm512_castps512_ps256(a)); }

 private:
  /// In each 128 bits: the sums of the four elements that a, b, c and d have there.
  static vec columns(vec a, vec b, vec c, vec d) {
    const vec ab = _mm512_unpacklo_ps(a, b) + _mm512_unpackhi_ps(a, b);
    const vec cd = _mm512_unpacklo_ps(c, d) + _mm512_unpackhi_ps(c, d);
    const __m512d l = _mm512_unpacklo_pd(_mm512_castps_pd(ab), _mm512_castps_pd(cd));
    const __m512d h = _mm512_unpackhi_pd(_mm512_castps_pd(ab), _mm512_castps_pd(cd));
    return _mm512_castpd_ps(l) + _mm512_castpd_ps(h);
  }
};

}  // namespace yardstick
