// Σ exp(x - max x) over edges: a maximum and a sum so far, rescaled when the maximum grows. Softmax reads its
// exponentials, and the inverse of the sum is the share of the largest.
// A sum that is infinite, as an infinite score makes it, stays as it is.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/lowest.hpp>           // finite_or_zero
#include <stg/codegen/cpu/context.hpp>   // row_context, edge_stride
#include <stg/codegen/cpu/evaluate.hpp>  // full_lanes
#include <stg/codegen/cpu/scratch.hpp>   // softmax_arrays
#include <stg/op/aggregate.hpp>          // top_share_edges

namespace stg::cpu::detail {

/// What a top_share keeps in scratch: per feature, padded as edges are, then for every edge of the last chunk.
template <class P, int A> struct softmax_state {
  using T = element<P, A>;
  T* shift;         // the maximum so far; 0 where that is infinite, and the sum then is 0 or ∞
  T* sum;           // of exponentials, each of score - shift
  T* inverse;       // 1 / sum, after the last edge
  T* exponentials;  // (edges, features): of the last chunk

  STG_INLINE explicit softmax_state(const row_context& c) {
    const std::int64_t stride = edge_stride<P, A>(c.call);
    shift = reinterpret_cast<T*>(c.scratch + c.offsets[P::program.size + A]);
    sum = shift + stride;
    inverse = sum + stride;
    exponentials = shift + softmax_arrays * stride;
  }
};

/// A chunk of edges for any number of features, feature by feature.
template <class P, int Loop, int A>
STG_INLINE void take_exponentials(const row_context& c, std::int64_t edges, bool first) {
  using T = element<P, A>;
  constexpr scalar_type S = P::program.statements[A].type;
  constexpr int L = full_lanes<P>;
  constexpr int X = P::program.statements[A].operands[0];
  const std::int64_t w = width<P, A>(c.call), stride = edge_stride<P, X>(c.call);
  const softmax_state<P, A> state(c);
  T* const exponentials = state.exponentials;
  const T* const scores = row_of<P, Loop, X>(c, 0);  // (edges, features)
  for (std::int64_t f = 0; f < w; ++f) {
    T most = scores[f];
    for (std::int64_t j = 1; j < edges; ++j) most = most < scores[j * stride + f] ? scores[j * stride + f] : most;
    const bool begins = first || state.sum[f] == 0;
    if (!begins && most < state.shift[f]) most = state.shift[f];
    const bool stays = !begins && state.sum[f] == -lowest<T>();
    const T shift = stays ? state.shift[f] : finite_or_zero(most);
    state.sum[f] = begins ? T{} : state.sum[f] * math::functions<T>::exp(state.shift[f] - shift);
    state.shift[f] = shift;
    for (std::int64_t j = 0; j < edges; ++j) exponentials[j * stride + f] = scores[j * stride + f] - shift;
  }
  for (std::int64_t k = 0; k < edges * stride; k += L) {  // padded
    lanes_t<S, L> x;
    load<S, L>(x, exponentials + k);
    x = math::functions<lanes_t<S, L>>::exp(x);
    store<S, L>(exponentials + k, x);
  }
  for (std::int64_t f = 0; f < w; ++f) {
    T sum{};
    for (std::int64_t j = 0; j < edges; ++j) sum += exponentials[j * stride + f];  // (edges, features)
    state.sum[f] += sum;
  }
}

/// After the last edge.
template <class P, int A> STG_INLINE void finish_exponentials(const row_context& c, bool empty) {
  using T = element<P, A>;
  T* const to = row_of<P, no_loop, A>(c, 0);
  const std::int64_t w = width<P, A>(c.call);
  if (empty) {
    for (std::int64_t f = 0; f < w; ++f) to[f] = op::top_share_edges::of_none<T>();
    return;
  }
  const softmax_state<P, A> state(c);
  for (std::int64_t f = 0; f < w; ++f) to[f] = state.inverse[f] = 1 / state.sum[f];
}

}  // namespace stg::cpu::detail
