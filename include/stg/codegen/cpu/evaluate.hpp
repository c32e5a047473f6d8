// The evaluator: one statement of a program, a register of lanes at a time. It compiles to the loop one would write.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/apply.hpp>  // apply_unary, apply_binary, apply_ternary
#include <stg/codegen/cpu/lanes.hpp>  // lanes_t, repeat
#include <stg/codegen/cpu/nest.hpp>   // nest

namespace stg::cpu {

/// The position of an element: edge j of the chunk, outer index o, inner index i; the lanes of a short nest.
struct position {
  std::int64_t j = 0, o = 0, i = 0;
  lane_mask lanes = 0;
};

/// Lanes of value I: computed in place, or else read from memory.
template <class P, int Loop, class Nest, int I, int L>
STG_INLINE void evaluate(lanes_t<P::program.statements[I].type, L>& r, const row_context& c, position at);

/// Elements [First, First + lanes) of a row in which each of Outer numbers, from number From on, stands Each times.
template <int First, int Each, int Outer, int From, class V, int... I>
STG_INLINE void spread(V& r, const V& numbers, std::integer_sequence<int, I...>) {
  r = __builtin_shufflevector(numbers, numbers, From + (First + I) / Each % Outer...);
}

/// Lanes of a number per outer index of a packed nest. Edges of a register lie side by side in scratch: they are read
/// as they were written, so that the compiler has them in a register still.
template <class P, int Loop, class Nest, int I, int L>
STG_INLINE void read_spread(lanes_t<P::program.statements[I].type, L>& r, const row_context& c, std::int64_t j) {
  constexpr ir::statement s = P::program.statements[I];
  constexpr int outer = Nest::outer_indices;
  constexpr bool of_register = Nest::edge >= 0 && mode_of<P, Loop>(I) == pass::edge_mode::across;
  constexpr int from = of_register ? Nest::edge * outer : 0;
  lanes_t<s.type, L> numbers;
  if constexpr (of_register) load<s.type, L>(numbers, row_of<P, Loop, I>(c, j - Nest::edge));
  else repeat<s.type, L, outer, outer>(numbers, row_of<P, Loop, I>(c, j), 0);
  spread<Nest::first, Nest::per_outer, outer, from>(r, numbers, std::make_integer_sequence<int, L>());
}

template <class P, int I, int K, int L>
using operand_lanes = lanes_t<P::program.statements[P::program.statements[I].operands[K]].type, L>;

/// Lanes of a pointwise statement, from its operands.
template <class P, int Loop, class Nest, int I, int L>
STG_INLINE void compute(lanes_t<P::program.statements[I].type, L>& r, const row_context& c, position at) {
  constexpr ir::statement s = P::program.statements[I];
  static_assert(op::info_of(s.code).kind == op::category::pointwise,
                "stg internal: only pointwise statements are evaluated by lanes");
  constexpr scalar_type from = P::program.statements[s.operands[0]].type;
  operand_lanes<P, I, 0, L> a;
  evaluate<P, Loop, Nest, s.operands[0], L>(a, c, at);
  if constexpr (s.arity() == 1) {
    apply_unary<s.code, s.operation(), s.type, from, L>(r, s.real(), a);
  } else {
    operand_lanes<P, I, 1, L> b;
    evaluate<P, Loop, Nest, s.operands[1], L>(b, c, at);
    if constexpr (s.arity() == 2) {
      apply_binary<s.code, s.operation(), s.type, from, L>(r, a, b);
    } else {
      operand_lanes<P, I, 2, L> d;
      evaluate<P, Loop, Nest, s.operands[2], L>(d, c, at);
      apply_ternary<s.code, s.operation(), s.type, L>(r, a, b, d);
    }
  }
}

template <class P, int Loop, class Nest, int I, int L>
STG_INLINE void evaluate(lanes_t<P::program.statements[I].type, L>& r, const row_context& c, position at) {
  using enum ir::opcode;
  constexpr int R = root_of<P>(I);  // a source has no memory for a reshape to share
  constexpr ir::statement s = P::program.statements[R];
  using T = element_t<s.type>;
  constexpr bool computed_here = !P::plan.stored[R] && !P::plan.in_block[R];
  if constexpr (is_joined<P, Loop>(I)) {
    compute<P, Loop, Nest, I, L>(r, c, at);
  } else if constexpr (s.code == constant) {
    splat<s.type, L>(r, static_cast<T>(s.value()));
  } else if constexpr (s.code == extent_value && computed_here) {
    splat<s.type, L>(r, static_cast<T>(cpu::extent_value<s.counted().code>(c.call)));
  } else if constexpr (s.code == vertex_count && computed_here) {
    splat<s.type, L>(r, static_cast<T>(c.call.graph.counted_vertices(s.counted_set())));
  } else if constexpr (s.code == degree && computed_here) {
    splat<s.type, L>(r, static_cast<T>(degree_of<s.relation(), s.side()>(c.call.graph, c.row)));
  } else if constexpr (s.code == vertex_index && computed_here) {
    splat<s.type, L>(r, static_cast<T>(number_of_row(c.call.graph, c.edges, c.row)));
  } else if constexpr (s.code == edge_index) {
    splat<s.type, L>(r, static_cast<T>(number_of_edge(c.call.graph, c.edges, c.first + at.j)));
  } else if constexpr (s.code == iota && computed_here) {
    const T begin = static_cast<T>(Nest::template offset<I>(c.call, at.o));
    if constexpr (L == 1 || !Nest::template is_contiguous<I>()) {
      splat<s.type, L>(r, begin + (Nest::template is_contiguous<I>() ? static_cast<T>(at.i) : T{}));
    } else {
      lanes_t<s.type, L> number;
      load<s.type, L>(number, lane_numbers<T, L>.at);
      splat<s.type, L>(r, begin + static_cast<T>(at.i));
      r += number;
    }
  } else {
    if constexpr (is_packed_nest<Nest>)
      if constexpr (Nest::template is_spread<I>()) return read_spread<P, Loop, Nest, I, L>(r, c, at.j);
    const T* row = row_of<P, Loop, I>(c, at.j) + Nest::template offset<I>(c.call, at.o);
    if constexpr (!Nest::template is_contiguous<I>()) splat<s.type, L>(r, *row);
    else if constexpr (is_short_nest<Nest> && !is_in_scratch<P, Loop, I>()) load_masked<s.type, L>(r, row, at.lanes);
    else load<s.type, L>(r, row + at.i);
  }
}

/// Stores the one register of a short nest. Scratch has room for all of it, and soon it is loaded whole.
template <class P, int Loop, int I, int L>
STG_INLINE void store_short(element<P, I>* to, const lanes_t<P::program.statements[I].type, L>& r, lane_mask lanes) {
  constexpr scalar_type S = P::program.statements[I].type;
  if constexpr (is_in_scratch<P, Loop, I>()) store<S, L>(to, r);
  else store_masked<S, L>(to, r, lanes);
}

namespace detail {
template <class P> constexpr int widest() {
  if constexpr (requires { P::counts_in_f64; }) {
    return P::counts_in_f64 ? 8 : 4;
  } else {
    int bytes = 4;
    for (int i = 0; i < P::program.size; ++i)
      if (P::program.statements[i].type == scalar_type::f64) bytes = 8;
    return bytes;
  }
}
}  // namespace detail

/// Lanes of a full register, by the widest numbers of the program, so that conversions stay within one register.
template <class P> inline constexpr int full_lanes = P::vector_bytes / detail::widest<P>();

}  // namespace stg::cpu
