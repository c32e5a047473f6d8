// Attention of eight heads of eight: a register of scores holds all heads of one or two edges.
#pragma once

#include <utility>  // integer_sequence

#include "attention.hpp"

namespace yardstick {

template <class S> struct eight_heads {
  using vec = typename S::vec;
  static constexpr int blocks = 64 / S::lanes;
  static constexpr int ahead = 32, el_ahead = 48, back_ahead = 24;  // edges between a prefetch and its use
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
  static void scale_and_store(float* p, const vec (&a)[blocks], vec w, std::integer_sequence<int, B...>) {
    (S::store(p + B * S::lanes, a[B] * S::template spread<0, B>(w)), ...);
  }

  /// leaky_relu ascends, so that the largest score comes from the largest el: one pass over el, one over scores and
  /// rows.
  static void forward(const forward_arguments& a, std::int32_t first, std::int32_t last) {
    const std::int32_t* begin = a.on->begin.data();
    const std::int32_t* neighbour = a.on->neighbour.data();
    for (std::int32_t v = first; v < last; ++v) {
      const std::int32_t from = begin[v], end = begin[v + 1];
      const vec er = S::heads(a.er + 8 * v);
      vec largest = S::all(-3e38f);
      for (std::int32_t k = from; k < end; k += S::edges) {
        const std::int32_t u0 = neighbour[k], u1 = neighbour[k + S::edges - 1 < end ? k + S::edges - 1 : k];
        prefetch(a.el + 8 * std::int64_t{neighbour[k + el_ahead]}, 8);
        if constexpr (S::edges == 2) prefetch(a.el + 8 * std::int64_t{neighbour[k + el_ahead + 1]}, 8);
        largest = S::max(largest, S::heads(a.el + 8 * std::int64_t{u0}, a.el + 8 * std::int64_t{u1}));
      }
      largest = leaky(S::both_max(largest) + er);
      vec sum[blocks], total = S::all(0);
      for (int b = 0; b < blocks; ++b) sum[b] = S::all(0);
      for (std::int32_t k = from; k < end; k += S::edges) {
        const bool whole = k + S::edges <= end;
        const std::int32_t u0 = neighbour[k], u1 = neighbour[whole ? k + S::edges - 1 : k];
        prefetch(a.h + 64 * std::int64_t{neighbour[k + ahead]}, 64);
        if constexpr (S::edges == 2) prefetch(a.h + 64 * std::int64_t{neighbour[k + ahead + 1]}, 64);
        const vec score = leaky(S::heads(a.el + 8 * std::int64_t{u0}, a.el + 8 * std::int64_t{u1}) + er);
        vec w = S::exp(score - largest);
        if (!whole) w = S::keep(S::one_edge(), w);
        total = total + w;
        vec row[blocks];
        load(row, a.h + 64 * std::int64_t{u0});
        add<0>(sum, w, row, all_blocks());
        if constexpr (S::edges == 2) {
          load(row, a.h + 64 * std::int64_t{u1});
          add<1>(sum, w, row, all_blocks());
        }
      }
      if (from == end) total = S::all(1);
      else total = S::both(total);
      scale_and_store(a.out + 64 * std::int64_t{v}, sum, S::all(1) / total, all_blocks());
      S::store_heads(a.saved + 8 * std::int64_t{v}, largest + S::log(total));
    }
  }

  /// er, log Σ exp and ⟨dout, out⟩ of a vertex side by side: backward reads all three of every neighbour.
  static void record(const record_arguments& a, std::int32_t first, std::int32_t last) {
    for (std::int64_t v = first; v < last; ++v) {
      vec out[blocks], dout[blocks];
      load(out, a.out + 64 * v);
      load(dout, a.dout + 64 * v);
      for (int b = 0; b < blocks; ++b) out[b] = out[b] * dout[b];
      float* to = a.records + 24 * v;
      S::store_heads(to, S::heads(a.er + 8 * v));
      S::store_heads(to + 8, S::heads(a.saved + 8 * v));
      S::store_heads(to + 16, S::heads_of(out, out));
    }
  }

  /// d_er of the rows: what belongs to v stays in registers, el and h of its neighbours are read.
  static void backward_along_in_edges(const backward_arguments& a, std::int32_t first, std::int32_t last) {
    const std::int32_t* begin = a.on->begin.data();
    const std::int32_t* neighbour = a.on->neighbour.data();
    for (std::int64_t v = first; v < last; ++v) {
      const std::int32_t from = begin[v], end = begin[v + 1];
      const float* record = a.records + 24 * v;
      const vec er = S::heads(record), saved = S::heads(record + 8), delta = S::heads(record + 16);
      vec g[blocks], d_er = S::all(0);
      load(g, a.dout + 64 * v);
      for (std::int32_t k = from; k < end; k += S::edges) {
        const bool whole = k + S::edges <= end;
        const std::int64_t u0 = neighbour[k], u1 = neighbour[whole ? k + S::edges - 1 : k];
        for (int e = 0; e < S::edges; ++e) {
          const std::int64_t next = neighbour[k + ahead + e];
          prefetch(a.h + 64 * next, 64);
          prefetch(a.el + 8 * next, 8);
        }
        const vec score = S::heads(a.el + 8 * u0, a.el + 8 * u1) + er;
        vec w = S::exp(leaky(score) - saved);
        if (!whole) w = S::keep(S::one_edge(), w);
        vec dot[2][blocks];
        load(dot[0], a.h + 64 * u0);
        for (int b = 0; b < blocks; ++b) dot[0][b] = dot[0][b] * g[b];
        if constexpr (S::edges == 2) {
          load(dot[1], a.h + 64 * u1);
          for (int b = 0; b < blocks; ++b) dot[1][b] = dot[1][b] * g[b];
        }
        d_er = d_er + w * (S::heads_of(dot[0], dot[S::edges - 1]) - delta) * S::slope_of(score, S::all(slope));
      }
      S::store_heads(a.d_er + 8 * v, S::both(d_er));
    }
  }

  /// d_el and d_h of the rows; with Scatter also what each edge adds to d_er of its neighbour.
  template <bool Scatter>
  static void backward_along_out_edges(const backward_arguments& a, std::int32_t first, std::int32_t last) {
    const std::int32_t* begin = a.on->begin.data();
    const std::int32_t* neighbour = a.on->neighbour.data();
    for (std::int64_t u = first; u < last; ++u) {
      const std::int32_t from = begin[u], end = begin[u + 1];
      const vec el = S::heads(a.el + 8 * u);
      vec h[blocks], d_h[blocks], d_el = S::all(0);
      load(h, a.h + 64 * u);
      for (int b = 0; b < blocks; ++b) d_h[b] = S::all(0);
      for (std::int32_t k = from; k < end; k += S::edges) {
        const bool whole = k + S::edges <= end;
        const std::int64_t v0 = neighbour[k], v1 = neighbour[whole ? k + S::edges - 1 : k];
        for (int e = 0; e < S::edges; ++e) {
          const std::int64_t next = neighbour[k + back_ahead + e];
          prefetch(a.dout + 64 * next, 64);
          prefetch(a.records + 24 * next, 24);
          if constexpr (Scatter) __builtin_prefetch(a.d_er + 8 * next, 1);
        }
        const float *r0 = a.records + 24 * v0, *r1 = a.records + 24 * v1;
        const vec score = S::heads(r0, r1) + el;
        vec w = S::exp(leaky(score) - S::heads(r0 + 8, r1 + 8));
        if (!whole) w = S::keep(S::one_edge(), w);
        vec g[2][blocks], dot[2][blocks];
        load(g[0], a.dout + 64 * v0);
        add<0>(d_h, w, g[0], all_blocks());
        for (int b = 0; b < blocks; ++b) dot[0][b] = h[b] * g[0][b];
        if constexpr (S::edges == 2) {
          load(g[1], a.dout + 64 * v1);
          add<1>(d_h, w, g[1], all_blocks());
          for (int b = 0; b < blocks; ++b) dot[1][b] = h[b] * g[1][b];
        }
        const vec d_score = w * (S::heads_of(dot[0], dot[S::edges - 1]) - S::heads(r0 + 16, r1 + 16)) *
                            S::slope_of(score, S::all(slope));
        d_el = d_el + d_score;
        if constexpr (Scatter) S::add_heads(a.d_er + 8 * v0, a.d_er + 8 * v1, d_score);
      }
      for (int b = 0; b < blocks; ++b) S::store(a.d_h + 64 * u + b * S::lanes, d_h[b]);
      S::store_heads(a.d_el + 8 * u, S::both(d_el));
    }
  }
};

}  // namespace yardstick
