// The loop over a row's edges: per-edge values for a chunk of edges, then aggregates that stay in registers.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/across.hpp>    // run_group
#include <stg/codegen/cpu/features.hpp>  // write_feature
#include <stg/codegen/cpu/rows.hpp>      // write_row, write_edge_masks
#include <stg/codegen/cpu/softmax.hpp>   // take_exponentials, finish_exponentials
#include <stg/codegen/cpu/wide.hpp>      // take_edges

namespace stg::cpu {

namespace detail {

// ---- per-edge values in rows ----

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

/// Copies the rows of a gathered value or an edge input.
template <class P, int Loop, int I, int Place>
STG_INLINE void copy_rows(element<P, I>* to, const row_context& c, std::int64_t edges) {
  constexpr ir::statement s = P::program.statements[I];
  const std::int64_t w = width<P, I>(c.call), stride = edge_stride<P, I>(c.call);
  for (std::int64_t j = 0; j < edges; ++j) {
    fetch_ahead<P, Loop, Place>(c, j);
    const element<P, I>* from;
    if constexpr (s.code == ir::opcode::input) {
      from = reinterpret_cast<const element<P, I>*>(c.call.memory[I]) + c.edges.edge_id(c.first + j) * w;
    } else {
      constexpr int G = root_of<P>(s.operands[0]);
      if constexpr (reads_own_row<P, Loop>(s.code)) from = row_of<P, no_loop, G>(c, 0);
      else from = reinterpret_cast<const element<P, I>*>(c.call.memory[G]) + c.edges.neighbour(c.first + j) * w;
    }
    for (std::int64_t f = 0; f < w; ++f) to[j * stride + f] = from[f];
  }
}

template <class P, int Loop, int I, int Place> STG_INLINE void fill_rows(const row_context& c, std::int64_t edges) {
  if constexpr (root_of<P>(I) == I && mode_of<P, Loop>(I) == pass::edge_mode::rows) {
    constexpr ir::statement s = P::program.statements[I];
    constexpr op::category kind = op::info_of(s.code).kind;
    element<P, I>* const to = row_of<P, Loop, I>(c, 0);
    const std::int64_t stride = edge_stride<P, I>(c.call);
    if constexpr (kind == op::category::gather || s.code == ir::opcode::input) {
      copy_rows<P, Loop, I, Place>(to, c, edges);
    } else if constexpr (s.code == ir::opcode::edge_index) {
      for (std::int64_t j = 0; j < edges; ++j) to[j] = static_cast<element<P, I>>(c.edges.edge_id(c.first + j));
    } else if constexpr (s.code == ir::opcode::keep_mask) {
      write_edge_masks<P, I>(to, c, edges, stride);
    } else if constexpr (is_flat<P, Loop, I>()) {
      write_flat<P, Loop, I>(to, c, edges);
    } else if constexpr (kind == op::category::pointwise) {
      for (std::int64_t j = 0; j < edges; ++j) {
        fetch_ahead<P, Loop, Place>(c, j);
        write_row<P, Loop, I>(to + j * stride, c, j);
      }
    } else {
      for (std::int64_t j = 0; j < edges; ++j) {
        fetch_ahead<P, Loop, Place>(c, j);
        write_feature<P, Loop, I>(to + j * stride, c, j);
      }
    }
  }
}

// ---- others ----

template <class P, int Loop, int A>
STG_INLINE void take_first_max(const row_context& c, std::int64_t edges, bool first) {
  constexpr int X = P::program.statements[A].operands[0];
  using T = element<P, X>;
  const std::int64_t w = width<P, A>(c.call);
  std::int32_t* const to = row_of<P, no_loop, A>(c, 0);
  T* const most = reinterpret_cast<T*>(c.scratch + c.offsets[P::program.size + A]);
  for (std::int64_t j = 0; j < edges; ++j) {
    const T* const x = row_of<P, Loop, X>(c, j);
    const std::int32_t id = static_cast<std::int32_t>(c.edges.edge_id(c.first + j));
    for (std::int64_t f = 0; f < w; ++f) {
      if ((first && j == 0) || most[f] < x[f]) {
        most[f] = x[f];
        to[f] = id;
      }
    }
  }
}

/// Keeps a per-edge value that the user asked for.
template <class P, int Loop, int E> STG_INLINE void keep_edges(const row_context& c, std::int64_t edges) {
  const std::int64_t w = width<P, E>(c.call);
  element<P, E>* const base = reinterpret_cast<element<P, E>*>(c.call.memory[E]);
  for (std::int64_t j = 0; j < edges; ++j) {
    element<P, E>* const to = base + c.edges.edge_id(c.first + j) * w;
    if constexpr (is_joined<P, Loop>(E)) {
      write_row<P, Loop, E>(to, c, j);
    } else {
      const element<P, E>* const from = row_of<P, Loop, E>(c, j);
      for (std::int64_t f = 0; f < w; ++f) to[f] = from[f];
    }
  }
}

template <class P, int Loop, int K> STG_INLINE void take(const row_context& c, std::int64_t edges, bool first) {
  constexpr pass::planned_result r = P::plan.loop_results[K];
  constexpr ir::statement s = P::program.statements[r.at];
  if constexpr (r.level >= 0) return;  // taken by its group
  else if constexpr (s.where == ir::space::edge) keep_edges<P, Loop, r.at>(c, edges);
  else if constexpr (s.code == ir::opcode::log_sum_exp_edges) take_exponentials<P, Loop, r.at>(c, edges, first);
  else if constexpr (s.code == ir::opcode::first_max_edge) take_first_max<P, Loop, r.at>(c, edges, first);
  else take_edges<P, Loop, K>(c, edges, first);
}

/// After the last edge; over no edges: 0, -1 for an index, -∞ for log_sum_exp.
template <class P, int K> STG_INLINE void finish(const row_context& c, bool empty) {
  constexpr pass::planned_result r = P::plan.loop_results[K];
  constexpr ir::statement s = P::program.statements[r.at];
  if constexpr (s.code == ir::opcode::log_sum_exp_edges) {
    finish_exponentials<P, r.at, r.takes_logarithm>(c, empty);
  } else if constexpr (s.where != ir::space::edge) {
    using T = element<P, r.at>;
    T* const to = row_of<P, no_loop, r.at>(c, 0);
    const std::int64_t w = width<P, r.at>(c.call);
    if (empty)
      for (std::int64_t f = 0; f < w; ++f) to[f] = s.code == ir::opcode::first_max_edge ? static_cast<T>(-1) : T{};
  }
}

// ---- a chunk, level by level ----

template <class P, int Loop, int Level, int K, bool OneChunk>
STG_INLINE void fill_rows_at(const row_context& c, std::int64_t edges) {
  constexpr pass::planned_value v = P::plan.loop_statements[K];
  if constexpr (v.level == Level && (v.in_one_chunk || !OneChunk))
    fill_rows<P, Loop, v.at, detail::place_of_value(Loop, v, false, K)>(c, edges);
}

template <class P, int Loop, int Level, bool OneChunk, int... K>
STG_INLINE void run_level(const row_context& c, std::int64_t edges, bool first, std::integer_sequence<int, K...>) {
  (fill_rows_at<P, Loop, Level, P::plan.loops[Loop].first_statement + K, OneChunk>(c, edges), ...);
  run_group<P, Loop, Level, 1, OneChunk>(c, edges, first);
  run_group<P, Loop, Level, 2, OneChunk>(c, edges, first);
  run_group<P, Loop, Level, 4, OneChunk>(c, edges, first);
  run_group<P, Loop, Level, 8, OneChunk>(c, edges, first);
}
static_assert(pass::narrow_elements == 8, "stg internal: groups are 1, 2, 4 or 8 elements wide");

template <class P, int Loop, bool OneChunk, int... Level>
STG_INLINE void run_levels(const row_context& c, std::int64_t edges, bool first, std::integer_sequence<int, Level...>) {
  constexpr pass::planned_loop loop = P::plan.loops[Loop];
  (run_level<P, Loop, Level, OneChunk>(c, edges, first,
                                       std::make_integer_sequence<int, loop.last_statement - loop.first_statement>()),
   ...);
}

template <class P, int Loop> constexpr int levels_of() {
  int levels = 1;
  for (int k = P::plan.loops[Loop].first_statement; k < P::plan.loops[Loop].last_statement; ++k)
    if (levels <= P::plan.loop_statements[k].level) levels = P::plan.loop_statements[k].level + 1;
  return levels;
}
/// Whether the loop does less when all edges of the row are one chunk.
template <class P, int Loop> constexpr bool has_softmax() {
  for (int k = P::plan.loops[Loop].first_statement; k < P::plan.loops[Loop].last_statement; ++k)
    if (P::plan.loop_statements[k].softmax >= 0) return true;
  return false;
}

template <class P, int Loop, int... R>
STG_INLINE void loop_over_edges(row_context& c, std::int64_t chunk, std::integer_sequence<int, R...>) {
  constexpr pass::planned_loop loop = P::plan.loops[Loop];
  constexpr auto levels = std::make_integer_sequence<int, levels_of<P, Loop>()>();
  const std::int64_t begin = c.edges.begin(c.row), end = c.edges.end(c.row);
  for (c.first = begin; c.first < end; c.first += chunk) {
    const std::int64_t edges = end - c.first < chunk ? end - c.first : chunk;
    const bool first = c.first == begin;
    if (has_softmax<P, Loop>() && end - begin <= chunk)
      run_levels<P, Loop, has_softmax<P, Loop>()>(c, edges, first, levels);
    else run_levels<P, Loop, false>(c, edges, first, levels);
    (take<P, Loop, loop.first_result + R>(c, edges, first), ...);
  }
  (finish<P, loop.first_result + R>(c, begin == end), ...);
}

}  // namespace detail

/// One loop of the plan over the edges of the row at hand, `chunk` edges at a time.
template <class P, int Loop> STG_INLINE void run_loop(row_context& c, std::int64_t chunk) {
  constexpr pass::planned_loop loop = P::plan.loops[Loop];
  detail::loop_over_edges<P, Loop>(c, chunk, std::make_integer_sequence<int, loop.last_result - loop.first_result>());
}

}  // namespace stg::cpu
