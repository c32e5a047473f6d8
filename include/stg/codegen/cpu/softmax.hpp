// log Σ exp over edges: a maximum and a sum so far, rescaled when the maximum grows. Softmax reads its exponentials.
// A sum that is infinite, as an infinite score makes it, stays as it is.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/lowest.hpp>           // finite_or_zero
#include <stg/codegen/cpu/context.hpp>   // row_context, edge_stride
#include <stg/codegen/cpu/evaluate.hpp>  // full_lanes
#include <stg/codegen/cpu/scratch.hpp>   // softmax_arrays
#include <stg/op/aggregate.hpp>          // log_sum_exp_edges

namespace stg::cpu::detail {

/// What a log_sum_exp keeps in scratch: per feature, padded as edges are, then for every edge of the last chunk.
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

/// Of W numbers. Floats fill a register however few they are; doubles are taken one by one.
template <scalar_type S, int W> STG_INLINE void logarithm(lanes_t<S, W>& r, const lanes_t<S, W>& x) {
  if constexpr (sizeof(element_t<S>) == 4 && W < 4) {
    lanes_t<S, 2 * W> both;
    lanes_t<S, W> rest;
    join<S, 2 * W>(both, x, x);
    logarithm<S, 2 * W>(both, both);
    halve<S, 2 * W>(r, rest, both);
  } else {
    r = math::functions<lanes_t<S, W>>::log(x);
  }
}

/// shift + log sum. Sums of a few features are read as they were stored: a wider load would wait for the cache.
template <class P, int A> STG_INLINE void put_logarithm(const row_context& c) {
  using T = element<P, A>;
  constexpr ir::statement s = P::program.statements[A];
  constexpr int stored = pass::is_narrow(s) ? pass::narrow_stride(s.dims.size()) : 16 / int(sizeof(T));
  constexpr int L = stored < full_lanes<P> ? stored : full_lanes<P>;
  const std::int64_t w = width<P, A>(c.call);
  T* const to = row_of<P, no_loop, A>(c, 0);
  const softmax_state<P, A> state(c);
  for (std::int64_t f = 0; f < w; f += L) {
    lanes_t<s.type, L> sum, shift, log;
    load<s.type, L>(sum, state.sum + f);
    load<s.type, L>(shift, state.shift + f);
    logarithm<s.type, L>(log, sum);
    log += shift;
    if constexpr (L == 1) to[f] = log;
    else if (f + L <= w) store<s.type, L>(to + f, log);
    else
      for (int k = 0; k < L; ++k)
        if (f + k < w) to[f + k] = log[k];
  }
}

/// After the last edge. Over no edges: -∞.
template <class P, int A, bool TakesLogarithm> STG_INLINE void finish_exponentials(const row_context& c, bool empty) {
  using T = element<P, A>;
  const std::int64_t w = width<P, A>(c.call);
  if (empty) {
    T* const to = row_of<P, no_loop, A>(c, 0);
    for (std::int64_t f = 0; f < w; ++f) to[f] = op::log_sum_exp_edges::of_none<T>();
    return;
  }
  const softmax_state<P, A> state(c);
  for (std::int64_t f = 0; f < w; ++f) state.inverse[f] = 1 / state.sum[f];
  if constexpr (TakesLogarithm) put_logarithm<P, A>(c);
}

}  // namespace stg::cpu::detail
