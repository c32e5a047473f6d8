// The loop over a row's edges: per-edge values for a chunk of edges, then aggregates in registers, lanes across
// features.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/base/lowest.hpp>            // lowest
#include <stg/codegen/cuda/features.hpp>  // fill
#include <stg/codegen/cuda/handed.hpp>    // hand_over_neighbours, hand_over_values
#include <stg/codegen/cuda/softmax.hpp>   // take_exponentials, rescale, divide
#include <stg/op/list.hpp>                // of_code_t

namespace stg::gpu {

namespace detail {

/// The place of aggregate A of a row, or of a part of a long one.
template <class V, int A, class C> STG_KERNEL element<V, A>* result_of(const C& c) {
  if (c.stage == sweep_stage::parts) return reinterpret_cast<element<V, A>*>(c.work + c.call.result[slot_of<V, A>]);
  return row_of<V, no_loop, A>(c, 0);
}
/// The aggregate in the scratch of part p, and its state beside the result.
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

/// Neighbours whose rows are on their way at the same time, of so many aggregates: each has registers for all of them.
constexpr int rows_in_flight(int aggregates) { return aggregates <= 2 ? 8 : 4; }

/// Aggregates of a loop taken edge by edge: each lane has features of its own.
template <class V, class C> constexpr bool is_taken_in_order(int k) {
  const ir::statement& s = V::program.statements[V::plan.loop_results[k].at];
  return s.where != ir::space::edge && s.code != ir::opcode::top_share_edges && s.code != ir::opcode::first_max_edge &&
         share_beside<V>(k) < 0 && !(has_few_elements<V>(V::plan.loop_results[k].at) && is_split<C>(s.dims));
}
/// Aggregates of result K's shape among them. They are taken together, so a row weighed by several of them is read
/// once.
template <class V, int Loop, int K, class C> struct taken_with {
  int at[V::plan.loops[Loop].last_result - V::plan.loops[Loop].first_result]{};
  int count = 0;

  constexpr taken_with() {
    const pass::planned_loop loop = V::plan.loops[Loop];
    for (int k = loop.first_result; k < loop.last_result; ++k)
      if (is_taken_in_order<V, C>(k) && dims_of(k) == dims_of(K)) at[count++] = k;
  }
  static constexpr ir::shape dims_of(int k) { return V::program.statements[V::plan.loop_results[k].at].dims; }
};

/// Elements of result K: of so many edges, or their results.
template <class V, int K, int N, int Count> struct elements_of_result {
  pack<element<V, V::plan.loop_results[K].at>, N> at[Count];
};
template <class V, int N, int Count, int... K> struct elements_of : elements_of_result<V, K, N, Count>... {
  template <int R> STG_KERNEL auto& of() { return static_cast<elements_of_result<V, R, N, Count>&>(*this).at; }
};

/// Takes edges [begin, begin + Rows), or the ones before `end`, into elements [f, f + N) of results K.
template <class V, int Loop, int Rows, class C, int N, int... K>
STG_KERNEL void take_rows(const C& c, elements_of<V, N, 1, K...>& sum, int begin, int end, int f) {
  elements_of<V, N, Rows, K...> x;
  for (int r = 0; r < Rows; ++r) {
    const int j = begin + r < end ? begin + r : end - 1;
    ((x.template of<K>()[r] =
          evaluate<V, Loop, V::program.statements[V::plan.loop_results[K].at].operands[0], N>(c, j, f)),
     ...);
  }
  for (int r = 0; r < Rows; ++r)
    if (begin + r < end)
      (take_pack<operation_of<V, V::plan.loop_results[K].at>>(sum.template of<K>()[0], x.template of<K>()[r]), ...);
}
/// The elements of a chunk of edges, edge by edge.
template <class V, int Loop, int N, int... K, class C>
STG_KERNEL elements_of<V, N, 1, K...> taken_in_order(const C& c, int edges, int f) {
  elements_of<V, N, 1, K...> sum;
  for (int n = 0; n < N; ++n)
    ((sum.template of<K>()[0].at[n] =
          operation_of<V, V::plan.loop_results[K].at>::template neutral<element<V, V::plan.loop_results[K].at>>()),
     ...);
  constexpr int rows = rows_in_flight(sizeof...(K));
  int j = 0;
  for (; j + rows <= edges; j += rows) take_rows<V, Loop, rows>(c, sum, j, j + rows, f);
  for (; j < edges; j += rows / 2) take_rows<V, Loop, rows / 2>(c, sum, j, edges, f);
  return sum;
}
/// Element f of a chunk over the edges of a share of lanes (split_lanes), by one lane, then by all of the share.
template <class V, int Loop, int A, class Split, class C>
STG_KERNEL element<V, A> taken_by_share(const C& c, const Split& split, int edges) {
  using How = operation_of<V, A>;
  using T = element<V, A>;
  T mine = How::template neutral<T>();
  for (int j = split.share; j < edges; j += edges_in_flight * Split::shares) {
    T x[edges_in_flight];
    for (int r = 0; r < edges_in_flight; ++r) {
      const int at = j + r * Split::shares;
      x[r] = evaluate<V, Loop, V::program.statements[A].operands[0], 1>(c, at < edges ? at : j, split.f).at[0];
    }
    for (int r = 0; r < edges_in_flight; ++r)
      if (j + r * Split::shares < edges) mine = How::apply(mine, x[r]);
  }
  return split.together(mine, [](T a, T b) { return How::apply(a, b); });
}
/// Adds a chunk's result to elements [f, f + N) of an aggregate. Chunks are taken separately, so that rounding grows
/// with the edges of a chunk and the number of chunks, not with their product.
template <class V, int K, class C, class T, int N>
STG_KERNEL void join_chunk(const C& c, pack<T, N> sum, int f, bool begins) {
  constexpr int A = V::plan.loop_results[K].at;
  T* const to = result_of<V, A>(c) + f;
  if (!begins) {
    auto before = c.lanes.template load_pack<N>(to);
    if constexpr (is_divided<V, K>) rescale<V, K>(c, before, f);
    take_pack<operation_of<V, A>>(sum, before);
  }
  c.lanes.store_pack(to, sum);
}
/// Takes the edges of a chunk into all results of one shape; K is the first of them.
template <class V, int Loop, int K, class C, int... Of>
STG_KERNEL void take_in_order(const C& c, int edges, bool begins, std::integer_sequence<int, Of...>) {
  constexpr taken_with<V, Loop, K, C> all;
  constexpr int A = V::plan.loop_results[K].at, N = pack_of(V::program.statements[A].dims);
  const int w = static_cast<int>(width<V, A>(c.call));
  for (int f = c.lanes.rank() * N; f < w; f += c.lanes.size() * N) {
    auto sum = taken_in_order<V, Loop, N, all.at[Of]...>(c, edges, f);
    (join_chunk<V, all.at[Of]>(c, sum.template of<all.at[Of]>()[0], f, begins), ...);
  }
}
/// Takes the edges of a chunk into result K and the results taken together with it.
template <class V, int Loop, int K, class C> STG_KERNEL void take_edges(const C& c, int edges, bool begins) {
  constexpr int A = V::plan.loop_results[K].at;
  constexpr ir::shape dims = V::program.statements[A].dims;
  if constexpr (is_taken_in_order<V, C>(K)) {
    constexpr taken_with<V, Loop, K, C> all;
    if constexpr (all.at[0] == K)
      take_in_order<V, Loop, K>(c, edges, begins, std::make_integer_sequence<int, all.count>());
  } else {
    const split_lanes<C, dims> split(c);
    const pack<element<V, A>, 1> sum{{taken_by_share<V, Loop, A>(c, split, edges)}};
    if (split.is_mine()) join_chunk<V, K>(c, sum, split.f, begins);
  }
}

/// The first edge with the largest value; keeps the value beside it. Begins with -∞, as a maximum does; among nothing
/// but -∞ and NaN it is the first edge.
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
      if (is_larger || at < 0) at = static_cast<std::int32_t>(c.call.number_of_edge(c.edges.edge_id(c.first + j)));
    }
    c.lanes.store(most + f, largest);
    c.lanes.store(to, at);
  }
}

