// Σ exp(x - max x) over edges: a maximum and a sum so far, rescaled when the maximum grows. Sums of products with
// softmax are taken in the same pass over the edges (pass/online_softmax.hpp), rescaled with them, and divided after
// the last edge. A maximum beside it of the same scores is the one that it keeps.
#pragma once

#include <cstddef>  // byte

#include <stg/base/lowest.hpp>            // finite_or_zero, lowest
#include <stg/base/math.hpp>              // functions
#include <stg/codegen/cuda/features.hpp>  // larger, add

namespace stg::gpu::detail {

/// Moves to a maximum of further scores. A sum of 0, of nothing but -∞, stays so whatever it would be rescaled with.
template <class T> STG_KERNEL void move_to(running_exponentials<T>& r, T most) {
  const T before = r.shift();
  if (r.most < most) r.most = most;
  r.rescaled = r.sum == 0 ? T{1} : math::functions<T>::exp(before - r.shift());
  r.sum *= r.rescaled;
}

template <class V, int A, class C>
STG_KERNEL running_exponentials<element<V, A>> load_exponentials(const C& c, const std::byte* work, int f) {
  const auto* const at = exponentials_in<V, A>(c, work) + f;
  return {c.lanes.load(&at->most), c.lanes.load(&at->sum), c.lanes.load(&at->rescaled)};
}
template <class V, int A, class C>
STG_KERNEL void store_exponentials(const C& c, int f, const running_exponentials<element<V, A>>& r) {
  auto* const at = exponentials_in<V, A>(c, c.work) + f;
  c.lanes.store(&at->most, r.most);
  c.lanes.store(&at->sum, r.sum);
  c.lanes.store(&at->rescaled, r.rescaled);
}

/// Calls body(f, combined, put) for every feature of top_share A: combined(begin, value, op) puts together value(j)
/// of the edges of a chunk, put(store) calls store by the lane that has the feature. Few features: lanes share the
/// edges among them; else each lane has features of its own.
template <class V, int A, class C, class Body> STG_KERNEL void for_each_score(const C& c, int edges, const Body& body) {
  constexpr ir::shape dims = V::program.statements[A].dims;
  using T = element<V, A>;
  if constexpr (is_split<C>(dims)) {
    const split_lanes<C, dims> split(c);
    body(
        split.f,
        [&](T r, const auto& value, auto op) {
          for (int j = split.share; j < edges; j += split.shares) r = op(r, value(j));
          return split.together(r, op);
        },
        [&](const auto& store) {
          c.lanes.sync();  // all have read what is stored to
          if (split.is_mine()) store();
        });
  } else {
    const int w = static_cast<int>(width<V, A>(c.call));
    for (int f = c.lanes.rank(); f < w; f += c.lanes.size())
      body(
          f,
          [&](T r, const auto& value, auto op) {
            for (int j = 0; j < edges; ++j) r = op(r, value(j));
            return r;
          },
          [](const auto& store) { store(); });
  }
}

/// A chunk of edges of a top_share by itself.
template <class V, int Loop, int A, class C> STG_KERNEL void take_exponentials(const C& c, int edges, bool begins) {
  constexpr int X = V::program.statements[A].operands[0];
  using T = element<V, A>;
  for_each_score<V, A>(c, edges, [&](int f, const auto& combined, const auto& put) {
    const auto score = [&](int j) { return evaluate<V, Loop, X, 1>(c, j, f).at[0]; };
    auto r = begins ? running_exponentials<T>() : load_exponentials<V, A>(c, c.work, f);
    move_to(r, combined(lowest<T>(), score, larger()));
    r.sum += combined(
        T{}, [&](int j) { return math::functions<T>::exp(score(j) - r.shift()); }, add());
    put([&] { store_exponentials<V, A>(c, f, r); });
  });
}

/// The same in two: before the loop's softmax is computed, which is exp(score - shift) until sums are divided, and when
/// it is there.
template <class V, int Loop, int A, class C> STG_KERNEL void take_maximum(const C& c, int edges, bool begins) {
  constexpr int X = V::program.statements[A].operands[0];
  using T = element<V, A>;
  for_each_score<V, A>(c, edges, [&](int f, const auto& combined, const auto& put) {
    auto r = begins ? running_exponentials<T>() : load_exponentials<V, A>(c, c.work, f);
    move_to(r, combined(
                   lowest<T>(), [&](int j) { return evaluate<V, Loop, X, 1>(c, j, f).at[0]; }, larger()));
    put([&] { store_exponentials<V, A>(c, f, r); });
  });
}
template <class V, int Loop, int A, class C> STG_KERNEL void add_exponentials(const C& c, int edges) {
  constexpr int E = merged_softmax<V, Loop>();
  using T = element<V, A>;
  for_each_score<V, A>(c, edges, [&](int f, const auto& combined, const auto& put) {
    T* const sum = &exponentials_in<V, A>(c, c.work)[f].sum;
    const T all = c.lanes.load(sum) + combined(
                                          T{}, [&](int j) { return evaluate<V, Loop, E, 1>(c, j, f).at[0]; }, add());
    put([&] { c.lanes.store(sum, all); });
  });
}

/// Stores of(state) of every feature of top_share A as the row of value To, after the last edge.
template <class V, int A, int To, class C, class Of> STG_KERNEL void put_of_state(const C& c, const Of& of) {
  const int w = static_cast<int>(width<V, A>(c.call));
  for (int f = c.lanes.rank(); f < w; f += c.lanes.size())
    c.lanes.store(row_of<V, no_loop, To>(c, 0) + f, of(load_exponentials<V, A>(c, c.work, f)));
}

/// Puts together what the parts of a long row gave, in ascending order.
template <class V, int A, class C> STG_KERNEL void join_exponentials(const C& c) {
  using T = element<V, A>;
  const int w = static_cast<int>(width<V, A>(c.call));
  for (int f = c.lanes.rank(); f < w; f += c.lanes.size()) {
    running_exponentials<T> r;
    for (int p = 0; p < c.part_count(); ++p) {
      const auto part = load_exponentials<V, A>(c, c.part(p), f);
      move_to(r, part.most);
      if (part.sum != 0) r.sum += part.sum * math::functions<T>::exp(part.shift() - r.shift());
    }
    store_exponentials<V, A>(c, f, r);
  }
  c.lanes.sync();
}

// ---- sums of products with softmax ----

/// Whether result K is one, of the softmax whose exponentials its loop takes.
template <class V, int K> inline constexpr bool is_divided = V::plan.loop_results[K].over >= 0;

/// Multiplies elements [f, f + N) of result K by factor(g), g their place in the softmax's top_share.
template <class V, int K, class C, class T, int N, class Factor>
STG_KERNEL void scale(const C& c, pack<T, N>& x, int f, const Factor& factor) {
  constexpr int A = V::plan.loop_results[K].at, Over = V::plan.loop_results[K].over;
  constexpr ir::shape of = V::program.statements[A].dims, mine = V::program.statements[Over].dims;
  const int at = place<V, A, Over>(c, f);
  if constexpr (mine.rank > 0 && mine.from_right(0) == of.from_right(0)) {
    for (int k = 0; k < N; ++k) x.at[k] *= factor(at + k);
  } else {
    const T by = factor(at);
    for (int k = 0; k < N; ++k) x.at[k] *= by;
  }
}

/// What was summed before the chunk at hand.
template <class V, int K, class C, class T, int N> STG_KERNEL void rescale(const C& c, pack<T, N>& x, int f) {
  const auto* const state = exponentials_in<V, V::plan.loop_results[K].over>(c, c.work);
  scale<V, K>(c, x, f, [&](int g) { return c.lanes.load(&state[g].rescaled); });
}
/// What part p of a long row gave. One of nothing but -∞ gave zeros.
template <class V, int K, class C, class T, int N>
STG_KERNEL void rescale_part(const C& c, pack<T, N>& x, int f, int p) {
  constexpr int Over = V::plan.loop_results[K].over;
  scale<V, K>(c, x, f, [&](int g) {
    const auto part = load_exponentials<V, Over>(c, c.part(p), g), all = load_exponentials<V, Over>(c, c.work, g);
    return part.sum == 0 ? T{1} : math::functions<T>::exp(part.shift() - all.shift());
  });
}
/// After the last edge.
template <class V, int K, class C> STG_KERNEL void divide(const C& c) {
  constexpr int A = V::plan.loop_results[K].at, N = pack_of(V::program.statements[A].dims);
  using T = element<V, A>;
  const auto* const state = exponentials_in<V, V::plan.loop_results[K].over>(c, c.work);
  const int w = static_cast<int>(width<V, A>(c.call));
  T* const to = row_of<V, no_loop, A>(c, 0);
  for (int f = c.lanes.rank() * N; f < w; f += c.lanes.size() * N) {
    auto sum = c.lanes.template load_pack<N>(to + f);
    scale<V, K>(c, sum, f, [&](int g) { return 1 / c.lanes.load(&state[g].sum); });
    c.lanes.store_pack(to + f, sum);
  }
}

}  // namespace stg::gpu::detail
