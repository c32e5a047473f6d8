// Per-edge values in rows: each edge's features one after the other in scratch, for a chunk of edges.
#pragma once

#include <cstdint>  // int64_t
#include <limits>   // numeric_limits

#include <stg/base/larger.hpp>           // smaller
#include <stg/codegen/cpu/features.hpp>  // write_feature
#include <stg/codegen/cpu/lanes.hpp>     // collect, gather, load, store
#include <stg/codegen/cpu/masks.hpp>     // fill_edge_masks
#include <stg/codegen/cpu/prefetch.hpp>  // prefetch_next
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

/// One number of every edge, or of every neighbour or a part of its row, for a chunk of edges. A register of them is
/// stored at once: whoever reads one where single numbers were just stored waits until those have left for the cache.
template <class P, int Loop, int I> struct single_numbers {
  static constexpr ir::statement s = P::program.statements[I];
  static constexpr bool is_part = pass::is_part_of_row(P::program, I);
  static constexpr ir::statement row = P::program.statements[is_part ? int(s.operands[0]) : I];  // what it is read of
  static constexpr bool is_gathered =
      row.dims.is_static() && op::info_of(row.code).kind == op::category::gather && !reads_own_row<P, Loop>(row.code);
  static constexpr bool serves = (is_gathered || is_own_of_edge<P>(I)) && full_lanes<P> >= 4 && s.dims.is_static() &&
                                 s.dims.size() == 1 && (s.type == scalar_type::f32 || s.type == scalar_type::f64);
  static constexpr int stride = is_gathered ? static_cast<int>(row.dims.size()) : 1;
  static constexpr std::int64_t begin = is_part ? pass::part_begin(s) : 0;
};

/// Copies the rows of a gathered value, an edge input or a product.
template <class P, int Loop, int I, int Place>
STG_INLINE void copy_rows(element<P, I>* to, const row_context& c, std::int64_t edges) {
  constexpr ir::statement s = P::program.statements[I];
  const std::int64_t w = width<P, I>(c.call), stride = edge_stride<P, I>(c.call);
  for (std::int64_t j = 0; j < edges; ++j) {
    prefetch_next<P, Loop, Place>(c, j);
    const element<P, I>* from;
    if constexpr (is_own_of_edge<P>(I)) {
      from = reinterpret_cast<const element<P, I>*>(c.call.memory[I]) + c.edges.edge_id(c.first + j) * w;
    } else {
      constexpr int G = root_of<P>(s.operands[0]);
      if constexpr (reads_own_row<P, Loop>(s.code)) from = row_of<P, no_loop, G>(c, 0);
      else from = reinterpret_cast<const element<P, I>*>(c.call.memory[G]) + c.edges.neighbour(c.first + j) * w;
    }
    for (std::int64_t f = 0; f < w; ++f) to[j * stride + f] = from[f];  // (edges, features)
  }
}

/// Whether the rows of a value can be computed one by one, rather than for all edges of the chunk together.
template <class P, int Loop, int I> constexpr bool has_single_rows() {
  if (single_numbers<P, Loop, I>::serves) return false;
  constexpr op::category kind = op::info_of(P::program.statements[I].code).kind;
  return kind == op::category::feature || kind == op::category::pointwise;
}

/// The row of edge j.
template <class P, int Loop, int I, int Place> STG_INLINE void fill_edge(const row_context& c, std::int64_t j) {
  prefetch_next<P, Loop, Place>(c, j);
  element<P, I>* const to = row_of<P, Loop, I>(c, j);
  if constexpr (op::info_of(P::program.statements[I].code).kind == op::category::pointwise)
    write_row<P, Loop, I>(to, c, j);
  else write_feature<P, Loop, I>(to, c, j);
}

/// The edge values from j on, a register of them. Scratch is padded.
template <class P, int Loop, int I>
STG_INLINE void read_numbers(element<P, I>* to, const row_context& c, std::int64_t j, std::int64_t edges) {
  using numbers = single_numbers<P, Loop, I>;
  constexpr scalar_type S = numbers::s.type;
  constexpr int L = full_lanes<P>;
  const std::int64_t k = c.first + j, n = edges - j;
  lanes_t<S, L> r;
  if constexpr (numbers::is_gathered) {
    constexpr int X = root_of<P>(numbers::row.operands[0]);
    const auto* const from = reinterpret_cast<const element<P, I>*>(c.call.memory[X]) + numbers::begin;
    const std::int32_t* const ids = c.edges.neighbours() + k;
    if (numbers::stride == 1 || c.call.graph.neighbours <= std::numeric_limits<std::int32_t>::max() / numbers::stride)
      gather<S, L, numbers::stride>(r, from, ids, n);
    else
      collect<S, L>(
          r, from, n, [ids](int e) __attribute__((always_inline)) { return std::int64_t{ids[e]} * numbers::stride; });
  } else {
    const auto* const from = reinterpret_cast<const element<P, I>*>(c.call.memory[I]);
    if (!c.edges.ids_are_positions())
      collect<S, L>(
          r, from, n, [&c, k ](int e) __attribute__((always_inline)) { return c.edges.edge_id(k + e); });
    else if (n >= L) load<S, L>(r, from + k);
    else  // nothing is read behind the last edge
      collect<S, L>(
          r, from + k, n, [](int e) __attribute__((always_inline)) { return e; });
  }
  store<S, L>(to + j, r);
}

/// The rows of all edges of the chunk.
template <class P, int Loop, int I, int Place> STG_INLINE void fill_rows(const row_context& c, std::int64_t edges) {
  constexpr ir::statement s = P::program.statements[I];
  [[maybe_unused]] element<P, I>* const to = row_of<P, Loop, I>(c, 0);  // (edges, features), of the chunk
  if constexpr (is_flat<P, Loop, I>()) {
    write_flat<P, Loop, I>(to, c, edges);
  } else if constexpr (single_numbers<P, Loop, I>::serves) {
    for (std::int64_t j = 0; j < edges; j += full_lanes<P>) {
      prefetch_next<P, Loop, Place>(c, j, smaller<std::int64_t>(edges - j, full_lanes<P>));
      read_numbers<P, Loop, I>(to, c, j, edges);
    }
  } else if constexpr (has_single_rows<P, Loop, I>()) {
    for (std::int64_t j = 0; j < edges; ++j) fill_edge<P, Loop, I, Place>(c, j);
  } else if constexpr (s.code == ir::opcode::edge_index) {
    for (std::int64_t j = 0; j < edges; ++j)
      to[j] = static_cast<element<P, I>>(number_of_edge(c.call.graph, c.edges, c.first + j));
  } else if constexpr (s.code == ir::opcode::keep_mask) {
    fill_edge_masks<P, Loop, I>(c, edges);
  } else {
    copy_rows<P, Loop, I, Place>(to, c, edges);
  }
}

}  // namespace stg::cpu::detail