// ---- long rows: results of parts, in ascending order ----

/// Parts whose results are on their way at the same time.
inline constexpr int parts_in_flight = 4;

template <class V, int K, class C> STG_KERNEL void join_sums(const C& c) {
  constexpr int A = V::plan.loop_results[K].at;
  const int parts = c.part_count();
  using How = operation_of<V, A>;
  using T = element<V, A>;
  constexpr int N = pack_of(V::program.statements[A].dims);
  const int w = static_cast<int>(width<V, A>(c.call));
  for (int f = c.lanes.rank() * N; f < w; f += c.lanes.size() * N) {
    pack<T, N> sum;
    for (int k = 0; k < N; ++k) sum.at[k] = How::template neutral<T>();
    for (int p = 0; p < parts; p += parts_in_flight) {
      pack<T, N> part[parts_in_flight];
      for (int r = 0; r < parts_in_flight; ++r) {
        const int at = p + r < parts ? p + r : p;
        part[r] = c.lanes.template load_pack<N>(result_of_part<V, A>(c, at) + f);
        if constexpr (is_divided<V, K>) rescale_part<V, K>(c, part[r], f, at);
      }
      for (int r = 0; r < parts_in_flight; ++r)
        if (p + r < parts) take_pack<How>(sum, part[r]);
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
    for (int p = 1; p < c.part_count(); ++p) {
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
  if constexpr (s.where == ir::space::edge || share_beside<V>(K) >= 0) return;
  else if constexpr (s.code == ir::opcode::top_share_edges) join_exponentials<V, A>(c);
  else if constexpr (s.code == ir::opcode::first_max_edge) join_first_max<V, A>(c);
  else join_sums<V, K>(c);
}

// ---- results of a loop ----

/// Stores an edge value that is read outside of the unit.
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
  else if constexpr (share_beside<V>(K) >= 0) return;
  else if constexpr (A == merged_top_share<V, Loop>()) add_exponentials<V, Loop, A>(c, edges);
  else if constexpr (s.code == ir::opcode::top_share_edges) take_exponentials<V, Loop, A>(c, edges, begins);
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
    } else if constexpr (s.code == ir::opcode::top_share_edges) {
      put_of_state<V, A, A>(c, [](const auto& r) { return 1 / r.sum; });
    } else if constexpr (share_beside<V>(K) >= 0) {
      put_of_state<V, share_beside<V>(K), A>(c, [](const auto& r) { return r.most; });
    } else if constexpr (is_divided<V, K>) {
      divide<V, K>(c);
    }
  }
}

