// Registers of 8 floats.
#pragma once

#include <immintrin.h>  // AVX2, FMA

#include <cstdint>  // int32_t, int64_t

namespace yardstick {

struct avx2 {
  using vec = __m256;
  using mask = __m256i;
  static constexpr int lanes = 8;

  static mask first(std::int64_t n) {
    const __m256i i = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n > 8 ? 8 : static_cast<int>(n)), i);
  }
  static vec load(const float* p) { return _mm256_loadu_ps(p); }
  static vec load(mask m, const float* p) { return _mm256_maskload_ps(p, m); }
  static void store(float* p, vec a) { _mm256_storeu_ps(p, a); }
  static void store(mask m, float* p, vec a) { _mm256_maskstore_ps(p, m, a); }
  /// Past the caches if asked to: p aligned.
  static void store(float* p, vec a, bool stream) { stream ? _mm256_stream_ps(p, a) : store(p, a); }
  static vec all(float a) { return _mm256_set1_ps(a); }
  static vec fma(vec a, vec b, vec c) { return _mm256_fmadd_ps(a, b, c); }
  static vec max(vec a, vec b) { return _mm256_max_ps(a, b); }
  static vec keep(mask m, vec a) { return _mm256_and_ps(_mm256_castsi256_ps(m), a); }
  static vec keep(mask m, vec a, vec otherwise) { return _mm256_blendv_ps(otherwise, a, _mm256_castsi256_ps(m)); }
  /// a > 0 ? 1 : slope.
  static vec slope_of(vec a, vec slope) {
    return _mm256_blendv_ps(slope, all(1), _mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_GT_OQ));
  }
  static float sum(vec a) {
    __m128 h = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    h = _mm_add_ps(h, _mm_movehl_ps(h, h));
    return _mm_cvtss_f32(_mm_add_ss(h, _mm_shuffle_ps(h, h, 1)));
  }
  static float max(vec a) {
    __m128 h = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    h = _mm_max_ps(h, _mm_movehl_ps(h, h));
    return _mm_cvtss_f32(_mm_max_ss(h, _mm_shuffle_ps(h, h, 1)));
  }
  /// base[stride · id[i]].
  static vec gather(mask m, const float* base, const std::int32_t* id, int stride) {
    __m256i at = _mm256_maskload_epi32(id, m);
    if (stride != 1) at = _mm256_mullo_epi32(at, _mm256_set1_epi32(stride));
    return _mm256_mask_i32gather_ps(_mm256_setzero_ps(), base, at, _mm256_castsi256_ps(m), 4);
  }

  /// e^a for a <= 0, to 3 units in the last place of values above 1e-30: 2^n · 2^f with Taylor's terms of 2^f, |f| <=
  /// ½.
  static vec exp(vec a) {
    const vec t = max(a, all(-87)) * all(1.442695041f);
    const vec n = _mm256_round_ps(t, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const vec f = t - n;
    vec p = fma(all(1.5403530e-4f), f, all(1.3333558e-3f));
    p = fma(p, f, all(9.6181291e-3f));
    p = fma(p, f, all(5.5504109e-2f));
    p = fma(p, f, all(2.4022651e-1f));
    p = fma(p, f, all(6.9314718e-1f));
    p = fma(p, f, all(1));
    return p * _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtps_epi32(n + all(127)), 23));
  }
  /// log a for a > 0: exponent and mantissa in [¾, 1½), then 2 artanh((m - 1) / (m + 1)).
  static vec log(vec a) {
    const __m256i above = _mm256_sub_epi32(_mm256_castps_si256(a), _mm256_set1_epi32(0x3F400000));  // over ¾
    const __m256i n = _mm256_srai_epi32(above, 23);
    const vec m = _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_castps_si256(a), _mm256_slli_epi32(n, 23)));
    const vec z = (m - all(1)) / (m + all(1)), z2 = z * z;
    vec p = fma(all(2.0f / 11), z2, all(2.0f / 9));
    p = fma(p, z2, all(2.0f / 7));
    p = fma(p, z2, all(2.0f / 5));
    p = fma(p, z2, all(2.0f / 3));
    p = fma(p, z2, all(2));
    return fma(_mm256_cvtepi32_ps(n), all(0.69314718f), p * z);
  }

  // Eight heads of eight: a register holds one number per head for one edge, or one head of its row.
  static constexpr int edges = 1;
  static mask one_edge() { return first(8); }
  static vec heads(const float* p, const float*) { return load(p); }
  static vec heads(const float* p) { return load(p); }
  /// The number of head B at all its elements.
  template <int E, int B> static vec spread(vec a) { return _mm256_permutevar8x32_ps(a, _mm256_set1_epi32(B)); }
  /// Sums over the elements of each head.
  static vec heads_of(const vec (&a)[8]) {
    const vec p = _mm256_hadd_ps(_mm256_hadd_ps(a[0], a[1]), _mm256_hadd_ps(a[2], a[3]));
    const vec q = _mm256_hadd_ps(_mm256_hadd_ps(a[4], a[5]), _mm256_hadd_ps(a[6], a[7]));
    return _mm256_permute2f128_ps(p, q, 0x20) + _mm256_permute2f128_ps(p, q, 0x31);
  }
  static vec both(vec a) { return a; }
  static vec both_max(vec a) { return a; }
  static void store_heads(float* p, vec a) { store(p, a); }
};

}  // namespace yardstick
