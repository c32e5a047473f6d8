// Sums along the last axes of a row of known shape, as the dot product per head of attention: the sums of all heads are
// folded together, so that a fold of a register serves as many of them as it has lanes.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/base/room.hpp>             // array_length
#include <stg/codegen/cpu/evaluate.hpp>  // evaluate

namespace stg::cpu::detail {

/// The largest power of two that divides n, at most `most`.
constexpr int even_lanes(std::int64_t n, int most) {
  int lanes = most;
  while (lanes > 1 && n % lanes != 0) lanes /= 2;
  return lanes;
}

template <class Half, class V, int... I>
STG_INLINE void add_neighbours(Half& r, const V& a, const V& b, std::integer_sequence<int, I...>) {
  r = __builtin_shufflevector(a, b, 2 * I...) + __builtin_shufflevector(a, b, 2 * I + 1 ...);
}

/// M registers, each of L / G groups of G lanes, to M · L / G sums in the same order.
template <scalar_type S, int L, int M, int G>
STG_INLINE void sum_groups(element_t<S>* to, const lanes_t<S, L> (&r)[array_length(M)]) {
  if constexpr (G == 1) {
    for (int m = 0; m < M; ++m) store<S, L>(to + m * L, r[m]);
  } else if constexpr (M % 2 == 0) {
    lanes_t<S, L> half[array_length(M / 2)];
    [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
      (add_neighbours(half[K], r[2 * K], r[2 * K + 1], std::make_integer_sequence<int, L>()), ...);
    }
    (std::make_integer_sequence<int, M / 2>());
    sum_groups<S, L, M / 2, G / 2>(to, half);
  } else if constexpr (L == 2) {
    lanes_t<S, 1> sums[array_length(M)];
    for (int m = 0; m < M; ++m) sums[m] = r[m][0] + r[m][1];
    sum_groups<S, 1, M, 1>(to, sums);
  } else {
    lanes_t<S, L / 2> half[array_length(M)];
    [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
      (add_neighbours(half[K], r[K], r[K], std::make_integer_sequence<int, L / 2>()), ...);
    }
    (std::make_integer_sequence<int, M>());
    sum_groups<S, L / 2, M, G / 2>(to, half);
  }
}

/// How the reduce_sum I of rows (results, along) is folded.
template <class P, int Loop, int I> struct folded_sum {
  static constexpr ir::statement s = P::program.statements[I];
  static constexpr int x = s.operands[0];
  static constexpr ir::shape dims = P::program.statements[x].dims;
  static constexpr int reduced = pass::reduced_last_axes(s, dims);
  static constexpr int alike = is_joined<P, Loop>(x) ? inner_axes<P, Loop>(dims, x) : dims.rank;
  static constexpr std::int64_t results = dims.is_static() ? s.dims.size() : 0;
  static constexpr std::int64_t along = results > 0 ? dims.size() / results : 0;

  /// All axes are one loop: a register may hold several results.
  static constexpr bool is_flat = alike == dims.rank;
  static constexpr int lanes = [] {
    const int within = along > 0 ? even_lanes(along, full_lanes<P>) : 1;
    const bool several = is_flat && within == along && results > 0;
    return several ? even_lanes(results * along, full_lanes<P>) : within;
  }();
  static constexpr bool serves = s.code == ir::opcode::reduce_sum && reduced > 0 && alike >= reduced&& results > 0 &&
                                 (s.type == scalar_type::f32 || s.type == scalar_type::f64) && lanes > 1 &&
                                 (lanes >= 4 || lanes == full_lanes<P>);
  using loops = nest<P, x, is_flat ? dims.rank : reduced>;
  static constexpr int group = along < lanes ? static_cast<int>(along) : lanes;  // lanes that make one result
  static constexpr int per_register = lanes / group;                             // results of a register
  static constexpr int to_add = static_cast<int>(along) / group;                 // registers that make them
};

/// One register of products: results [first, first + per_register), element i of each and on.
template <class P, int Loop, class Sum>
STG_INLINE void evaluate_along(lanes_t<Sum::s.type, Sum::lanes>& r, const row_context& c, std::int64_t j,
                               std::int64_t first, std::int64_t i) {
  if constexpr (Sum::is_flat)
    evaluate<P, Loop, typename Sum::loops, Sum::x, Sum::lanes>(r, c, {j, 0, first * Sum::along + i});
  else evaluate<P, Loop, typename Sum::loops, Sum::x, Sum::lanes>(r, c, {j, first, i});
}

/// Registers K = 0, 1, … of a result added up, even and odd ones apart: two chains of additions instead of one.
template <class P, int Loop, class Sum, int... K>
STG_INLINE void fold_register(lanes_t<Sum::s.type, Sum::lanes>& r, const row_context& c, std::int64_t j,
                              std::int64_t first, std::integer_sequence<int, K...>) {
  lanes_t<Sum::s.type, Sum::lanes> chain[2], x;
  splat<Sum::s.type, Sum::lanes>(chain[1], {});
  ((evaluate_along<P, Loop, Sum>(x, c, j, first, K * Sum::lanes),
    K < 2 ? void(chain[K % 2] = x) : void(chain[K % 2] += x)),
   ...);
  r = sizeof...(K) > 1 ? chain[0] + chain[1] : chain[0];
}

/// `Registers` of results from `first` on.
template <class P, int Loop, class Sum, int Registers>
STG_INLINE void fold_block(element_t<Sum::s.type>* to, const row_context& c, std::int64_t j, std::int64_t first) {
  using registers = std::make_integer_sequence<int, Sum::to_add>;
  lanes_t<Sum::s.type, Sum::lanes> r[array_length(Registers)];
  [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
    (fold_register<P, Loop, Sum>(r[K], c, j, first + K * Sum::per_register, registers()), ...);
  }
  (std::make_integer_sequence<int, Registers>());
  sum_groups<Sum::s.type, Sum::lanes, Registers, Sum::group>(to + first, r);
}

/// How many of so many edges are folded together: their results lie side by side, and eight registers hold them.
template <class P, int Loop, int I> constexpr int folded_together(int edges) {
  using sum = folded_sum<P, Loop, I>;
  if constexpr (!sum::serves) return 1;
  else if constexpr (sum::results != pass::narrow_stride(sum::results)) return 1;
  else {
    while (edges > 1 && edges * sum::results / sum::per_register > 8) edges /= 2;
    return edges;
  }
}

/// The same sums of edges j, j + 1, …: one fold serves all. Partial: past edge `last` of that one again.
template <class P, int Loop, int I, int Edges, bool Partial>
STG_INLINE void fold_edges_together(element<P, I>* to, const row_context& c, std::int64_t j, std::int64_t last) {
  using sum = folded_sum<P, Loop, I>;
  constexpr int each = static_cast<int>(sum::results / sum::per_register);
  lanes_t<sum::s.type, sum::lanes> r[array_length(Edges * each)];
  [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
    (fold_register<P, Loop, sum>(r[K], c, !Partial || j + K / each < last ? j + K / each : last,
                                 K % each * sum::per_register, std::make_integer_sequence<int, sum::to_add>()),
     ...);
  }
  (std::make_integer_sequence<int, Edges * each>());
  sum_groups<sum::s.type, sum::lanes, Edges * each, sum::group>(to, r);
}

template <class P, int Loop, int I>
STG_INLINE void fold_last_axes(element<P, I>* to, const row_context& c, std::int64_t j) {
  using sum = folded_sum<P, Loop, I>;
  constexpr int registers = static_cast<int>(sum::results / sum::per_register);
  constexpr int at_once = registers < 8 ? registers : 8;
  std::int64_t first = 0;
  for (; first + at_once * sum::per_register <= sum::results; first += at_once * sum::per_register)
    fold_block<P, Loop, sum, at_once>(to, c, j, first);
  if constexpr (sum::results % (at_once * sum::per_register) != 0)  // g++ warns of a loop that does not run
    for (; first < sum::results; first += sum::per_register) fold_block<P, Loop, sum, 1>(to, c, j, first);
}

}  // namespace stg::cpu::detail
