// Attention whose heads are whole registers. A part of the rows goes through two loops, its weights in cache between
// them: scores across edges, rows across features.
#pragma once

#include <algorithm>  // clamp, min

#include "attention.hpp"

namespace yardstick {

template <class S, int Heads, int Dim> struct wide_heads {
  using vec = typename S::vec;
  using mask = typename S::mask;
  static constexpr int width = Heads * Dim;
  static constexpr int record = Heads * numbers;

  static vec leaky(vec a) { return S::max(a, a * S::all(slope)); }

  /// to[k] = base[stride · ids[k]] for the edges [0, edges).
  static void gather(float* to, const float* base, const std::int32_t* ids, std::int64_t edges, int stride) {
    for (std::int64_t k = 0; k < edges; k += S::lanes)
      S::store(to + k, S::gather(S::first(edges - k), base, ids + k, stride));
  }

  /// Columns whose sums, as many as Sums for each, leave half the registers to weights and rows.
  template <int Sums> static constexpr int columns = std::min(width, (S::lanes == 16 ? 256 : 64) / Sums);

  /// Sums of neighbours' rows of x, weighted by the scratch rows [s][head]; columns after columns, so that no number is
  /// read twice: finish(row, first column, sums).
  template <int Sums, class Finish>
  static void add_rows(const rows& on, const float* x, const float* scratch, std::int32_t first, std::int32_t last,
                       const Finish& finish) {
    constexpr int count = columns<Sums>, blocks = count / S::lanes;
    constexpr int distance = std::clamp(2048 / count, 12, 32);  // edges; 8 to 12 KiB, of AVX2's narrow columns 4
    const std::int32_t* begin = on.begin.data();
    const std::int32_t* ids = on.neighbour.data();
    const std::int64_t stride = on.scratch_row;
    for (int column = 0; column < width; column += count) {
      const float* weights = scratch + column / Dim * stride - begin[first];
      for (std::int64_t v = first; v < last; ++v) {
        vec sum[Sums][blocks];
        for (auto& row : sum)
          for (vec& b : row) b = S::all(0);
        for (std::int32_t k = begin[v]; k < begin[v + 1]; ++k) {
          const float* row = x + std::int64_t{width} * ids[k] + column;
          const float* next = x + std::int64_t{width} * ids[k + distance] + column;
          for (int i = 0; i < count; i += 16) __builtin_prefetch(next + i);
          for (int b = 0; b < blocks; ++b) {
            const vec of_row = S::load(row + b * S::lanes);
            for (int s = 0; s < Sums; ++s)
              sum[s][b] = S::fma(S::all(weights[(s * Heads + b * S::lanes / Dim) * stride + k]), of_row, sum[s][b]);
          }
        }
        finish(v, column, sum);
      }
    }
  }

  template <bool Training>
  static void forward(const forward_arguments& a, std::int32_t first, std::int32_t last, float* scratch) {
    constexpr int sums = Training ? 2 : 1;
    const std::int32_t* begin = a.on->begin.data();
    const std::int32_t from = begin[first], edges = begin[last] - from;
    const std::int64_t stride = a.on->scratch_row;
    float* totals = scratch + sums * Heads * stride;  // (heads, rows)
    for (int head = 0; head < Heads; ++head) {
      float *w = scratch + head * stride, *w_slope = w + Heads * stride;  // w: el, then e^(score - largest)
      gather(w, a.el + head, a.on->neighbour.data() + from, edges, Heads);
      for (std::int64_t v = first; v < last; ++v) {
        const std::int32_t end = begin[v + 1] - from;
        const vec er = S::all(a.er[Heads * v + head]);
        vec largest = S::all(-3e38f), total = S::all(0), sloped = S::all(0);
        for (std::int32_t k = begin[v] - from; k < end; k += S::lanes)
          largest = S::max(largest, S::keep(S::first(end - k), S::load(w + k), S::all(-3e38f)));
        largest = leaky(S::all(S::max(largest)) + er);
        for (std::int32_t k = begin[v] - from; k < end; k += S::lanes) {
          const mask m = S::first(end - k);
          const vec score = S::load(w + k) + er;
          const vec e = S::keep(m, S::exp(leaky(score) - largest));
          S::store(m, w + k, e);
          total = total + e;
          if constexpr (Training) {
            const vec e_slope = e * S::slope_of(score, S::all(slope));
            S::store(m, w_slope + k, e_slope);
            sloped = sloped + e_slope;
          }
        }
        const float sum = begin[v] == begin[v + 1] ? 1 : S::sum(total);
        totals[head * stride + v - first] = sum;
        if constexpr (Training) {
          float* to = a.records + record * v + head;
          to[Heads * er_of] = a.er[Heads * v + head];
          S::store(S::first(1), to + Heads * log_sum, largest);
          to[Heads * slope_sum] = S::sum(sloped) / sum;
        }
      }
    }
    add_rows<sums>(*a.on, a.h, scratch, first, last, [&](std::int64_t v, int column, const auto& sum) {
      for (int b = 0; b < columns<sums> / S::lanes; ++b) {
        const int at = column + b * S::lanes;
        const vec inverse = S::all(1 / totals[at / Dim * stride + v - first]);
        S::store(a.out + width * v + at, sum[0][b] * inverse, a.stream);
        if constexpr (Training) S::store(a.sloped + width * v + at, sum[1][b] * inverse, a.stream);
      }
    });
    if constexpr (Training)
      for (int head = 0; head < Heads; ++head) {
        float* total = totals + head * stride;
        for (std::int32_t i = 0; i < last - first; i += S::lanes) S::store(total + i, S::log(S::load(total + i)));
        for (std::int64_t v = first; v < last; ++v) a.records[record * v + Heads * log_sum + head] += total[v - first];
      }
  }

  static void own(const own_arguments& a, std::int32_t first, std::int32_t last) {
    for (std::int64_t v = first; v < last; ++v)
      for (int head = 0; head < Heads; ++head) {
        vec delta = S::all(0), sloped = S::all(0);
        for (int i = 0; i < Dim; i += S::lanes) {
          const std::int64_t at = width * v + head * Dim + i;
          const vec dout = S::load(a.dout + at);
          delta = S::fma(S::load(a.out + at), dout, delta);
          sloped = S::fma(S::load(a.sloped + at), dout, sloped);
        }
        float* to = a.records + record * v + head;
        to[Heads * delta_of] = S::sum(delta);
        a.d_er[Heads * v + head] = S::sum(sloped) - to[Heads * delta_of] * to[Heads * slope_sum];
      }
  }

  static void sweep(const sweep_arguments& a, std::int32_t first, std::int32_t last, float* scratch) {
    const std::int32_t* begin = a.on->begin.data();
    const std::int32_t from = begin[first], edges = begin[last] - from;
    const std::int32_t* ids = a.on->neighbour.data() + from;
    const std::int64_t stride = a.on->scratch_row;
    for (int head = 0; head < Heads; ++head) {
      float *w = scratch + head * stride, *w_slope = w + Heads * stride, *delta = w_slope + Heads * stride;
      gather(w, a.records + Heads * er_of + head, ids, edges, record);
      gather(w_slope, a.records + Heads * log_sum + head, ids, edges, record);
      gather(delta, a.records + Heads * delta_of + head, ids, edges, record);
      for (std::int64_t u = first; u < last; ++u) {
        const vec el = S::all(a.el[Heads * u + head]);
        vec sloped = S::all(0);
        const std::int32_t end = begin[u + 1] - from;
        for (std::int32_t k = begin[u] - from; k < end; k += S::lanes) {
          const mask m = S::first(end - k);
          const vec score = S::load(w + k) + el;
          const vec x = S::keep(m, S::exp(leaky(score) - S::load(w_slope + k)));
          const vec x_slope = x * S::slope_of(score, S::all(slope));
          S::store(m, w + k, x);
          S::store(m, w_slope + k, x_slope);
          sloped = S::fma(x_slope, S::keep(m, S::load(delta + k)), sloped);
        }
        a.d_el[Heads * u + head] = -S::sum(sloped);
      }
    }
    add_rows<2>(*a.on, a.dout, scratch, first, last, [&](std::int64_t u, int column, const auto& sum) {
      constexpr int step = std::min(columns<2>, Dim);  // a head, or what of it stands here
      for (int c = 0; c < columns<2>; c += step) {
        vec dot = S::all(0);
        for (int i = c; i < c + step; i += S::lanes) {
          const std::int64_t at = width * u + column + i;
          S::store(a.d_h + at, sum[0][i / S::lanes], a.stream);
          dot = S::fma(S::load(a.h + at), sum[1][i / S::lanes], dot);
        }
        a.d_el[Heads * u + (column + c) / Dim] += S::sum(dot);
      }
    });
  }
};

}  // namespace yardstick
