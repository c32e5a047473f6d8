// The skeleton of a sweep: which rows are mine, per-vertex work, loops over edges, in the order of the plan.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/edges.hpp>     // run_loop
#include <stg/codegen/cpu/features.hpp>  // write_feature
#include <stg/runtime/parallel.hpp>      // parallel, threads

namespace stg::cpu {

/// Edges of a chunk whose per-edge rows together fill about a quarter of a first-level cache; and no more than what is
/// added up one after the other without losing digits.
inline constexpr std::int64_t chunk_bytes = 8192;
inline constexpr std::int64_t most_chunk_edges = 256;

/// Where the values of one unit lie in a part's scratch. A value that several loops compute has one place for all of
/// them, with room for the largest chunk.
template <class P> struct scratch_layout {
  std::int64_t offsets[2 * P::program.size + 1];  // rows, then the states of aggregates and reductions; -1: not here
  std::int64_t chunks[P::plan.loop_count + 1]{};  // edges at a time, per loop
  std::int64_t bytes = 0;

  scratch_layout(int unit, const std::int64_t* extents) {
    for (std::int64_t& o : offsets) o = -1;
    const pass::planned_unit& u = P::plan.units[unit];
    std::int64_t largest = 0;
    for (int k = u.first_step; k < u.last_step; ++k) {
      const pass::step& s = P::plan.steps[k];
      if (!s.is_loop) {
        if (!P::plan.stored[s.index]) place(s.index, bytes_of_row(s.index, extents));
        place_state(s.index, extents);
        continue;
      }
      chunks[s.index] = chunk_of(s.index, extents);
      largest = largest < chunks[s.index] ? chunks[s.index] : largest;
    }
    for (int k = u.first_step; k < u.last_step; ++k)
      if (P::plan.steps[k].is_loop) place_loop(P::plan.steps[k].index, largest, extents);
  }

 private:
  std::int64_t take(std::int64_t n) {
    const std::int64_t at = bytes;
    bytes += (n + 2 * vector_bytes + 63) / 64 * 64;  // room for a last register that runs over the end
    return at;
  }
  void place(int at, std::int64_t n) {
    if (offsets[at] < 0) offsets[at] = take(n);
  }
  static std::int64_t bytes_of_row(int i, const std::int64_t* extents) {
    const ir::statement& s = P::program.statements[i];
    std::int64_t n = bytes_of(s.type);
    for (int a = 0; a < s.dims.rank; ++a)
      n *= s.dims.axes[a].is_static() ? s.dims.axes[a].code : extents[-1 - s.dims.axes[a].code];
    return n;
  }
  /// A log_sum_exp along features keeps its sums beside its maxima.
  void place_state(int i, const std::int64_t* extents) {
    if (P::program.statements[i].code == ir::opcode::reduce_log_sum_exp)
      place(P::program.size + i, bytes_of_row(i, extents));
  }
  static std::int64_t chunk_of(int l, const std::int64_t* extents) {
    const pass::planned_loop& loop = P::plan.loops[l];
    std::int64_t per_edge = 0;
    for (int k = loop.first_statement; k < loop.last_statement; ++k)
      if (in_rows(l, P::plan.loop_statements[k])) per_edge += bytes_of_row(P::plan.loop_statements[k], extents);
    for (int r = loop.first_result; r < loop.last_result; ++r)
      if (P::program.statements[P::plan.loop_results[r]].code == ir::opcode::log_sum_exp_edges)
        per_edge += bytes_of_row(P::plan.loop_results[r], extents);
    const std::int64_t chunk = per_edge == 0 ? most_chunk_edges : chunk_bytes / per_edge;
    return chunk < 8 ? 8 : chunk > most_chunk_edges ? most_chunk_edges : chunk;
  }
  void place_loop(int l, std::int64_t chunk, const std::int64_t* extents) {
    const pass::planned_loop& loop = P::plan.loops[l];
    for (int k = loop.first_statement; k < loop.last_statement; ++k) {
      const int i = P::plan.loop_statements[k];
      if (!in_rows(l, i)) continue;
      place(i, chunk * bytes_of_row(i, extents));
      place_state(i, extents);
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = P::plan.loop_results[r];
      const ir::statement& s = P::program.statements[a];
      if (!P::plan.stored[a]) place(a, bytes_of_row(a, extents));
      if (s.code == ir::opcode::log_sum_exp_edges) place(P::program.size + a, (2 + chunk) * bytes_of_row(a, extents));
      if (s.code == ir::opcode::first_max_edge) place(P::program.size + a, bytes_of_row(s.operands[0], extents));
    }
  }
  static bool in_rows(int l, int i) { return root_of<P>(i) == i && P::plan.modes[l][i] == pass::edge_mode::rows; }
};

namespace detail {

template <class P, int Unit, int Step> STG_INLINE void run_step(row_context& c, const scratch_layout<P>& layout) {
  constexpr pass::step step = P::plan.steps[Step];
  if constexpr (step.is_loop) {
    run_loop<P, step.index>(c, layout.chunks[step.index]);
  } else {
    constexpr int I = step.index;
    constexpr ir::statement s = P::program.statements[I];
    constexpr op::category kind = op::info_of(s.code).kind;
    element<P, I>* const to = row_of<P, no_loop, I>(c, 0);
    if constexpr (s.code == ir::opcode::keep_mask) write_mask<P, I>(to, c, c.row);
    else if constexpr (kind == op::category::source) write_source<P, I>(to, c);
    else if constexpr (kind == op::category::pointwise) write_row<P, no_loop, I>(to, c, 0);
    else write_feature<P, no_loop, I>(to, c, 0);
  }
}

template <class P, int Unit, int... Step>
STG_INLINE void run_row(row_context& c, const scratch_layout<P>& layout, std::integer_sequence<int, Step...>) {
  (run_step<P, Unit, P::plan.units[Unit].first_step + Step>(c, layout), ...);
}

template <class P, int Unit>
inline constexpr auto steps_of =
    std::make_integer_sequence<int, P::plan.units[Unit].last_step - P::plan.units[Unit].first_step>();

}  // namespace detail

/// Rows [first, last) of a sweep. Every row is computed by itself, so results do not depend on how rows are divided.
template <class P, int Unit>
[[gnu::noinline]] void sweep_rows(const launch& call, const scratch_layout<P>& layout, std::byte* scratch,
                                  std::int64_t first, std::int64_t last) {
  row_context c{call, layout.offsets, scratch};
  c.edges = P::plan.units[Unit].side == pass::sweep_side::out ? call.out : call.in;
  for (c.row = first; c.row < last; ++c.row) detail::run_row<P, Unit>(c, layout, detail::steps_of<P, Unit>);
}

/// Parts that a sweep is cut into at most: several per thread, so that one with many hubs does not keep the others
/// waiting.
inline std::int64_t most_sweep_parts() { return threads() == 1 ? 1 : 4 * std::int64_t(threads()); }

/// Fewer where there is too little work to wake a thread for. Scratch is laid out for the most parts all the same, so
/// that the bytes of a call do not depend on |E|.
inline std::int64_t sweep_parts(const launch& call) {
  constexpr std::int64_t least_work = 4096;  // rows + edges of a part
  const std::int64_t parts = (call.vertices + call.in.edges()) / least_work + 1;
  return parts < call.most_parts ? parts : call.most_parts;
}

template <class P, int Unit> void run_sweep(const launch& call) {
  const scratch_layout<P> layout(Unit, call.extents);
  const adjacency edges = P::plan.units[Unit].side == pass::sweep_side::out ? call.out : call.in;
  const std::int64_t parts = sweep_parts(call);
  parallel(parts, [&](std::int64_t part) {
    sweep_rows<P, Unit>(call, layout, call.workspace + part * layout.bytes, edges.split(part, parts),
                        edges.split(part + 1, parts));
  });
}

/// Graph arithmetic: one row, that of the graph.
template <class P, int Unit> void run_graph(const launch& call) {
  const scratch_layout<P> layout(Unit, call.extents);
  row_context c{call, layout.offsets, call.workspace};
  detail::run_row<P, Unit>(c, layout, detail::steps_of<P, Unit>);
}

}  // namespace stg::cpu
