// Per-edge values of a few features, several edges to a register: scores, exponentials, coefficients, and sums of them.
// A group of such values is one loop; every value is computed once and stays in a register.
#pragma once

#include <cstdint>      // int32_t, int64_t
#include <type_traits>  // conditional_t
#include <utility>      // integer_sequence

#include <stg/base/lowest.hpp>            // finite_or_zero, lowest
#include <stg/codegen/cpu/aggregate.hpp>  // aggregate_of
#include <stg/codegen/cpu/evaluate.hpp>   // apply_unary, evaluate
#include <stg/codegen/cpu/loop_form.hpp>  // is_summed_later
#include <stg/codegen/cpu/prefetch.hpp>   // prefetch_next
#include <stg/codegen/cpu/softmax.hpp>    // softmax_state

namespace stg::cpu {

namespace detail {

// ---- the values ----

/// The group of Level with W elements an edge, padding included. OneChunk: all edges of the row are here.
template <class P, int Loop, int Level, int W, bool OneChunk> struct group {
  static constexpr int level = Level;
  static constexpr int width = W;
  static constexpr bool one_chunk = OneChunk;
  static constexpr pass::planned_loop loop = P::plan.loops[Loop];

  /// Entries of loop_statements and loop_results.
  static constexpr auto values = [] {
    index_list<loop.last_statement - loop.first_statement> list;
    for (int k = loop.first_statement; k < loop.last_statement; ++k) {
      const pass::planned_value& v = P::plan.loop_statements[k];
      if (P::plan.mode(Loop, v.at) == pass::edge_mode::across && v.level == Level && (v.in_one_chunk || !OneChunk) &&
          pass::narrow_stride(P::program.statements[v.at].dims.size()) == W)
        list.at[list.count++] = k;
    }
    return list;
  }();
  static constexpr auto results = [] {
    index_list<loop.last_result - loop.first_result> list;
    for (int k = loop.first_result; k < loop.last_result; ++k) {
      const pass::planned_result& r = P::plan.loop_results[k];
      if (r.level == Level && pass::narrow_stride(P::program.statements[r.at].dims.size()) == W)
        list.at[list.count++] = k;
    }
    return list;
  }();
  /// The entry that computes statement I in this group, or -1.
  static constexpr int entry_of(int i) {
    for (int k = 0; k < values.count; ++k)
      if (P::plan.loop_statements[values.at[k]].at == i) return values.at[k];
    return -1;
  }
};

template <class P, int K, int L> struct held_value {
  lanes_t<P::program.statements[P::plan.loop_statements[K].at].type, L> r;
};
template <class P, int K, int L> struct held_result {
  lanes_t<P::program.statements[P::plan.loop_results[K].at].type, L> r;
};
template <class P, int L, class Values, class Results> struct group_registers;
template <class P, int L, int... V, int... R>
struct group_registers<P, L, std::integer_sequence<int, V...>, std::integer_sequence<int, R...>>
    : held_value<P, V, L>..., held_result<P, R, L>... {};

/// A register's place: its first edge of the chunk, the first element of the edge, and the chunk's last edge.
struct register_position {
  std::int64_t j = 0;
  int element = 0;
  std::int64_t last = 0;
};

// ---- load ----

/// A register of the rows of consecutive edges, each read from memory; Partial: past the last edge its row again.
template <class P, int Loop, int X, int L, int W, bool Partial>
STG_INLINE void load_edges(lanes_t<P::program.statements[X].type, L>& r, const row_context& c,
                           const register_position& at) {
  constexpr scalar_type S = P::program.statements[X].type;
  if constexpr (L > W) {
    lanes_t<S, L / 2> low, high;
    load_edges<P, Loop, X, L / 2, W, Partial>(low, c, at);
    load_edges<P, Loop, X, L / 2, W, Partial>(high, c, {at.j + L / 2 / W, at.element, at.last});
    join<S, L>(r, low, high);
  } else {
    constexpr int N = static_cast<int>(P::program.statements[X].dims.size());
    repeat<S, L, N, W>(r, row_of<P, Loop, X>(c, !Partial || at.j < at.last ? at.j : at.last), at.element);
  }
}

/// An operand that is one number along the features.
struct one_number_nest {
  template <int I> static constexpr bool is_contiguous() { return false; }
  template <int I> STG_INLINE static std::int64_t offset(const launch&, std::int64_t) { return 0; }
};

template <class P, int Loop, class Group, int X, int L, bool Partial, class Registers>
STG_INLINE void load_operand(lanes_t<P::program.statements[X].type, L>& r, const Registers& held, const row_context& c,
                             const register_position& at) {
  constexpr int R = root_of<P>(X), W = Group::width;
  constexpr ir::statement s = P::program.statements[R];
  constexpr int N = static_cast<int>(s.dims.size());
  if constexpr (Group::entry_of(R) >= 0) {
    r = static_cast<const held_value<P, Group::entry_of(R), L>&>(held).r;
  } else if constexpr (s.where == ir::space::graph) {
    if constexpr (N == 1) evaluate<P, Loop, one_number_nest, R, L>(r, c, {});
    else repeat<s.type, L, N, W>(r, row_of<P, no_loop, R>(c, 0), at.element);
  } else if constexpr (mode_of<P, Loop>(R) != pass::edge_mode::leaf) {
    load<s.type, L>(r, row_of<P, Loop, R>(c, 0) + at.j * W + at.element);
  } else if constexpr (is_own_row<P, Loop>(R)) {
    repeat<s.type, L, N, W>(r, row_of<P, Loop, R>(c, 0), at.element);
  } else {
    load_edges<P, Loop, R, L, W, Partial>(r, c, at);
  }
}

// ---- evaluate ----

/// The softmax of a score: top_share's exponential for this edge, or the exponential once more, over the sum. Without a
/// known sum, the exponential alone.
template <class P, int Loop, class Group, int K, int L, bool Partial, class Registers>
STG_INLINE void compute_softmax(lanes_t<P::program.statements[P::plan.loop_statements[K].at].type, L>& r,
                                const Registers& held, const row_context& c, const register_position& at) {
  constexpr pass::planned_value v = P::plan.loop_statements[K];
  constexpr ir::statement s = P::program.statements[v.at];
  constexpr int N = static_cast<int>(s.dims.size()), W = Group::width;
  const softmax_state<P, v.softmax> state(c);
  constexpr bool sum_is_known = !(Group::one_chunk && is_summed_later<P, result_entry<P>(v.softmax)>());
  if constexpr (Group::one_chunk && sum_is_known) {
    load<s.type, L>(r, state.exponentials + at.j * W + at.element);
  } else {
    constexpr int score = s.operands[0];
    lanes_t<s.type, L> x, shift;
    if constexpr (sum_is_known) load_operand<P, Loop, Group, score, L, Partial>(x, held, c, at);
    else load<s.type, L>(x, row_of<P, Loop, score>(c, 0) + at.j * W + at.element);
    repeat<s.type, L, N, W>(shift, state.shift, at.element);
    r = math::functions<lanes_t<s.type, L>>::exp(x - shift);
  }
  if constexpr (sum_is_known) {
    lanes_t<s.type, L> inverse;
    repeat<s.type, L, N, W>(inverse, state.inverse, at.element);
    r *= inverse;
  }
}

template <class P, int Loop, class Group, int K, int L, bool Partial, class Registers>
STG_INLINE void compute_value(Registers& held, const row_context& c, const register_position& at) {
  constexpr pass::planned_value v = P::plan.loop_statements[K];
  constexpr ir::statement s = P::program.statements[v.at];
  auto& r = static_cast<held_value<P, K, L>&>(held).r;
  if constexpr (v.softmax >= 0) {
    compute_softmax<P, Loop, Group, K, L, Partial>(r, held, c, at);
  } else {
    constexpr scalar_type from = P::program.statements[s.operands[0]].type;
    operand_lanes<P, v.at, 0, L> a;
    load_operand<P, Loop, Group, s.operands[0], L, Partial>(a, held, c, at);
    if constexpr (s.arity() == 1) {
      apply_unary<s.code, s.operation(), s.type, from, L>(r, s.real(), a);
    } else {
      operand_lanes<P, v.at, 1, L> b;
      load_operand<P, Loop, Group, s.operands[1], L, Partial>(b, held, c, at);
      if constexpr (s.arity() == 2) {
        apply_binary<s.code, s.operation(), s.type, from, L>(r, a, b);
      } else {
        operand_lanes<P, v.at, 2, L> d;
        load_operand<P, Loop, Group, s.operands[2], L, Partial>(d, held, c, at);
        apply_ternary<s.code, s.operation(), s.type, L>(r, a, b, d);
      }
    }
  }
  if constexpr (v.kept) store<s.type, L>(row_of<P, Loop, v.at>(c, 0) + at.j * Group::width + at.element, r);
}

// ---- aggregate ----

template <int W, class Integers, int... K> STG_INLINE void number_edges(Integers& r, std::integer_sequence<int, K...>) {
  r = Integers{K / W...};
}
/// Lanes of edges past the last one become `neutral`: one comparison of all lanes, not a loop that inserts lane after
/// lane.
template <scalar_type S, int L, int W>
STG_INLINE void blank_past_last(lanes_t<S, L>& r, std::int64_t edges, element_t<S> neutral) {
  if constexpr (L > W) {
    using integer = std::conditional_t<sizeof(element_t<S>) == 8, std::int64_t, std::int32_t>;
    using integers = vec<integer, L>;
    integers edge;
    number_edges<W>(edge, std::make_integer_sequence<int, L>());
    lanes_t<S, L> none;
    splat<S, L>(none, neutral);
    r = edge < integers{} + static_cast<integer>(edges) ? r : none;
  }
}

template <class P, class Group, int K, int L, bool Partial, class Registers>
STG_INLINE void take_result(Registers& held, const register_position& at) {
  constexpr int A = P::plan.loop_results[K].at;
  using agg = aggregate_of<P, A>;
  constexpr int message = Group::entry_of(root_of<P>(agg::message));
  lanes_t<agg::type, L> x = static_cast<const held_value<P, message, L>&>(held).r;
  if constexpr (Partial) blank_past_last<agg::type, L, Group::width>(x, at.last + 1 - at.j, agg::begin);
  agg::template take<L>(static_cast<held_result<P, K, L>&>(held).r, x);
}

/// Lanes of all edges of a register taken together: the features of one are left.
template <class Aggregate, int L, int W> STG_INLINE auto fold_edges(const lanes_t<Aggregate::type, L>& r) {
  if constexpr (L <= W) {
    return r;
  } else {
    lanes_t<Aggregate::type, L / 2> low, high;
    halve<Aggregate::type, L>(low, high, r);
    Aggregate::template take<L / 2>(low, high);
    return fold_edges<Aggregate, L / 2, W>(low);
  }
}

/// Puts features [element, element + L) of N in their places.
template <class Aggregate, int L, int N>
STG_INLINE void put_features(typename Aggregate::T* to, int element, lanes_t<Aggregate::type, L>& r, bool first) {
  if (element + L <= N) return put_register<Aggregate, L>(to + element, r, first);
  if constexpr (L > 1) {
    for (int k = 0; k < L; ++k) {
      if (element + k >= N) continue;
      lanes_t<Aggregate::type, 1> one = r[k];
      put_register<Aggregate, 1>(to + element + k, one, first);
    }
  }
}

/// The second half of a top_share: exponentials of the chunk's scores, and their sum. `most`: of the chunk.
template <class P, int Loop, class Group, int A, int L, int M>
STG_INLINE void take_exponentials_across(const lanes_t<P::program.statements[A].type, M>& most_of_chunk,
                                         const row_context& c, std::int64_t edges, int element, bool first) {
  constexpr scalar_type S = P::program.statements[A].type;
  constexpr int W = Group::width, per_register = L > W ? L / W : 1;
  using T = element_t<S>;
  using functions = math::functions<lanes_t<S, M>>;
  const softmax_state<P, A> state(c);
  lanes_t<S, M> most = most_of_chunk, sum;
  splat<S, M>(sum, T{});
  if (!first) {
    lanes_t<S, M> before, zero, all;
    load<S, M>(before, state.shift + element);
    load<S, M>(sum, state.sum + element);
    splat<S, M>(zero, T{});
    splat<S, M>(all, -lowest<T>());
    most = sum == zero ? most : (most < before ? before : most);
    most = sum == all ? before : finite_or_zero(most);
    const lanes_t<S, M> scale = functions::exp(before - most);
    sum = sum == zero ? zero : sum * scale;  // not a number stays so
  } else {
    most = finite_or_zero(most);
  }
  store<S, M>(state.shift + element, most);
  lanes_t<S, L> shift, total;
  repeat<S, L, W, W>(shift, state.shift, element);
  splat<S, L>(total, T{});
  const T* const scores = row_of<P, Loop, P::program.statements[A].operands[0]>(c, 0) + element;  // (edges, W)
  T* const exponentials = state.exponentials + element;                                           // (edges, W)
  for (std::int64_t j = 0; j < edges; j += per_register) {  // (edges, W), a register of them
    lanes_t<S, L> x;
    load<S, L>(x, scores + j * W);
    x = math::functions<lanes_t<S, L>>::exp(x - shift);
    store<S, L>(exponentials + j * W, x);
    if (j + per_register > edges) blank_past_last<S, L, W>(x, edges - j, T{});
    total += x;
  }
  sum += fold_edges<sum_of<S>, L, W>(total);
  store<S, M>(state.sum + element, sum);
}

/// The maximum of all scores of the row; 0 if it is infinite.
template <class P, int A, int M>
STG_INLINE void put_shift(const lanes_t<P::program.statements[A].type, M>& most, const row_context& c, int element) {
  constexpr scalar_type S = P::program.statements[A].type;
  const lanes_t<S, M> shift = finite_or_zero(most);
  store<S, M>(softmax_state<P, A>(c).shift + element, shift);
}

template <class P, int Loop, class Group, int K, int L, class Registers>
STG_INLINE void put_result(const Registers& held, const row_context& c, std::int64_t edges, int element, bool first) {
  constexpr int A = P::plan.loop_results[K].at, W = Group::width;
  using agg = aggregate_of<P, A>;
  auto r = fold_edges<agg, L, W>(static_cast<const held_result<P, K, L>&>(held).r);
  constexpr int M = L < W ? L : W;
  if constexpr (Group::one_chunk && is_summed_later<P, K>()) put_shift<P, A, M>(r, c, element);
  else if constexpr (agg::s.code == ir::opcode::top_share_edges)
    take_exponentials_across<P, Loop, Group, A, L, M>(r, c, edges, element, first);
  else put_features<agg, M, static_cast<int>(agg::s.dims.size())>(row_of<P, no_loop, A>(c, 0), element, r, first);
}

// ---- a group ----

template <class P, int Loop, class Group, int L, bool Partial, class Registers, int... V, int... R>
STG_INLINE void run_register(Registers& held, const row_context& c, const register_position& at,
                             std::integer_sequence<int, V...>, std::integer_sequence<int, R...>) {
  constexpr int here = place_of_group(Loop, Group::level), W = Group::width;
  prefetch_next<P, Loop, here>(c, at.j, Partial ? at.last + 1 - at.j : L > W ? L / W : 1);
  (compute_value<P, Loop, Group, V, L, Partial>(held, c, at), ...);
  (take_result<P, Group, R, L, Partial>(held, at), ...);
}

template <class P, int K, int L, class Registers> STG_INLINE void begin_result(Registers& held) {
  using agg = aggregate_of<P, P::plan.loop_results[K].at>;
  splat<agg::type, L>(static_cast<held_result<P, K, L>&>(held).r, agg::begin);
}

template <class P, int Loop, class Group, int... V, int... R>
STG_INLINE void run_group_of(const row_context& c, std::int64_t edges, [[maybe_unused]] bool first,
                             std::integer_sequence<int, V...> values, std::integer_sequence<int, R...> results) {
  constexpr int L = full_lanes<P>, W = Group::width, per_register = L > W ? L / W : 1;
  for (int element = 0; element < W; element += L) {
    group_registers<P, L, std::integer_sequence<int, V...>, std::integer_sequence<int, R...>> held;
    (begin_result<P, R, L>(held), ...);
    register_position at{0, element, edges - 1};
    for (; at.j + per_register <= edges; at.j += per_register)  // (edges, W)
      run_register<P, Loop, Group, L, false>(held, c, at, values, results);
    if (at.j < edges) run_register<P, Loop, Group, L, true>(held, c, at, values, results);
    (put_result<P, Loop, Group, R, L>(held, c, edges, element, first), ...);
  }
}

template <class Group, int... V> constexpr auto values_of(std::integer_sequence<int, V...>) {
  return std::integer_sequence<int, Group::values.at[V]...>();
}
template <class Group, int... R> constexpr auto results_of(std::integer_sequence<int, R...>) {
  return std::integer_sequence<int, Group::results.at[R]...>();
}

}  // namespace detail

/// Computes the values of a level with W elements an edge, and takes their aggregates.
template <class P, int Loop, int Level, int W, bool OneChunk>
STG_INLINE void run_group(const row_context& c, std::int64_t edges, bool first) {
  using group = detail::group<P, Loop, Level, W, OneChunk>;
  if constexpr (group::values.count > 0)
    detail::run_group_of<P, Loop, group>(
        c, edges, first, detail::values_of<group>(std::make_integer_sequence<int, group::values.count>()),
        detail::results_of<group>(std::make_integer_sequence<int, group::results.count>()));
}

}  // namespace stg::cpu
