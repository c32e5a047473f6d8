// Sums of neighbours' rows, weighted or not: the output row stays in registers over all edges.
#pragma once

#include <cstdint>  // int32_t, int64_t

#include "../yardstick.hpp"  // rows

namespace yardstick {

/// Where an edge's weight stands.
enum class weight { of_neighbour, of_position, of_edge_id, of_owner };

struct sum_arguments {
  const rows* on;
  const float* weights;
  const float* x;
  float* y;
  std::int64_t width;
  std::int64_t distance;  // edges between a row's prefetch and its use
  bool near;              // x fits the last cache: every other line is asked for, the hardware brings its neighbour
  bool stream;            // past the caches: the rows written are aligned and more than the caches hold
};

/// Columns [from, from + 16 · Blocks) of the rows [first, last), the last block through a mask when Tail.
template <class S, weight Kind, int Blocks, bool Tail, bool Near>
void sum_columns(const sum_arguments& a, std::int32_t first, std::int32_t last, std::int64_t from) {
  using vec = typename S::vec;
  const std::int64_t distance = a.distance;
  constexpr int unroll = 1;
  const typename S::mask tail = S::first(a.width - from - (Blocks - 1) * S::lanes);
  const std::int32_t* begin = a.on->begin.data();
  const std::int32_t* neighbour = a.on->neighbour.data();
  const std::int32_t* id = a.on->edge_id.data();
  const float* x = a.x + from;
  const auto load = [&](const float* row, int b) {
    return Tail && b == Blocks - 1 ? S::load(tail, row + b * S::lanes) : S::load(row + b * S::lanes);
  };
  for (std::int32_t v = first; v < last; ++v) {
    vec sum[unroll][Blocks];
    for (int j = 0; j < unroll; ++j)
      for (int b = 0; b < Blocks; ++b) sum[j][b] = S::all(0);
    const auto add = [&](std::int32_t k, vec(&to)[Blocks]) {
      const std::int32_t u = neighbour[k];
      const float* row = x + u * a.width;
      {
        const float* next = x + neighbour[k + distance] * a.width;
        if constexpr (Kind == weight::of_edge_id) __builtin_prefetch(a.weights + id[k + distance]);
        for (int b = 0; b < Blocks * S::lanes / 16; b += Near ? 2 : 1) __builtin_prefetch(next + 16 * b);
      }
      if constexpr (Kind == weight::of_owner) {
        for (int b = 0; b < Blocks; ++b) to[b] = to[b] + load(row, b);
      } else {
        const vec w = S::all(Kind == weight::of_neighbour  ? a.weights[u]
                             : Kind == weight::of_position ? a.weights[k]
                                                           : a.weights[id[k]]);
        for (int b = 0; b < Blocks; ++b) to[b] = S::fma(w, load(row, b), to[b]);
      }
    };
    std::int32_t k = begin[v];
    const std::int32_t end = begin[v + 1];
    for (; k + unroll <= end; k += unroll)
      for (int j = 0; j < unroll; ++j) add(k + j, sum[j]);
    for (; k < end; ++k) add(k, sum[0]);
    float* to = a.y + v * a.width + from;
    for (int b = 0; b < Blocks; ++b) {
      vec s = sum[0][b];
      for (int j = 1; j < unroll; ++j) s = s + sum[j][b];
      if constexpr (Kind == weight::of_owner) s = s * S::all(a.weights[v]);
      if (Tail && b == Blocks - 1) S::store(tail, to + b * S::lanes, s);
      else S::store(to + b * S::lanes, s, a.stream);
    }
  }
}

using sum_function = void (*)(const sum_arguments&, std::int32_t, std::int32_t, std::int64_t);

/// The function for `blocks` registers, 1 to Blocks.
template <class S, weight Kind, int Blocks> sum_function choose_sum(std::int64_t blocks, bool tail, bool near) {
  if constexpr (Blocks > 1)
    if (blocks < Blocks) return choose_sum<S, Kind, Blocks - 1>(blocks, tail, near);
  if (near) return tail ? sum_columns<S, Kind, Blocks, true, true> : sum_columns<S, Kind, Blocks, false, true>;
  return tail ? sum_columns<S, Kind, Blocks, true, false> : sum_columns<S, Kind, Blocks, false, false>;
}

/// Rows wider than the registers are summed in blocks of columns, part by part, so that a part's ids stay in cache.
template <class S, weight Kind> void sum_rows(const sum_arguments& a, std::int32_t first, std::int32_t last) {
  constexpr int most = 256 / 16;  // registers, half of which AVX-512 has; all of AVX2's would leave none for loads
  constexpr int blocks = S::lanes == 16 ? most : most / 2;
  constexpr std::int64_t step = blocks * S::lanes;
  for (std::int64_t from = 0; from < a.width; from += step) {
    const std::int64_t left = a.width - from < step ? a.width - from : step;
    choose_sum<S, Kind, blocks>((left + S::lanes - 1) / S::lanes, left % S::lanes != 0, a.near)(a, first, last, from);
  }
}

}  // namespace yardstick
