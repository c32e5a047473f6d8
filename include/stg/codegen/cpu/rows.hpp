// Writing the row of one value: pointwise statements and sources, for per-vertex work and for chunks of edges.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/cpu/evaluate.hpp>  // compute, evaluate

namespace stg::cpu {

namespace detail {

template <class P, int Loop, class Nest, int I, int L>
STG_INLINE void write_lanes(element<P, I>* to, const row_context& c, position at, std::int64_t inner) {
  lanes_t<P::program.statements[I].type, L> r;
  if constexpr (op::info_of(P::program.statements[I].code).kind == op::category::pointwise)
    compute<P, Loop, Nest, I, L>(r, c, at);
  else evaluate<P, Loop, Nest, I, L>(r, c, at);
  store<P::program.statements[I].type, L>(to + at.o * inner + at.i, r);
}

/// What is left of an inner loop after its full registers: half a register, a quarter, … as its length asks for.
template <class P, int Loop, class Nest, int I, int L>
STG_INLINE void write_rest(element<P, I>* to, const row_context& c, position at, std::int64_t inner) {
  if constexpr (may_leave<Nest, L>) {
    if (inner & L) {
      write_lanes<P, Loop, Nest, I, L>(to, c, at, inner);
      at.i += L;
    }
  }
  if constexpr (L > 1) write_rest<P, Loop, Nest, I, L / 2>(to, c, at, inner);
}

/// All elements of a row that is shorter than a register.
template <class P, int Loop, class Nest, int I, int L>
STG_INLINE void write_short(element<P, I>* to, const row_context& c, std::int64_t j, std::int64_t inner) {
  using Short = short_nest<Nest>;
  const position at{j, 0, 0, first_lanes(inner)};
  lanes_t<P::program.statements[I].type, L> r;
  if constexpr (op::info_of(P::program.statements[I].code).kind == op::category::pointwise)
    compute<P, Loop, Short, I, L>(r, c, at);
  else evaluate<P, Loop, Short, I, L>(r, c, at);
  store_short<P, Loop, I, L>(to, r, at.lanes);
}

}  // namespace detail

/// Computes a pointwise statement, or a source, for one row (of edge j, in a loop) and stores it.
template <class P, int Loop, int I> STG_INLINE void write_row(element<P, I>* to, const row_context& c, std::int64_t j) {
  using Nest = computing<P, Loop, I>;
  constexpr int L = full_lanes<P>;
  const std::int64_t outer = Nest::outer(c.call), inner = Nest::inner(c.call);
  if constexpr (may_be_short<Nest, L> && Loop == no_loop)
    if (inner < L) return detail::write_short<P, Loop, Nest, I, L>(to, c, j, inner);
  for (std::int64_t o = 0; o < outer; ++o) {  // (outer, inner): the row
    position at{j, o, 0};
    if constexpr (may_fill<Nest, L>)
      for (; at.i + L <= inner; at.i += L) detail::write_lanes<P, Loop, Nest, I, L>(to, c, at, inner);
    if constexpr (L > 1) detail::write_rest<P, Loop, Nest, I, L / 2>(to, c, at, inner);
  }
}

/// A source that a unit keeps in memory for others: degree, index, constant.
template <class P, int I> STG_INLINE void write_source(element<P, I>* to, const row_context& c) {
  constexpr ir::statement s = P::program.statements[I];
  using T = element_t<s.type>;
  const std::int64_t n = width<P, I>(c.call);
  for (std::int64_t f = 0; f < n; ++f) {
    if constexpr (s.code == ir::opcode::constant) to[f] = static_cast<T>(s.value());
    else if constexpr (s.code == ir::opcode::extent_value)
      to[f] = static_cast<T>(extent_value<s.counted().code>(c.call));
    else if constexpr (s.code == ir::opcode::vertex_count)
      to[f] = static_cast<T>(c.call.graph.counted_vertices(s.counted_set()));
    else if constexpr (s.code == ir::opcode::degree)
      to[f] = static_cast<T>(degree_of<s.relation(), s.side()>(c.call.graph, c.row));
    else if constexpr (s.code == ir::opcode::vertex_index)
      to[f] = static_cast<T>(number_of_row(c.call.graph, c.edges, c.row));
    else if constexpr (s.code == ir::opcode::iota) to[f] = static_cast<T>(f);
    else static_assert(s.code == ir::opcode::edge_index, "stg internal: not a source that a unit stores");
  }
}

}  // namespace stg::cpu
