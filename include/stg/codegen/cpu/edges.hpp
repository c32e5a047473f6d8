// The loop over a row's edges: per-edge values for a chunk of edges, then aggregates that stay in registers.
#pragma once

#include <cstdint>  // int64_t
#include <limits>   // numeric_limits
#include <utility>  // integer_sequence

#include <stg/base/lowest.hpp>            // lowest
#include <stg/codegen/cpu/across.hpp>     // run_group
#include <stg/codegen/cpu/edge_rows.hpp>  // fill_rows
#include <stg/codegen/cpu/long_rows.hpp>  // part_for
#include <stg/codegen/cpu/one_pass.hpp>   // one_pass, run_one_pass
#include <stg/codegen/cpu/softmax.hpp>    // take_exponentials, finish_exponentials
#include <stg/codegen/cpu/wide.hpp>       // take_edges
#include <stg/op/list.hpp>                // of_code_t

namespace stg::cpu {

namespace detail {

// ---- others ----

/// Begins with -∞, as a maximum does; among nothing but -∞ and NaN it is the first edge.
template <class P, int Loop, int A>
STG_INLINE void take_first_max(const row_context& c, std::int64_t edges, bool first) {
  constexpr int X = P::program.statements[A].operands[0];
  using T = element<P, X>;
  const std::int64_t w = width<P, A>(c.call);
  std::int32_t* const to = row_of<P, no_loop, A>(c, 0);                              // (features)
  T* const most = reinterpret_cast<T*>(c.scratch + c.offsets[P::program.size + A]);  // (features)
  for (std::int64_t j = 0; j < edges; ++j) {
    const T* const x = row_of<P, Loop, X>(c, j);  // (features)
    const std::int32_t id = static_cast<std::int32_t>(number_of_edge(c.call.graph, c.edges, c.first + j));
    if (first && j == 0) {
      for (std::int64_t f = 0; f < w; ++f) most[f] = lowest<T>();
      for (std::int64_t f = 0; f < w; ++f) to[f] = id;
    }
    for (std::int64_t f = 0; f < w; ++f) {
      if (most[f] < x[f]) {
        most[f] = x[f];
        to[f] = id;
      }
    }
  }
}

/// Keeps a per-edge value that the user asked for.
template <class P, int Loop, int E> STG_INLINE void keep_edges(const row_context& c, std::int64_t edges) {
  const std::int64_t w = width<P, E>(c.call);
  element<P, E>* const base = reinterpret_cast<element<P, E>*>(c.call.memory[E]);  // (all edges, features)
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

/// Parts of a row that is long in another relation all come past this one's edges, which the run over the row keeps.
template <class P, int Loop, int E> STG_INLINE void keep_edges_once(const row_context& c, std::int64_t edges) {
  if constexpr (P::plan.loops[Loop].relation != 0)
    if (c.part != nullptr && c.part->loop != Loop) return;
  keep_edges<P, Loop, E>(c, edges);
}

template <class P, int Loop, int K> STG_INLINE void take(const row_context& c, std::int64_t edges, bool first) {
  constexpr pass::planned_result r = P::plan.loop_results[K];
  constexpr ir::statement s = P::program.statements[r.at];
  if constexpr (r.level >= 0) return;  // taken by its group
  else if constexpr (s.where == ir::space::edge) keep_edges_once<P, Loop, r.at>(c, edges);
  else if constexpr (s.code == ir::opcode::top_share_edges) take_exponentials<P, Loop, r.at>(c, edges, first);
  else if constexpr (s.code == ir::opcode::first_max_edge) take_first_max<P, Loop, r.at>(c, edges, first);
  else take_edges<P, Loop, K>(c, edges, first);
}

/// After the last edge.
template <class P, int K> STG_INLINE void finish(const row_context& c, bool empty, bool one_chunk) {
  constexpr pass::planned_result r = P::plan.loop_results[K];
  constexpr ir::statement s = P::program.statements[r.at];
  if constexpr (s.code == ir::opcode::top_share_edges) {
    if (is_summed_later<P, K>() && one_chunk && !empty) return;
    finish_exponentials<P, r.at>(c, empty);
  } else if constexpr (s.where != ir::space::edge) {
    using T = element<P, r.at>;
    T* const to = row_of<P, no_loop, r.at>(c, 0);
    const std::int64_t w = width<P, r.at>(c.call);
    if (empty)
      for (std::int64_t f = 0; f < w; ++f) to[f] = op::of_code_t<s.code>::template of_none<T>();
  }
}

// ---- a chunk, level by level ----

/// Entries of loop_statements that a level computes in rows.
template <class P, int Loop, int Level, bool OneChunk>
inline constexpr auto in_rows_at = [] {
  constexpr pass::planned_loop loop = P::plan.loops[Loop];
  index_list<loop.last_statement - loop.first_statement> list;
  for (int k = loop.first_statement; k < loop.last_statement; ++k) {
    const pass::planned_value& v = P::plan.loop_statements[k];
    if (v.level == Level && (v.in_one_chunk || !OneChunk) && is_in_rows<P, Loop>(v.at)) list.add(k);
  }
  return list;
}();

template <class P, int Loop, int K> STG_INLINE void fill_rows_of(const row_context& c, std::int64_t edges) {
  constexpr pass::planned_value v = P::plan.loop_statements[K];
  fill_rows<P, Loop, v.at, place_of_value(Loop, v, false, K)>(c, edges);
}

template <class P, int Loop, int Level, bool OneChunk, int... K>
STG_INLINE void run_level(const row_context& c, std::int64_t edges, bool first, std::integer_sequence<int, K...>) {
  (fill_rows_of<P, Loop, in_rows_at<P, Loop, Level, OneChunk>.at[K]>(c, edges), ...);
  run_group<P, Loop, Level, 1, OneChunk>(c, edges, first);
  run_group<P, Loop, Level, 2, OneChunk>(c, edges, first);
  run_group<P, Loop, Level, 4, OneChunk>(c, edges, first);
  run_group<P, Loop, Level, 8, OneChunk>(c, edges, first);
}
static_assert(pass::most_narrow_elements == 8, "stg internal: groups are 1, 2, 4 or 8 elements wide");

template <class P, int Loop, bool OneChunk, int... Level>
STG_INLINE void run_levels(const row_context& c, std::int64_t edges, bool first, std::integer_sequence<int, Level...>) {
  (run_level<P, Loop, Level, OneChunk>(c, edges, first,
                                       std::make_integer_sequence<int, in_rows_at<P, Loop, Level, OneChunk>.count>()),
   ...);
}

template <class P, int Loop, bool OneChunk, int... R>
STG_INLINE void run_chunk(const row_context& c, std::int64_t edges, bool first, std::integer_sequence<int, R...>) {
  if constexpr (one_pass<P, Loop>::serves) {
    run_one_pass<P, Loop, OneChunk>(c, edges, first);
  } else {
    run_levels<P, Loop, OneChunk>(c, edges, first, std::make_integer_sequence<int, levels_of<P, Loop>()>());
    (take<P, Loop, P::plan.loops[Loop].first_result + R>(c, edges, first), ...);
  }
}

/// Whether a loop leaves nothing in scratch, so that all edges of a row are one chunk whatever their number.
template <class P, int Loop> constexpr bool needs_no_chunks() {
  constexpr pass::planned_loop loop = P::plan.loops[Loop];
  for (int k = loop.first_statement; k < loop.last_statement; ++k) {
    const pass::edge_mode mode = mode_of<P, Loop>(P::plan.loop_statements[k].at);
    if (mode == pass::edge_mode::rows || mode == pass::edge_mode::across) return false;
  }
  return true;
}

/// Where a sweep has loops over several relations: the edges are those of this one's.
template <class P, int Loop> STG_INLINE void turn_to_edges(row_context& c) {
  constexpr pass::planned_loop loop = P::plan.loops[Loop];
  if constexpr (loop.relation != 0) {
    const kind_rows& along = c.call.graph.kinds[loop.relation];
    c.edges = loop.side == pass::sweep_side::out ? along.out : along.in;
    const bool cuts = c.long_rows != nullptr && c.edges.long_rows().count > 0;
    c.longest = cuts ? c.edges.long_rows().part_edges : std::numeric_limits<std::int64_t>::max();
    begin_fetching<P, unit_of_loop<P, Loop>(), loop.edges()>(c, c.last);
  }
}

/// False: there is nothing else to do of the row, since a part of its edges is all that is wanted.
template <class P, int Loop, int... R>
STG_INLINE bool loop_over_edges(row_context& c, std::int64_t chunk, std::integer_sequence<int, R...> results) {
  constexpr pass::planned_loop loop = P::plan.loops[Loop];
  turn_to_edges<P, Loop>(c);
  std::int64_t begin = c.edges.begin(c.row), end = c.edges.end(c.row);
  const bool is_long = end - begin > c.longest;
  if (is_long) [[unlikely]] {  // the context itself is not handed on: it would have to lie in memory
    const part_of_row* const part = c.long_rows->part_for(Loop, c.part, {c.call.memory, c.offsets, c.scratch, c.row});
    if (part == nullptr) return true;
    begin = part->begin;
    end = part->end;
  }
  if constexpr (needs_no_chunks<P, Loop>()) {
    c.first = begin;
    if (begin < end) run_chunk<P, Loop, false>(c, end - begin, true, results);
    if (is_long) return false;
    (finish<P, loop.first_result + R>(c, begin == end, false), ...);
  } else {
    const bool one_chunk = knows_one_chunk<P, Loop>() && end - begin <= chunk && !is_long;
    for (c.first = begin; c.first < end; c.first += chunk) {
      const std::int64_t edges = end - c.first < chunk ? end - c.first : chunk;
      const bool first = c.first == begin;
      if (one_chunk) run_chunk<P, Loop, knows_one_chunk<P, Loop>()>(c, edges, first, results);
      else run_chunk<P, Loop, false>(c, edges, first, results);
    }
    if (is_long) return false;
    (finish<P, loop.first_result + R>(c, begin == end, one_chunk), ...);
  }
  return true;
}

}  // namespace detail

/// One loop of the plan over the edges of the row at hand, `chunk` edges at a time. False: the row ends with it.
template <class P, int Loop> STG_INLINE bool run_loop(row_context& c, std::int64_t chunk) {
  constexpr pass::planned_loop loop = P::plan.loops[Loop];
  return detail::loop_over_edges<P, Loop>(c, chunk,
                                          std::make_integer_sequence<int, loop.last_result - loop.first_result>());
}

}  // namespace stg::cpu
