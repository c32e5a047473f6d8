// Attention of eight heads of eight: a register of scores holds all heads of one or two edges.
#pragma once

#include <utility>  // integer_sequence

#include "attention.hpp"

namespace yardstick {

template <class S> struct eight_heads {
  using vec = typename S::vec;
  static constexpr int blocks = 64 / S::lanes;
  static constexpr int distance = 32, el_distance = 48, back_distance = 24;  // edges between a prefetch and its use
  static constexpr int record = 8 * numbers;
  using all_blocks = std::make_integer_sequence<int, blocks>;

  static vec leaky(vec a) { return S::max(a, a * S::all(slope)); }
  static void prefetch(const float* p, int floats) {
    for (int i = 0; i < floats; i += 16) __builtin_prefetch(p + i);
  }

  /// to[b] += weight of each head · row[b], for edge E of a register.
  template <int E, int... B>
  static void add(vec (&to)[blocks], vec w, const vec (&row)[blocks], std::integer_sequence<int, B...>) {
    ((to[B] = S::fma(S::template spread<E, B>(w), row[B], to[B])), ...);
  }
  static void load(vec (&row)[blocks], const float* p) {
    for (int b = 0; b < blocks; ++b) row[b] = S::load(p + b * S::lanes);
  }
  template <int... B>
  static void scale_and_store(float* p, const vec (&a)[blocks], vec w, bool stream, std::integer_sequence<int, B...>) {
    (S::store(p + B * S::lanes, a[B] * S::template spread<0, B>(w), stream), ...);
  }
  /// Of each head: the product of both rows.
  static vec products(const vec (&a)[blocks], const vec (&b)[blocks]) {
    vec c[blocks];
    for (int i = 0; i < blocks; ++i) c[i] = a[i] * b[i];
    return S::heads_of(c);
  }

  /// Sums of rows over edges, weighted, and weighted times slope.
  template <bool Sloped> struct sums {
    vec plain[blocks], sloped[blocks];

    sums() {
      for (int b = 0; b < blocks; ++b) plain[b] = sloped[b] = S::all(0);
    }
    /// The edges of a register, at the rows p and q.
    void add(vec w, vec w_slope, const float* p, const float* q) {
      add_edge<0>(w, w_slope, p);
      if constexpr (S::edges == 2) add_edge<1>(w, w_slope, q);
    }

   private:
    template <int E> void add_edge(vec w, vec w_slope, const float* p) {
      vec row[blocks];
      load(row, p);
      eight_heads::add<E>(plain, w, row, all_blocks());
      if constexpr (Sloped) eight_heads::add<E>(sloped, w_slope, row, all_blocks());
    }
  };

  /// leaky_relu ascends, so that the largest score comes from the largest el: one pass over el, one over scores and
  /// rows.
  template <bool Training>
  static void forward(const forward_arguments& a, std::int32_t first, std::int32_t last, float*) {
    const std::int32_t* begin = a.on->begin.data();
    const std::int32_t* neighbour = a.on->neighbour.data();
    for (std::int64_t v = first; v < last; ++v) {
      const std::int32_t from = begin[v], end = begin[v + 1];
      const vec er = S::heads(a.er + 8 * v);
      vec largest = S::all(-3e38f);
      for (std::int32_t k = from; k < end; k += S::edges) {
        const std::int32_t u0 = neighbour[k], u1 = neighbour[k + S::edges - 1 < end ? k + S::edges - 1 : k];
        for (int e = 0; e < S::edges; ++e) prefetch(a.el + 8 * std::int64_t{neighbour[k + el_distance + e]}, 8);
        largest = S::max(largest, S::heads(a.el + 8 * std::int64_t{u0}, a.el + 8 * std::int64_t{u1}));
      }
      largest = leaky(S::both_max(largest) + er);
      sums<Training> sum;
      vec total = S::all(0), sloped = S::all(0);
      for (std::int32_t k = from; k < end; k += S::edges) {
        const bool whole = k + S::edges <= end;
        const std::int64_t u0 = neighbour[k], u1 = neighbour[whole ? k + S::edges - 1 : k];
        for (int e = 0; e < S::edges; ++e) prefetch(a.h + 64 * std::int64_t{neighbour[k + distance + e]}, 64);
        const vec score = S::heads(a.el + 8 * u0, a.el + 8 * u1) + er;
        vec w = S::exp(leaky(score) - largest);
        if (!whole) w = S::keep(S::one_edge(), w);
        const vec w_slope = w * S::slope_of(score, S::all(slope));
        total = total + w;
        sloped = sloped + w_slope;
        sum.add(w, w_slope, a.h + 64 * u0, a.h + 64 * u1);
      }
      total = from == end ? S::all(1) : S::both(total);
      const vec inverse = S::all(1) / total;
      scale_and_store(a.out + 64 * v, sum.plain, inverse, a.stream, all_blocks());
      if constexpr (Training) {
        scale_and_store(a.sloped + 64 * v, sum.sloped, inverse, a.stream, all_blocks());
        float* to = a.records + record * v;
        S::store_heads(to + 8 * er_of, er);
        S::store_heads(to + 8 * log_sum, largest + S::log(total));
        S::store_heads(to + 8 * slope_sum, S::both(sloped) * inverse);
      }
    }
  }

  static void own(const own_arguments& a, std::int32_t first, std::int32_t last) {
    for (std::int64_t v = first; v < last; ++v) {
      vec out[blocks], sloped[blocks], dout[blocks];
      load(out, a.out + 64 * v);
      load(sloped, a.sloped + 64 * v);
      load(dout, a.dout + 64 * v);
      float* to = a.records + record * v;
      const vec delta = products(dout, out);
      S::store_heads(to + 8 * delta_of, delta);
      S::store_heads(a.d_er + 8 * v, products(dout, sloped) - delta * S::heads(to + 8 * slope_sum));
    }
  }

  static void sweep(const sweep_arguments& a, std::int32_t first, std::int32_t last, float*) {
    const std::int32_t* begin = a.on->begin.data();
    const std::int32_t* neighbour = a.on->neighbour.data();
    for (std::int64_t u = first; u < last; ++u) {
      const std::int32_t from = begin[u], end = begin[u + 1];
      const vec el = S::heads(a.el + 8 * u);
      sums<true> sum;
      vec sloped = S::all(0);
      for (std::int32_t k = from; k < end; k += S::edges) {
        const bool whole = k + S::edges <= end;
        const std::int64_t v0 = neighbour[k], v1 = neighbour[whole ? k + S::edges - 1 : k];
        for (int e = 0; e < S::edges; ++e) {
          const std::int64_t next = neighbour[k + back_distance + e];
          prefetch(a.dout + 64 * next, 64);
          prefetch(a.records + record * next, 8 * slope_sum);
        }
        const float *r0 = a.records + record * v0, *r1 = a.records + record * v1;
        const vec score = S::heads(r0 + 8 * er_of, r1 + 8 * er_of) + el;
        vec w = S::exp(leaky(score) - S::heads(r0 + 8 * log_sum, r1 + 8 * log_sum));
        if (!whole) w = S::keep(S::one_edge(), w);
        const vec w_slope = w * S::slope_of(score, S::all(slope));
        sloped = S::fma(w_slope, S::heads(r0 + 8 * delta_of, r1 + 8 * delta_of), sloped);
        sum.add(w, w_slope, a.dout + 64 * v0, a.dout + 64 * v1);
      }
      vec h[blocks];
      load(h, a.h + 64 * u);
      for (int b = 0; b < blocks; ++b) S::store(a.d_h + 64 * u + b * S::lanes, sum.plain[b], a.stream);
      S::store_heads(a.d_el + 8 * u, products(h, sum.sloped) - S::both(sloped));
    }
  }
};

}  // namespace yardstick