// ---- a chunk ----

template <class V, int Loop, int K, class C> STG_KERNEL void fill_planned(const C& c, int edges) {
  constexpr int I = V::plan.loop_statements[K].at;
  if constexpr (is_merged_softmax<V, Loop>(I)) {
    take_maximum<V, Loop, merged_top_share<V, Loop>()>(c, edges, c.first == c.begin);
    c.lanes.sync();
  }
  if constexpr (is_in_scratch<V, Loop>(I)) fill<V, Loop, I>(c, edges);
}
template <class V, int Loop, class C, int... K>
STG_KERNEL void fill_chunk(const C& c, int edges, std::integer_sequence<int, K...>) {
  (fill_planned<V, Loop, V::plan.loops[Loop].first_statement + K>(c, edges), ...);
}

/// Edges added up before their sum joins the others' sum.
inline constexpr std::int64_t edges_of_a_sum = 256;

/// Edges [first, first + edges) of the row at hand, in the order of the plan: values for whole chunks into scratch,
/// then aggregates.
template <class V, int Loop, class C, int... R>
STG_KERNEL void run_chunk(const C& c, int edges, std::integer_sequence<int, R...>) {
  constexpr pass::planned_loop loop = V::plan.loops[Loop];
  constexpr auto statements = std::make_integer_sequence<int, loop.last_statement - loop.first_statement>();
  const bool begins = c.first == c.begin;
  if constexpr (handed_of<V, Loop>.is_asked_for) {
    const auto with_neighbours = hand_over_neighbours<V>(c, edges);
    fill_chunk<V, Loop>(with_neighbours, edges, statements);
    const auto with_values = hand_over_values<V, Loop>(with_neighbours, edges);
    (take<V, Loop, loop.first_result + R>(with_values, edges, begins), ...);
  } else {
    (take<V, Loop, loop.first_result + R>(c, edges, begins), ...);
  }
}
template <class V, int Loop, class C, int... R>
STG_KERNEL void run_loop(C& c, std::integer_sequence<int, R...> results) {
  constexpr pass::planned_loop loop = V::plan.loops[Loop];
  if (c.stage == sweep_stage::combined) {
    (join<V, loop.first_result + R>(c), ...);
  } else {
    const std::int64_t chunk = handed_of<V, Loop>.is_asked_for ? c.call.chunk : edges_of_a_sum;
    for (c.first = c.begin; c.first < c.end; c.first += chunk) {
      run_chunk<V, Loop>(c, static_cast<int>(c.end - c.first < chunk ? c.end - c.first : chunk), results);
      c.lanes.sync();  // before the next chunk takes the place of this one
    }
    if (c.stage == sweep_stage::parts) return;
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
