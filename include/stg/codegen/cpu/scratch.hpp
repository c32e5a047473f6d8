// Where the values of a unit, or of a chain of units, lie in a part's scratch, and how many edges a loop takes at a
// time.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/cpu/context.hpp>  // root_of
#include <stg/codegen/cpu/target.hpp>   // most_vector_bytes

namespace stg::cpu {

/// Bytes of a chunk's per-edge rows: about a quarter of a first-level cache where rows are wide. Rows of a few features
/// are streamed through a second-level cache rather than computed twice: softmax wants all edges of a row in one chunk.
inline constexpr std::int64_t chunk_bytes = 8 << 10, narrow_chunk_bytes = 128 << 10;
/// No more than what is added up in a lane without losing digits (wide.hpp cuts further).
inline constexpr std::int64_t most_chunk_edges = 1024;

template <class P> std::int64_t bytes_of_row(int i, const std::int64_t* extents) {
  const ir::statement& s = P::program.statements[i];
  std::int64_t n = bytes_of(s.type);
  for (int a = 0; a < s.dims.rank; ++a)
    n *= s.dims.axes[a].is_static() ? s.dims.axes[a].code : extents[-1 - s.dims.axes[a].code];
  return n;
}

/// Where the values of a unit, or of a chain of units, lie in a part's scratch. A value that several loops compute has
/// one place for all of them.
template <class P> struct scratch_layout {
  std::int64_t offsets[2 * P::program.size + 1];    // rows, then the states of aggregates and reductions; -1: not here
  std::int64_t edges_at_a_time = most_chunk_edges;  // of every loop: one reads what another left of a chunk
  std::int64_t bytes = 0;

  scratch_layout(int unit, const std::int64_t* extents) : scratch_layout(unit, unit + 1, extents, 1) {}
  /// Of the units [first, last) of a chain: values that one leaves for another have a row for each of the block.
  scratch_layout(int first, int last, const std::int64_t* extents, std::int64_t block_rows) {
    for (std::int64_t& o : offsets) o = -1;
    const int first_step = P::plan.units[first].first_step, last_step = P::plan.units[last - 1].last_step;
    std::int64_t chunk = most_chunk_edges;
    for (int k = first_step; k < last_step; ++k) {
      const pass::step& s = P::plan.steps[k];
      if (!s.is_loop) {
        if (!P::plan.stored[s.index])
          place(s.index, bytes_of_row<P>(s.index, extents) * (P::plan.in_block[s.index] ? block_rows : 1));
        place_state(s.index, extents);
        continue;
      }
      if constexpr (P::plan.loop_count > 0) {
        const std::int64_t n = chunk_of(s.index, extents);
        chunk = n < chunk ? n : chunk;
      }
    }
    if constexpr (P::plan.loop_count > 0)
      for (int k = first_step; k < last_step; ++k)
        if (P::plan.steps[k].is_loop) place_loop(P::plan.steps[k].index, chunk, extents);
    edges_at_a_time = chunk;
  }

 private:
  std::int64_t take(std::int64_t n) {
    const std::int64_t at = bytes;
    bytes += (n + 2 * most_vector_bytes + 63) / 64 * 64;  // room for a last register that runs over the end
    return at;
  }
  void place(int at, std::int64_t n) {
    if (offsets[at] < 0) offsets[at] = take(n);
  }
  /// A log_sum_exp along features keeps its sums beside its maxima.
  void place_state(int i, const std::int64_t* extents) {
    if (P::program.statements[i].code == ir::opcode::reduce_log_sum_exp)
      place(P::program.size + i, bytes_of_row<P>(i, extents));
  }
  /// In scratch values of an edge are padded (narrow_stride).
  static std::int64_t bytes_of_edge(int i, const std::int64_t* extents) {
    const ir::statement& s = P::program.statements[i];
    return pass::is_narrow(s) ? pass::narrow_stride(s.dims.size()) * bytes_of(s.type) : bytes_of_row<P>(i, extents);
  }
  static std::int64_t chunk_of(int l, const std::int64_t* extents) {
    const pass::planned_loop& loop = P::plan.loops[l];
    std::int64_t per_edge = 0;
    bool narrow = true;
    for (int k = loop.first_statement; k < loop.last_statement; ++k)
      if (is_here(l, P::plan.loop_statements[k])) {
        per_edge += bytes_of_edge(P::plan.loop_statements[k].at, extents);
        narrow = narrow && pass::is_narrow(P::program.statements[P::plan.loop_statements[k].at]);
      }
    for (int r = loop.first_result; r < loop.last_result; ++r)
      if (P::program.statements[P::plan.loop_results[r].at].code == ir::opcode::log_sum_exp_edges)
        per_edge += bytes_of_edge(P::plan.loop_results[r].at, extents);
    const std::int64_t room = narrow ? narrow_chunk_bytes : chunk_bytes;
    const std::int64_t chunk = per_edge == 0 ? most_chunk_edges : room / per_edge;
    return chunk < 8 ? 8 : chunk > most_chunk_edges ? most_chunk_edges : chunk;
  }
  void place_loop(int l, std::int64_t chunk, const std::int64_t* extents) {
    const pass::planned_loop& loop = P::plan.loops[l];
    for (int k = loop.first_statement; k < loop.last_statement; ++k) {
      const int i = P::plan.loop_statements[k].at;
      if (!is_here(l, P::plan.loop_statements[k])) continue;
      place(i, chunk * bytes_of_edge(i, extents));
      place_state(i, extents);
    }
    for (int r = loop.first_result; r < loop.last_result; ++r) {
      const int a = P::plan.loop_results[r].at;
      const ir::statement& s = P::program.statements[a];
      if (!P::plan.stored[a]) place(a, bytes_of_row<P>(a, extents));
      if (s.code == ir::opcode::log_sum_exp_edges) place(P::program.size + a, (3 + chunk) * bytes_of_edge(a, extents));
      if (s.code == ir::opcode::first_max_edge) place(P::program.size + a, bytes_of_row<P>(s.operands[0], extents));
    }
  }
  static bool is_here(int l, const pass::planned_value& v) {
    const pass::edge_mode mode = P::plan.modes[l][v.at];
    return root_of<P>(v.at) == v.at && (mode == pass::edge_mode::rows || (mode == pass::edge_mode::across && v.kept));
  }
};

}  // namespace stg::cpu
