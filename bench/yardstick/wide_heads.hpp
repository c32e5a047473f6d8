// Attention whose heads are whole registers. A part of the rows goes through three loops, its weights in cache between
// them: scores across edges, rows across features, and backward the gradients of scores across edges.
#pragma once

#include "attention.hpp"

namespace yardstick {

template <class S, int Heads, int Dim> struct wide_heads {
  using vec = typename S::vec;
  using mask = typename S::mask;
  static constexpr int blocks = Dim / S::lanes;  // of one head
  static constexpr std::int64_t width = Heads * Dim;
  static constexpr int ahead = Heads == 1 ? 32 : 12;  // edges; 8 to 12 KiB

  static vec leaky(vec a) { return S::max(a, a * S::all(slope)); }
  static void prefetch(const float* p) {
    for (int i = 0; i < width; i += 16) __builtin_prefetch(p + i);
  }

  /// to[k] = base[stride · ids[k]] for the edges [0, edges).
  static void gather(float* to, const float* base, const std::int32_t* ids, std::int64_t edges, int stride) {
    for (std::int64_t k = 0; k < edges; k += S::lanes)
      S::store(to + k, S::gather(S::first(edges - k), base, ids + k, stride));
  }

  static void forward(const forward_arguments& a, std::int32_t first, std::int32_t last, float* scratch) {
    const std::int32_t* begin = a.on->begin.data();
    const std::int32_t from = begin[first], edges = begin[last] - from;
    const std::int32_t* ids = a.on->neighbour.data() + from;
    const std::int64_t stride = a.on->scratch_row;
    for (int head = 0; head < Heads; ++head) {
      float* w = scratch + head * stride;  // el, then e^(score - largest)
      gather(w, a.el + head, ids, edges, Heads);
      for (std::int64_t v = first; v < last; ++v) {
        const std::int32_t end = begin[v + 1] - from;
        const vec er = S::all(a.er[Heads * v + head]);
        vec largest = S::all(-3e38f), total = S::all(0);
        for (std::int32_t k = begin[v] - from; k < end; k += S::lanes)
          largest = S::max(largest, S::keep(S::first(end - k), S::load(w + k), S::all(-3e38f)));
        largest = leaky(S::all(S::max(largest)) + er);
        for (std::int32_t k = begin[v] - from; k < end; k += S::lanes) {
          const mask m = S::first(end - k);
          const vec e = S::keep(m, S::exp(leaky(S::load(w + k) + er) - largest));
          S::store(m, w + k, e);
          total = total + e;
        }
        scratch[(Heads + head) * stride + v - first] = begin[v] == begin[v + 1] ? 1 : S::sum(total);
        S::store(S::first(1), a.saved + Heads * v + head, largest);
      }
    }
    for (std::int64_t v = first; v < last; ++v) {
      vec sum[Heads][blocks];
      for (auto& row : sum)
        for (vec& b : row) b = S::all(0);
      for (std::int32_t k = begin[v] - from; k < begin[v + 1] - from; ++k) {
        const float* row = a.h + width * ids[k];
        prefetch(a.h + width * ids[k + ahead]);
        for (int head = 0; head < Heads; ++head) {
          const vec w = S::all(scratch[head * stride + k]);
          for (int b = 0; b < blocks; ++b)
            sum[head][b] = S::fma(w, S::load(row + head * Dim + b * S::lanes), sum[head][b]);
        }
      }
      for (int head = 0; head < Heads; ++head) {
        const vec inverse = S::all(1 / scratch[(Heads + head) * stride + v - first]);
        for (int b = 0; b < blocks; ++b)
          S::store(a.out + width * v + head * Dim + b * S::lanes, sum[head][b] * inverse);
      }
    }
    for (int head = 0; head < Heads; ++head) {
      float* total = scratch + (Heads + head) * stride;
      for (std::int32_t i = 0; i < last - first; i += S::lanes) S::store(total + i, S::log(S::load(total + i)));
      for (std::int32_t i = 0; i < last - first; ++i) a.saved[Heads * std::int64_t{first + i} + head] += total[i];
    }
  }

  static void record(const record_arguments& a, std::int32_t first, std::int32_t last) {
    for (std::int64_t v = first; v < last; ++v)
      for (int head = 0; head < Heads; ++head) {
        vec dot = S::all(0);
        for (int b = 0; b < blocks; ++b) {
          const std::int64_t at = width * v + head * Dim + b * S::lanes;
          dot = S::fma(S::load(a.out + at), S::load(a.dout + at), dot);
        }
        float* to = a.records + 3 * Heads * v + head;
        to[0] = a.er[Heads * v + head];
        to[Heads] = a.saved[Heads * v + head];
        to[2 * Heads] = S::sum(dot);
      }
  }

  /// d_er of the rows: weight times slope across edges, ⟨dout, h⟩ across features, their products across edges.
  static void backward_along_in_edges(const backward_arguments& a, std::int32_t first, std::int32_t last,
                                      float* scratch) {
    const std::int32_t* begin = a.on->begin.data();
    const std::int32_t from = begin[first], edges = begin[last] - from;
    const std::int32_t* ids = a.on->neighbour.data() + from;
    const std::int64_t stride = a.on->scratch_row;
    constexpr int record = 3 * Heads;
    for (int head = 0; head < Heads; ++head) {
      float* w = scratch + 2 * head * stride;  // el, then weight times slope
      gather(w, a.el + head, ids, edges, Heads);
      for (std::int64_t v = first; v < last; ++v) {
        const vec er = S::all(a.records[record * v + head]), saved = S::all(a.records[record * v + Heads + head]);
        const std::int32_t end = begin[v + 1] - from;
        for (std::int32_t k = begin[v] - from; k < end; k += S::lanes) {
          const vec s = S::load(w + k) + er;
          S::store(S::first(end - k), w + k, S::exp(leaky(s) - saved) * S::slope_of(s, S::all(slope)));
        }
      }
    }
    for (std::int64_t v = first; v < last; ++v) {
      const float* g = a.dout + width * v;
      const std::int32_t end = begin[v + 1] - from;
      for (std::int32_t k = begin[v] - from; k < end; k += 4) {
        const float* row[4];  // behind the row's end: products that the next row overwrites
        for (int j = 0; j < 4; ++j) {
          row[j] = a.h + width * ids[k + j];
          prefetch(a.h + width * ids[k + j + ahead]);
        }
        for (int head = 0; head < Heads; ++head) {
          vec part[4];
          for (int j = 0; j < 4; ++j) {
            part[j] = S::all(0);
            for (int b = 0; b < blocks; ++b) {
              const int at = head * Dim + b * S::lanes;
              part[j] = S::fma(S::load(g + at), S::load(row[j] + at), part[j]);
            }
          }
          S::sums(part[0], part[1], part[2], part[3], scratch + (2 * head + 1) * stride + k);
        }
      }
    }
    for (int head = 0; head < Heads; ++head) {
      const float *w = scratch + 2 * head * stride, *dot = w + stride;
      for (std::int64_t v = first; v < last; ++v) {
        const vec delta = S::all(a.records[record * v + 2 * Heads + head]);
        vec sum = S::all(0);
        const std::int32_t end = begin[v + 1] - from;
        for (std::int32_t k = begin[v] - from; k < end; k += S::lanes)
          sum = sum + S::keep(S::first(end - k), S::load(w + k) * (S::load(dot + k) - delta));
        a.d_er[Heads * v + head] = S::sum(sum);
      }
    }
  }

  /// d_el and d_h of the rows; with Scatter also what each edge adds to d_er of its neighbour.
  template <bool Scatter>
  static void backward_along_out_edges(const backward_arguments& a, std::int32_t first, std::int32_t last,
                                       float* scratch) {
    const std::int32_t* begin = a.on->begin.data();
    const std::int32_t from = begin[first], edges = begin[last] - from;
    const std::int32_t* ids = a.on->neighbour.data() + from;
    const std::int64_t stride = a.on->scratch_row;
    constexpr int record = 3 * Heads;
    for (int head = 0; head < Heads; ++head) {
      float *w = scratch + 3 * head * stride, *score = w + stride, *saved = w + 2 * stride;
      gather(score, a.records + head, ids, edges, record);
      gather(saved, a.records + Heads + head, ids, edges, record);
      for (std::int64_t u = first; u < last; ++u) {
        const vec el = S::all(a.el[Heads * u + head]);
        const std::int32_t end = begin[u + 1] - from;
        for (std::int32_t k = begin[u] - from; k < end; k += S::lanes) {
          const mask m = S::first(end - k);
          const vec s = S::load(score + k) + el;
          S::store(m, score + k, s);
          S::store(m, w + k, S::exp(leaky(s) - S::load(saved + k)));
        }
      }
    }
    for (std::int64_t u = first; u < last; ++u) {
      vec h[Heads][blocks], d_h[Heads][blocks];
      for (int head = 0; head < Heads; ++head)
        for (int b = 0; b < blocks; ++b) {
          h[head][b] = S::load(a.h + width * u + head * Dim + b * S::lanes);
          d_h[head][b] = S::all(0);
        }
      const std::int32_t end = begin[u + 1] - from;
      for (std::int32_t k = begin[u] - from; k < end; k += 4) {
        vec part[Heads][4];
        for (int j = 0; j < 4; ++j) {  // behind the row's end: weight 0, and products that the next row overwrites
          const float* row = a.dout + width * ids[k + j];
          prefetch(a.dout + width * ids[k + j + ahead]);
          for (int head = 0; head < Heads; ++head) {
            const vec x = S::all(k + j < end ? scratch[3 * head * stride + k + j] : 0);
            part[head][j] = S::all(0);
            for (int b = 0; b < blocks; ++b) {
              const vec g = S::load(row + head * Dim + b * S::lanes);
              d_h[head][b] = S::fma(x, g, d_h[head][b]);
              part[head][j] = S::fma(h[head][b], g, part[head][j]);
            }
          }
        }
        for (int head = 0; head < Heads; ++head)
          S::sums(part[head][0], part[head][1], part[head][2], part[head][3], scratch + (3 * head + 2) * stride + k);
      }
      for (int head = 0; head < Heads; ++head)
        for (int b = 0; b < blocks; ++b) S::store(a.d_h + width * u + head * Dim + b * S::lanes, d_h[head][b]);
    }
    for (int head = 0; head < Heads; ++head) {
      float *w = scratch + 3 * head * stride, *score = w + stride, *dot = w + 2 * stride;
      for (std::int32_t k = 0; k < edges; k += S::lanes) {
        const vec delta = S::gather(S::first(edges - k), a.records + 2 * Heads + head, ids + k, record);
        const vec d = S::load(w + k) * (S::load(dot + k) - delta) * S::slope_of(S::load(score + k), S::all(slope));
        S::store(w + k, d);
      }
      for (std::int64_t u = first; u < last; ++u) {
        vec sum = S::all(0);
        const std::int32_t end = begin[u + 1] - from;
        for (std::int32_t k = begin[u] - from; k < end; k += S::lanes) sum = sum + S::load(S::first(end - k), w + k);
        a.d_el[Heads * u + head] = S::sum(sum);
      }
      if constexpr (Scatter)
        for (std::int32_t k = 0; k < edges; ++k) a.d_er[Heads * std::int64_t{ids[k]} + head] += w[k];
    }
  }
};

}  // namespace yardstick
