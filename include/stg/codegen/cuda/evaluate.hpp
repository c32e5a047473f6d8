// The evaluator: any elements of any value for the row at hand, computed in place or read from memory.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/keep_mask.hpp>          // keep_words, keeps
#include <stg/codegen/cuda/arguments.hpp>  // arguments, pack_of
#include <stg/codegen/cuda/pack.hpp>       // pack
#include <stg/op/list.hpp>                 // function_of_t

namespace stg::gpu {

/// One row of a sweep, or the graph, or a part of a long row, as a lane sees it. Group: the lanes of the row
/// (group.hpp).
template <class V, class Group> struct row_context {
  /// Whether it knows neighbours of its edges other than from memory, and values handed over by lanes (handed.hpp).
  static constexpr bool knows_neighbours = false, has_handed = false;
  using group = Group;
  Group& lanes;
  const arguments<V>& call;
  std::byte* scratch;  // of the row's own values
  std::byte* work;     // of edges, and of aggregates on their way: the same, or scratch of a part of a long row
  adjacency edges{};   // of the sweep's side
  sweep_stage stage = sweep_stage::rows;
  std::int64_t row = 0;
  std::int64_t begin = 0, end = 0;  // edges of the row, or of its part
  std::int64_t first = 0;           // the first edge of the chunk at hand
  int long_row = 0;                 // its number among long rows

  /// Parts of the long row, and the scratch of one.
  STG_KERNEL int part_count() const {
    return edges.long_rows().first_part[long_row + 1] - edges.long_rows().first_part[long_row];
  }
  STG_KERNEL const std::byte* part(int p) const {
    return call.scratch_of_part(edges.long_rows().first_part[long_row] + p);
  }
};

/// Elements [f, f + N) of the row of value I; j: the edge within the chunk, for edge values. N divides the last axis.
template <class V, int Loop, int I, int N, class C>
STG_KERNEL pack<element<V, I>, N> evaluate(const C& c, int j, int f);

namespace detail {

/// The address of a statement that the kernel makes, in any place (features.hpp).
template <class V, int Loop, int I, int N, class C>
STG_KERNEL pack<element<V, I>, N> element_of(const C& c, int j, int f);

/// The state of top_share A, feature by feature, in the scratch of a row or of a part of one.
template <class V, int A, class C>
STG_KERNEL running_exponentials<element<V, A>>* exponentials_in(const C& c, std::byte* work) {
  return reinterpret_cast<running_exponentials<element<V, A>>*>(work + c.call.state[slot_of<V, A>]);
}
template <class V, int A, class C>
STG_KERNEL const running_exponentials<element<V, A>>* exponentials_in(const C& c, const std::byte* work) {
  return reinterpret_cast<const running_exponentials<element<V, A>>*>(work + c.call.state[slot_of<V, A>]);
}

/// The position of element f of Of's shape in the row of X, broadcast to it: axis by axis from the right.
template <class V, int Of, int X, int Axis, class C> STG_KERNEL int place_from(const C& c, int f, int stride) {
  constexpr ir::shape of = V::program.statements[Of].dims, mine = V::program.statements[X].dims;
  if constexpr (Axis >= of.rank || Axis >= mine.rank) {
    return 0;
  } else {
    const int e = static_cast<int>(extent_value<of.from_right(Axis).code>(c.call));
    const int here = Axis + 1 == of.rank ? f : f % e;
    if constexpr (mine.from_right(Axis).is_one()) return place_from<V, Of, X, Axis + 1>(c, f / e, stride);
    else return here * stride + place_from<V, Of, X, Axis + 1>(c, f / e, stride * e);
  }
}
template <class V, int Of, int X, class C> STG_KERNEL int place(const C& c, int f) {
  constexpr ir::shape of = V::program.statements[Of].dims, mine = V::program.statements[X].dims;
  if constexpr (of == mine) return f;
  else if constexpr (mine.is_scalar()) return 0;
  else return place_from<V, Of, X, 0>(c, f, 1);
}

/// Whether rows of value R begin at multiples of N elements.
template <class V> constexpr bool begins_with_packs(int r, int n) {
  const ir::statement& s = V::program.statements[r];
  if (!pass::is_part_of_row(V::program, r)) return true;  // a row's width is a multiple of n, as its last axis is
  const ir::shape& whole = V::program.statements[s.operands[0]].dims;
  const std::int64_t width = known_product(whole, 0, whole.rank);
  return width > 0 && width % n == 0 && pass::part_begin(s) % n == 0;
}

/// The neighbour of edge j of the chunk.
template <class C> STG_KERNEL std::int32_t neighbour_of(const C& c, int j) {
  if constexpr (C::knows_neighbours) return c.neighbour(j);
  else return c.edges.neighbour(c.first + j);
}

/// The address of value I's row.
template <class V, int Loop, int I, class C> STG_KERNEL element<V, I>* row_of(const C& c, int j) {
  using T = element<V, I>;
  constexpr int R = root_of<V>(I);
  constexpr ir::statement s = V::program.statements[R];
  constexpr int slot = slot_of<V, R>;
  if constexpr (s.where == ir::space::graph) {
    return reinterpret_cast<T*>(c.call.memory[slot]);
  } else if constexpr (s.where == ir::space::vertex) {
    if constexpr (is_in_memory<V>(R)) return reinterpret_cast<T*>(c.call.memory[slot]) + c.row * width<V, R>(c.call);
    else return reinterpret_cast<T*>(c.scratch + c.call.offset[slot]);
  } else if constexpr (is_in_scratch<V, Loop>(R)) {
    return reinterpret_cast<T*>(c.work + c.call.offset[slot]) + j * width<V, R>(c.call);
  } else if constexpr (is_own_of_edge<V>(R)) {
    return reinterpret_cast<T*>(c.call.memory[slot]) + c.edges.edge_id(c.first + j) * width<V, R>(c.call);
  } else if constexpr (pass::is_part_of_row(V::program, R)) {
    return row_of<V, Loop, s.operands[0]>(c, j) + pass::part_begin(s);
  } else {
    static_assert(op::info_of(s.code).kind == op::category::gather, "stg internal: a value lies nowhere");
    constexpr int G = root_of<V>(s.operands[0]);
    if constexpr (reads_own_row<V, Loop>(s.code)) return row_of<V, no_loop, G>(c, 0);
    else
      return reinterpret_cast<T*>(c.call.memory[slot_of<V, G>]) +
             std::int64_t{neighbour_of(c, j)} * width<V, G>(c.call);
  }
}

/// Whether no thread of the launch writes value R's memory.
template <class V, int Loop> constexpr bool is_constant(int r) {
  if (is_in_scratch<V, Loop>(r)) return false;
  const ir::statement& s = V::program.statements[r];
  if (s.where == ir::space::edge) {
    if (is_own_of_edge<V>(r)) return true;
    return is_constant<V, Loop>(root_of<V>(s.operands[0]));  // of the row, or a gathered value
  }
  return is_in_memory<V>(r) && !V::made.at[r];
}

/// N consecutive elements from memory.
template <class V, int Loop, int I, int N, class C> STG_KERNEL pack<element<V, I>, N> read(const C& c, int j, int f) {
  constexpr int R = root_of<V>(I);
  const element<V, I>* const at = row_of<V, Loop, I>(c, j) + f;
  if constexpr (begins_with_packs<V>(R, N)) {
    if constexpr (is_constant<V, Loop>(R)) return c.lanes.template load_constant_pack<N>(at);
    else return c.lanes.template load_pack<N>(at);
  } else {
    pack<element<V, I>, N> r;
    for (int k = 0; k < N; ++k)
      r.at[k] = is_constant<V, Loop>(R) ? c.lanes.load_constant(at + k) : c.lanes.load(at + k);
    return r;
  }
}

/// Operand K of statement I, for elements [f, f + N) of I: as many numbers, or one for all of them.
template <class V, int Loop, int I, int K, int N, class C> STG_KERNEL auto operand(const C& c, int j, int f) {
  constexpr int X = V::program.statements[I].operands[K];
  constexpr ir::shape of = V::program.statements[I].dims, mine = V::program.statements[X].dims;
  using T = element<V, X>;
  const int at = place<V, I, X>(c, f);
  if constexpr (N == 1 || (mine.rank > 0 && mine.from_right(0) == of.from_right(0))) {
    return evaluate<V, Loop, X, N>(c, j, at);
  } else {
    const T one = evaluate<V, Loop, X, 1>(c, j, at).at[0];
    pack<T, N> r;
    for (int k = 0; k < N; ++k) r.at[k] = one;
    return r;
  }
}

/// Pointwise statement I of one number per operand.
template <class V, int I, class A> STG_KERNEL element<V, I> apply(A a) {
  constexpr ir::statement s = V::program.statements[I];
  using Op = op::function_of_t<s.code, s.operation()>;
  using T = element<V, I>;
  if constexpr (s.code == ir::opcode::cast) {
    if constexpr (is_storage(s.type)) return T(static_cast<float>(a));
    else return static_cast<T>(a);
  } else if constexpr (Op::takes_number) {
    return Op::apply(s.real(), a);
  } else {
    return Op::apply(a);
  }
}
template <class V, int I, class A> STG_KERNEL element<V, I> apply(A a, A b) {
  constexpr ir::statement s = V::program.statements[I];
  return op::function_of_t<s.code, s.operation()>::apply(a, b);
}
template <class V, int I, class A, class B> STG_KERNEL element<V, I> apply(A a, B b, B d) {
  constexpr ir::statement s = V::program.statements[I];
  return op::function_of_t<s.code, s.operation()>::apply(a, b, d);
}

/// Elements of a pointwise statement, from its operands.
template <class V, int Loop, int I, int N, class C>
STG_KERNEL pack<element<V, I>, N> compute(const C& c, int j, int f) {
  constexpr ir::statement s = V::program.statements[I];
  static_assert(op::info_of(s.code).kind == op::category::pointwise, "stg internal: not a pointwise statement");
  pack<element<V, I>, N> r;
  if constexpr (is_merged_softmax<V, Loop>(I)) {  // exp(score - shift); sums of it are divided later
    using T = element<V, I>;
    const auto score = operand<V, Loop, I, 0, N>(c, j, f);
    const auto* const state = exponentials_in<V, merged_top_share<V, Loop>()>(c, c.work) + f;
    for (int k = 0; k < N; ++k)
      r.at[k] = math::functions<T>::exp(score.at[k] - finite_or_zero(c.lanes.load(&state[k].most)));
  } else if constexpr (s.arity() == 1) {
    const auto a = operand<V, Loop, I, 0, N>(c, j, f);
    for (int k = 0; k < N; ++k) r.at[k] = apply<V, I>(a.at[k]);
  } else if constexpr (s.arity() == 2) {
    const auto a = operand<V, Loop, I, 0, N>(c, j, f);
    const auto b = operand<V, Loop, I, 1, N>(c, j, f);
    for (int k = 0; k < N; ++k) r.at[k] = apply<V, I>(a.at[k], b.at[k]);
  } else {
    const auto a = operand<V, Loop, I, 0, N>(c, j, f);
    const auto b = operand<V, Loop, I, 1, N>(c, j, f);
    const auto d = operand<V, Loop, I, 2, N>(c, j, f);
    for (int k = 0; k < N; ++k) r.at[k] = apply<V, I>(a.at[k], b.at[k], d.at[k]);
  }
  return r;
}

/// The number with which a call draws random numbers. launches: of the captured step with this call, or null.
template <class Lanes>
STG_KERNEL std::uint32_t number_now(const Lanes& lanes, std::uint32_t number, const std::uint32_t* launches) {
  return launches == nullptr ? number : call_of_launch(number, lanes.load_constant(launches));
}

/// Elements f to f + N - 1 of a mask: whole blocks of random words, or one element by itself.
template <class V, int I, int N, class C> STG_KERNEL pack<element<V, I>, N> mask(const C& c, int j, int f) {
  constexpr ir::statement s = V::program.statements[I];
  constexpr double p = s.drop_probability();
  constexpr element<V, I> kept = static_cast<element<V, I>>(1 / (1 - p));
  const std::uint32_t call = number_now(c.lanes, c.call.number, c.call.launches);
  const std::int64_t site = c.call.first_site + s.site();
  const std::int64_t id =
      s.where == ir::space::edge ? c.edges.global_edge(c.edges.edge_id(c.first + j)) : c.edges.global_row(c.row);
  pack<element<V, I>, N> r{};
  if constexpr (N % mask_block == 0) {
    for (int k = 0; k < N; k += mask_block) {
      const philox_words random = keep_words(c.call.seed, call, site, id, (f + k) / mask_block);
      for (int m = 0; m < mask_block; ++m)
        if (random.word[m] >= keep_threshold(p)) r.at[k + m] = kept;
    }
  } else {
    for (int k = 0; k < N; ++k)
      if (keeps(c.call.seed, call, site, id, f + k, p)) r.at[k] = kept;
  }
  return r;
}

/// Element f of a source.
template <class V, int I, class C> STG_KERNEL element<V, I> source(const C& c, int j, int f) {
  using enum ir::opcode;
  constexpr ir::statement s = V::program.statements[I];
  using T = element<V, I>;
  if constexpr (s.code == constant) return static_cast<T>(s.value());
  else if constexpr (s.code == ir::opcode::extent_value)
    return static_cast<T>(codegen::extent_value<s.counted().code>(c.call));
  else if constexpr (s.code == vertex_count) return static_cast<T>(c.call.template vertices_of<s.counted_set()>());
  else if constexpr (s.code == degree) return static_cast<T>(c.call.template degree_of<s.relation(), s.side()>(c.row));
  else if constexpr (s.code == vertex_index) return static_cast<T>(c.call.number_of_row(c.row));
  else if constexpr (s.code == edge_index) return static_cast<T>(c.call.number_of_edge(c.edges.edge_id(c.first + j)));
  else {
    static_assert(s.code == iota, "stg internal: not a source that is computed");
    return static_cast<T>(f);
  }
}

/// A value computed at its readers.
template <class V, int Loop> constexpr bool is_in_place(int i) {
  if (V::program.statements[i].where != ir::space::edge) return V::plan.joined[i];
  return !is_leaf<V>(i) && !is_in_scratch<V, Loop>(i);
}

}  // namespace detail

template <class V, int Loop, int I, int N, class C>
STG_KERNEL pack<element<V, I>, N> evaluate(const C& c, int j, int f) {
  constexpr int R = root_of<V>(I);
  pack<element<V, I>, N> r;
  if constexpr (C::has_handed) {
    if constexpr (C::template is_handed<R>()) {
      const auto one = c.template value<R>(j);
      for (int k = 0; k < N; ++k) r.at[k] = one;
      return r;
    }
  }
  if constexpr (detail::is_computed_source<V>(R)) {
    for (int k = 0; k < N; ++k) r.at[k] = detail::source<V, R>(c, j, f + k);
    return r;
  } else if constexpr (detail::is_in_place<V, Loop>(R)) {
    constexpr int most = pack_of(V::program.statements[R].dims), n = N < most ? N : most;
    for (int k = 0; k < N; k += n) {
      const auto part = detail::element_of<V, Loop, R, n>(c, j, f + k);
      for (int m = 0; m < n; ++m) r.at[k + m] = part.at[m];
    }
    return r;
  } else {
    return detail::read<V, Loop, I, N>(c, j, f);
  }
}

}  // namespace stg::gpu
