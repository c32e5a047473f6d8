// Per-edge values in rows: each edge's features one after the other in scratch, for a chunk of edges.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/cpu/features.hpp>  // write_feature
#include <stg/codegen/cpu/masks.hpp>     // fill_edge_masks
#include <stg/codegen/cpu/prefetch.hpp>  // fetch_ahead
#include <stg/codegen/cpu/rows.hpp>      // write_row

namespace stg::cpu::detail {

/// All operands lie in rows of the same shape (or are constants), so a whole chunk is one flat loop across edges.
template <class P, int Loop, int I> constexpr bool is_flat() {
  const ir::statement& s = P::program.statements[I];
  if (op::info_of(s.code).kind != op::category::pointwise) return false;
  for (int k = 0; k < s.arity(); ++k) {
    const ir::statement& x = P::program.statements[s.operands[k]];
    const bool in_rows =
        x.where == ir::space::edge && mode_of<P, Loop>(s.operands[k]) == pass::edge_mode::rows && x.dims == s.dims;
    if (!in_rows && x.code != ir::opcode::constant) return false;
  }
  return true;
}

/// A nest of one loop in which every operand is contiguous: position.i runs over all elements of the chunk.
struct flat_nest {
  template <int I> static constexpr bool is_contiguous() { return true; }
  template <int I> STG_INLINE static std::int64_t offset(const launch&, std::int64_t) { return 0; }
};

template <class P, int Loop, int I>
STG_INLINE void write_flat(element<P, I>* to, const row_context& c, std::int64_t edges) {
  constexpr int L = full_lanes<P>;  // scratch is padded: the last register may run over the end
  const std::int64_t n = edges * edge_stride<P, I>(c.call);
  for (position at; at.i < n; at.i += L) {
    lanes_t<P::program.statements[I].type, L> r;
    compute<P, Loop, flat_nest, I, L>(r, c, at);
    store<P::program.statements[I].type, L>(to + at.i, r);
  }
}

/// One float of every neighbour: their loads do not wait for each other.
template <class P, int Loop, int I> constexpr bool are_gathered_numbers() {
  constexpr ir::statement s = P::program.statements[I];
  return can_gather<full_lanes<P>> && s.type == scalar_type::f32 && s.dims.is_static() && s.dims.size() == 1 &&
         op::info_of(s.code).kind == op::category::gather && !reads_own_row<P, Loop>(s.code);
}

/// Copies the rows of a gathered value, an edge input or a product.
template <class P, int Loop, int I, int Place>
STG_INLINE void copy_rows(element<P, I>* to, const row_context& c, std::int64_t edges) {
  constexpr ir::statement s = P::program.statements[I];
  const std::int64_t w = width<P, I>(c.call), stride = edge_stride<P, I>(c.call);
  for (std::int64_t j = 0; j < edges; ++j) {
    fetch_ahead<P, Loop, Place>(c, j);
    const element<P, I>* from;
    if constexpr (is_own_of_edge<P>(I)) {
      from = reinterpret_cast<const element<P, I>*>(c.call.memory[I]) + c.edges.edge_id(c.first + j) * w;
    } else {
      constexpr int G = root_of<P>(s.operands[0]);
      if constexpr (reads_own_row<P, Loop>(s.code)) from = row_of<P, no_loop, G>(c, 0);
      else from = reinterpret_cast<const element<P, I>*>(c.call.memory[G]) + c.edges.neighbour(c.first + j) * w;
    }
    for (std::int64_t f = 0; f < w; ++f) to[j * stride + f] = from[f];
  }
}

/// Whether the rows of a value can be computed one by one, rather than for all edges of the chunk together.
template <class P, int I> constexpr bool has_single_rows() {
  constexpr op::category kind = op::info_of(P::program.statements[I].code).kind;
  return kind == op::category::feature || kind == op::category::pointwise;
}

/// The row of edge j.
template <class P, int Loop, int I, int Place> STG_INLINE void fill_edge(const row_context& c, std::int64_t j) {
  fetch_ahead<P, Loop, Place>(c, j);
  element<P, I>* const to = row_of<P, Loop, I>(c, j);
  if constexpr (op::info_of(P::program.statements[I].code).kind == op::category::pointwise)
    write_row<P, Loop, I>(to, c, j);
  else write_feature<P, Loop, I>(to, c, j);
}

template <class P, int Loop, int I> STG_INLINE void gather_rows(float* to, const row_context& c, std::int64_t edges) {
  constexpr int L = full_lanes<P>;  // scratch is padded
  const auto* const from =
      reinterpret_cast<const float*>(c.call.memory[root_of<P>(P::program.statements[I].operands[0])]);
  for (std::int64_t j = 0; j < edges; j += L) {
    lanes_t<scalar_type::f32, L> r;
    gather<L>(r, from, c.edges.neighbours() + c.first + j, edges - j);
    store<scalar_type::f32, L>(to + j, r);
  }
}

/// The rows of all edges of the chunk.
template <class P, int Loop, int I, int Place> STG_INLINE void fill_rows(const row_context& c, std::int64_t edges) {
  constexpr ir::statement s = P::program.statements[I];
  [[maybe_unused]] element<P, I>* const to = row_of<P, Loop, I>(c, 0);
  if constexpr (is_flat<P, Loop, I>()) {
    write_flat<P, Loop, I>(to, c, edges);
  } else if constexpr (has_single_rows<P, I>()) {
    for (std::int64_t j = 0; j < edges; ++j) fill_edge<P, Loop, I, Place>(c, j);
  } else if constexpr (s.code == ir::opcode::edge_index) {
    for (std::int64_t j = 0; j < edges; ++j) to[j] = static_cast<element<P, I>>(c.edges.edge_id(c.first + j));
  } else if constexpr (s.code == ir::opcode::keep_mask) {
    fill_edge_masks<P, Loop, I>(c, edges);
  } else if constexpr (are_gathered_numbers<P, Loop, I>()) {
    gather_rows<P, Loop, I>(to, c, edges);
  } else {
    copy_rows<P, Loop, I, Place>(to, c, edges);
  }
}

}  // namespace stg::cpu::detail
