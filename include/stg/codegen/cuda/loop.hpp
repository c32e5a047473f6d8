// The loop over a row's edges: per-edge values for a chunk of edges, then aggregates in registers, lanes across
// features.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/base/lowest.hpp>            // lowest
#include <stg/codegen/cuda/features.hpp>  // fill
#include <stg/codegen/cuda/softmax.hpp>   // take_exponentials, rescale, divide
#include <stg/op/list.hpp>                // of_code_t

namespace stg::gpu {

namespace detail {

/// Where aggregate A of a row goes, or of a part of a long one.
template <class V, int A, class C> STG_KERNEL element<V, A>* result_of(const C& c) {
  if constexpr (C::is_long)
    if (c.call.stage == sweep_stage::parts)
      return reinterpret_cast<element<V, A>*>(c.work + c.call.result[slot_of<V, A>]);
  return row_of<V, no_loop, A>(c, 0);
}
/// The same in the scratch of part p, and what the aggregate keeps beside its result.
template <class V, int A, class C> STG_KERNEL const element<V, A>* result_of_part(const C& c, int p) {
  return reinterpret_cast<const element<V, A>*>(c.part(p) + c.call.result[slot_of<V, A>]);
}
template <class V, int A, class T, class C> STG_KERNEL const T* state_of_part(const C& c, int p) {
  return reinterpret_cast<const T*>(c.part(p) + c.call.state[slot_of<V, A>]);
}

// ---- sums, products, maxima ----

/// The operation of aggregate A.
template <class V, int A> using operation_of = op::of_code_t<V::program.statements[A].code>;

template <class How, class T, int N> STG_KERNEL void take_pack(pack<T, N>& a, const pack<T, N>& x) {
  for (int k = 0; k < N; ++k) a.at[k] = How::apply(a.at[k], x.at[k]);
}

/// Neighbours whose rows are on their way at the same time.
inline constexpr int rows_in_flight = 4;

/// Takes the edges of a chunk into aggregate A. Chunks are taken separately, so that rounding grows with the edges of a
/// chunk and the number of chunks, not with their product.
template <class V, int Loop, int K, class C> STG_KERNEL void take_edges(const C& c, int edges, bool begins) {
  constexpr int A = V::plan.loop_results[K].at;
  using How = operation_of<V, A>;
  using T = element<V, A>;
  constexpr int N = pack_of(V::program.statements[A].dims), X = V::program.statements[A].operands[0];
  const int w = static_cast<int>(width<V, A>(c.call));
  for (int f = c.lanes.rank() * N; f < w; f += c.lanes.size() * N) {
    pack<T, N> sum;
    for (int k = 0; k < N; ++k) sum.at[k] = How::template neutral<T>();
    int j = 0;
    for (; j + rows_in_flight <= edges; j += rows_in_flight) {
      const auto a = evaluate<V, Loop, X, N>(c, j, f), b = evaluate<V, Loop, X, N>(c, j + 1, f);
      const auto d = evaluate<V, Loop, X, N>(c, j + 2, f), e = evaluate<V, Loop, X, N>(c, j + 3, f);
      take_pack<How>(sum, a);
      take_pack<How>(sum, b);
      take_pack<How>(sum, d);
      take_pack<How>(sum, e);
    }
    for (; j < edges; ++j) take_pack<How>(sum, evaluate<V, Loop, X, N>(c, j, f));
    T* const to = result_of<V, A>(c) + f;
    if (!begins) {
      auto before = c.lanes.template load_pack<N>(to);
      if constexpr (is_divided<V, K>) rescale<V, K>(c, before, f);
      take_pack<How>(sum, before);
    }
    c.lanes.store_pack(to, sum);
  }
}

/// The first edge whose value is the largest; keeps that value beside it. Begins with -∞, as a maximum does; among
/// nothing but -∞ and NaN it is the first edge.
template <class V, int Loop, int A, class C> STG_KERNEL void take_first_max(const C& c, int edges, bool begins) {
  constexpr int X = V::program.statements[A].operands[0];
  using T = element<V, X>;
  const int w = static_cast<int>(width<V, A>(c.call));
  T* const most = reinterpret_cast<T*>(c.work + c.call.state[slot_of<V, A>]);
  for (int f = c.lanes.rank(); f < w; f += c.lanes.size()) {
    std::int32_t* const to = result_of<V, A>(c) + f;
    T largest = begins ? lowest<T>() : c.lanes.load(most + f);
    std::int32_t at = begins ? -1 : c.lanes.load(to);
    for (int j = 0; j < edges; ++j) {
      const T x = evaluate<V, Loop, X, 1>(c, j, f).at[0];
      const bool is_larger = largest < x;
      if (is_larger) largest = x;
      if (is_larger || at < 0) at = static_cast<std::int32_t>(c.edges.edge_id(c.first + j));
    }
    c.lanes.store(most + f, largest);
    c.lanes.store(to, at);
  }
}

// ---- long rows: what parts gave, in ascending order ----

template <class V, int K, class C> STG_KERNEL void join_sums(const C& c) {
  constexpr int A = V::plan.loop_results[K].at;
  using How = operation_of<V, A>;
  using T = element<V, A>;
  constexpr int N = pack_of(V::program.statements[A].dims);
  const int w = static_cast<int>(width<V, A>(c.call));
  for (int f = c.lanes.rank() * N; f < w; f += c.lanes.size() * N) {
    pack<T, N> sum;
    for (int k = 0; k < N; ++k) sum.at[k] = How::template neutral<T>();
    for (int p = 0; p < c.part_count; ++p) {
      auto part = c.lanes.template load_pack<N>(result_of_part<V, A>(c, p) + f);
      if constexpr (is_divided<V, K>) rescale_part<V, K>(c, part, f, p);
      take_pack<How>(sum, part);
    }
    c.lanes.store_pack(row_of<V, no_loop, A>(c, 0) + f, sum);
  }
}
template <class V, int A, class C> STG_KERNEL void join_first_max(const C& c) {
  using T = element<V, V::program.statements[A].operands[0]>;
  const int w = static_cast<int>(width<V, A>(c.call));
  for (int f = c.lanes.rank(); f < w; f += c.lanes.size()) {
    T largest = c.lanes.load(state_of_part<V, A, T>(c, 0) + f);
    std::int32_t at = c.lanes.load(result_of_part<V, A>(c, 0) + f);
    for (int p = 1; p < c.part_count; ++p) {
      const T x = c.lanes.load(state_of_part<V, A, T>(c, p) + f);
      if (!(largest < x)) continue;
      largest = x;
      at = c.lanes.load(result_of_part<V, A>(c, p) + f);
    }
    c.lanes.store(row_of<V, no_loop, A>(c, 0) + f, at);
  }
}
template <class V, int K, class C> STG_KERNEL void join(const C& c) {
  constexpr int A = V::plan.loop_results[K].at;
  constexpr ir::statement s = V::program.statements[A];
  if constexpr (s.where == ir::space::edge) return;
  else if constexpr (s.code == ir::opcode::log_sum_exp_edges) join_exponentials<V, A>(c);
  else if constexpr (s.code == ir::opcode::first_max_edge) join_first_max<V, A>(c);
  else join_sums<V, K>(c);
}

// ---- what a loop makes ----

/// Keeps an edge value that leaves the unit.
template <class V, int Loop, int E, class C> STG_KERNEL void keep_edges(const C& c, int edges) {
  constexpr int N = pack_of(V::program.statements[E].dims);
  const int packs = static_cast<int>(width<V, E>(c.call)) / N;
  auto* const base = reinterpret_cast<element<V, E>*>(c.call.memory[slot_of<V, E>]);
  for (int k = c.lanes.rank(); k < edges * packs; k += c.lanes.size()) {
    const int j = k / packs, f = (k - j * packs) * N;
    c.lanes.store_pack(base + c.edges.edge_id(c.first + j) * (packs * N) + f, evaluate<V, Loop, E, N>(c, j, f));
  }
}

template <class V, int Loop, int K, class C> STG_KERNEL void take(const C& c, int edges, bool begins) {
  constexpr int A = V::plan.loop_results[K].at;
  constexpr ir::statement s = V::program.statements[A];
  if constexpr (s.where == ir::space::edge) keep_edges<V, Loop, A>(c, edges);
  else if constexpr (A == merged_log_sum_exp<V, Loop>()) add_exponentials<V, Loop, A>(c, edges);
  else if constexpr (s.code == ir::opcode::log_sum_exp_edges) take_exponentials<V, Loop, A>(c, edges, begins);
  else if constexpr (s.code == ir::opcode::first_max_edge) take_first_max<V, Loop, A>(c, edges, begins);
  else take_edges<V, Loop, K>(c, edges, begins);
}

/// After the last edge.
template <class V, int K, class C> STG_KERNEL void finish(const C& c, bool empty) {
  constexpr int A = V::plan.loop_results[K].at;
  constexpr ir::statement s = V::program.statements[A];
  if constexpr (s.where != ir::space::edge) {
    if (empty) {
      const int w = static_cast<int>(width<V, A>(c.call));
      for (int f = c.lanes.rank(); f < w; f += c.lanes.size())
        c.lanes.store(row_of<V, no_loop, A>(c, 0) + f, op::of_code_t<s.code>::template of_none<element<V, A>>());
    } else if constexpr (s.code == ir::opcode::log_sum_exp_edges) {
      if constexpr (V::plan.loop_results[K].takes_logarithm) put_logarithm<V, A>(c);
    } else if constexpr (is_divided<V, K>) {
      divide<V, K>(c);
    }
  }
}

// ---- a chunk ----

template <class V, int Loop, int K, class C> STG_KERNEL void fill_planned(const C& c, int edges) {
  constexpr int I = V::plan.loop_statements[K].at;
  if constexpr (is_merged_softmax<V, Loop>(I)) {
    take_maximum<V, Loop, merged_log_sum_exp<V, Loop>()>(c, edges, c.first == c.begin);
    c.lanes.sync();
  }
  if constexpr (is_in_scratch<V, Loop>(I)) fill<V, Loop, I>(c, edges);
}
template <class V, int Loop, class C, int... K>
STG_KERNEL void fill_chunk(const C& c, int edges, std::integer_sequence<int, K...>) {
  (fill_planned<V, Loop, V::plan.loops[Loop].first_statement + K>(c, edges), ...);
}

template <class V, int Loop> constexpr bool uses_scratch() {
  const pass::planned_loop loop = V::plan.loops[Loop];
  for (int k = loop.first_statement; k < loop.last_statement; ++k)
    if (is_in_scratch<V, Loop>(V::plan.loop_statements[k].at)) return true;
  return false;
}

/// Edges that are added up before their sum joins that of the others.
inline constexpr std::int64_t edges_of_a_sum = 256;

template <class V, int Loop, class C, int... R> STG_KERNEL void run_loop(C& c, std::integer_sequence<int, R...>) {
  constexpr pass::planned_loop loop = V::plan.loops[Loop];
  bool joins = false;
  if constexpr (C::is_long) joins = c.call.stage == sweep_stage::joined;
  if (joins) {
    if constexpr (C::is_long) (join<V, loop.first_result + R>(c), ...);
  } else {
    const std::int64_t chunk = uses_scratch<V, Loop>() ? c.call.chunk : edges_of_a_sum;
    for (c.first = c.begin; c.first < c.end; c.first += chunk) {
      const int edges = static_cast<int>(c.end - c.first < chunk ? c.end - c.first : chunk);
      fill_chunk<V, Loop>(c, edges, std::make_integer_sequence<int, loop.last_statement - loop.first_statement>());
      (take<V, Loop, loop.first_result + R>(c, edges, c.first == c.begin), ...);
      c.lanes.sync();  // before the next chunk takes the place of this one
    }
    if constexpr (C::is_long)
      if (c.call.stage == sweep_stage::parts) return;
  }
  (finish<V, loop.first_result + R>(c, c.begin == c.end), ...);
  c.lanes.sync();
}

}  // namespace detail

/// One loop of the plan over the edges of the row at hand.
template <class V, int Loop, class C> STG_KERNEL void run_loop(C& c) {
  constexpr pass::planned_loop loop = V::plan.loops[Loop];
  detail::run_loop<V, Loop>(c, std::make_integer_sequence<int, loop.last_result - loop.first_result>());
}

}  // namespace stg::gpu
