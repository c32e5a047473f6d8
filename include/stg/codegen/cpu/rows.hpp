// Writing the row of one value: pointwise statements and sources, for per-vertex work and for chunks of edges.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/cpu/evaluate.hpp>  // compute, evaluate
#include <stg/runtime/random.hpp>        // draw_keep_row, draw_keep_rows

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

}  // namespace detail

/// Computes a pointwise statement, or a source, for one row (of edge j, in a loop) and stores it.
template <class P, int Loop, int I> STG_INLINE void write_row(element<P, I>* to, const row_context& c, std::int64_t j) {
  using Nest = computing<P, Loop, I>;
  constexpr int L = full_lanes<P>;
  const std::int64_t outer = Nest::outer(c.call), inner = Nest::inner(c.call);
  for (std::int64_t o = 0; o < outer; ++o) {
    position at{j, o, 0};
    if constexpr (may_fill<Nest, L>)
      for (; at.i + L <= inner; at.i += L) detail::write_lanes<P, Loop, Nest, I, L>(to, c, at, inner);
    if constexpr (L > 1) detail::write_rest<P, Loop, Nest, I, L / 2>(to, c, at, inner);
  }
}

/// Draws the random mask of a vertex or an edge.
template <class P, int I> STG_INLINE void write_mask(element<P, I>* to, const row_context& c, std::int64_t id) {
  constexpr ir::statement s = P::program.statements[I];
  draw_keep_row(to, c.call.seed, c.call.number, s.attribute, id, width<P, I>(c.call), s.number);
}

/// Draws the random masks of the chunk's edges, `stride` elements from one to the next.
template <class P, int I>
STG_INLINE void write_edge_masks(element<P, I>* to, const row_context& c, std::int64_t edges, std::int64_t stride) {
  constexpr ir::statement s = P::program.statements[I];
  constexpr std::int64_t at_once = 128;
  std::int64_t ids[at_once];
  for (std::int64_t begin = 0; begin < edges; begin += at_once) {
    const std::int64_t n = edges - begin < at_once ? edges - begin : at_once;
    for (std::int64_t j = 0; j < n; ++j) ids[j] = c.edges.edge_id(c.first + begin + j);
    draw_keep_rows(to + begin * stride, stride, c.call.seed, c.call.number, s.attribute, ids, n, width<P, I>(c.call),
                   s.number);
  }
}

/// A source that a unit keeps in memory for others: degree, index, constant.
template <class P, int I> STG_INLINE void write_source(element<P, I>* to, const row_context& c) {
  constexpr ir::statement s = P::program.statements[I];
  using T = element_t<s.type>;
  const std::int64_t n = width<P, I>(c.call);
  for (std::int64_t f = 0; f < n; ++f) {
    if constexpr (s.code == ir::opcode::constant) to[f] = static_cast<T>(s.number);
    else if constexpr (s.code == ir::opcode::extent_value) to[f] = static_cast<T>(extent_value<s.attribute>(c.call));
    else if constexpr (s.code == ir::opcode::vertex_count) to[f] = static_cast<T>(c.call.vertices);
    else if constexpr (s.code == ir::opcode::degree)
      to[f] = static_cast<T>((s.side() == ir::direction::in ? c.call.in : c.call.out).degree(c.row));
    else if constexpr (s.code == ir::opcode::vertex_index) to[f] = static_cast<T>(c.row);
    else if constexpr (s.code == ir::opcode::iota) to[f] = static_cast<T>(f);
    else static_assert(s.code == ir::opcode::edge_index, "stg internal: not a source that a unit stores");
  }
}

}  // namespace stg::cpu
