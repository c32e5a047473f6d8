// One row of a sweep, with the places of its values for the kernel.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <limits>   // numeric_limits

#include <stg/base/config.hpp>             // STG_INLINE
#include <stg/codegen/cpu/sweep_part.hpp>  // part_of_row, long_row_results
#include <stg/codegen/launch.hpp>          // launch
#include <stg/codegen/plan_view.hpp>       // root_of, mode_of
#include <stg/runtime/adjacency.hpp>       // adjacency

namespace stg::cpu {

using namespace codegen;  // P: a program with its plan, seen through on_vectors (target.hpp)

/// Rows, or edges in the order of the sweep, with masks in scratch.
struct drawn_masks {
  std::int64_t begin = 0, end = 0;
};
/// Masks that a sweep draws for some rows or edges at a time; its others are drawn row by row.
inline constexpr int most_drawn_masks = 4;

/// One row of a sweep.
struct row_context {
  const launch& call;
  const std::int64_t* offsets;  // per statement: its row's place in scratch
  std::byte* scratch;
  std::int64_t row = 0;
  std::int64_t last = 0;               // the row after the part's last
  std::int64_t block = 0;              // the first row of the block at hand, in a chain
  adjacency edges{};                   // of the sweep's side
  std::int64_t first = 0;              // the first edge of the chunk at hand
  std::int64_t prefetch_distance = 0;  // edges between the current and the fetched one (prefetch.hpp)
  std::int64_t last_fetch = 0;         // of the first edge of a register, so that all are edges of this part
  std::uint64_t past_caches = 0;       // a flag for each result written past the caches (past_caches.hpp)
  std::int64_t longest = std::numeric_limits<std::int64_t>::max();  // edges of a row that is not a long one
  const long_row_results* long_rows = nullptr;                      // results of loops for long rows (long_rows.hpp)
  const part_of_row* part = nullptr;                                // of the row at hand, if it is cut
  mutable drawn_masks masks[most_drawn_masks]{};                    // of each numbered mask (masks.hpp)
};

namespace detail {

/// Whether a unit draws mask I: per vertex in a step, or per edge in a loop.
template <class P> constexpr bool draws_mask(int unit, int i) {
  const auto& plan = P::plan;
  for (int k = plan.units[unit].first_step; k < plan.units[unit].last_step; ++k) {
    const pass::step step = plan.steps[k];
    if (!step.is_loop && step.index == i) return true;
    if (!step.is_loop) continue;
    for (int v = plan.loops[step.index].first_statement; v < plan.loops[step.index].last_statement; ++v)
      if (plan.loop_statements[v].at == i) return true;
  }
  return false;
}

/// For every mask the least number that no other of the same sweep has; -1: none is left, or it is drawn row by row.
template <class P>
inline constexpr auto mask_numbers = [] {
  struct {
    int of[P::program.size + 1];
  } numbers{};
  for (int i = 0; i < P::program.size; ++i) {
    numbers.of[i] = -1;
    if (P::program.statements[i].code != ir::opcode::keep_mask || P::plan.stored[i] || P::plan.in_block[i]) continue;
    bool taken[most_drawn_masks] = {};
    for (int u = 0; u < P::plan.unit_count; ++u) {
      if (!draws_mask<P>(u, i)) continue;
      for (int other = 0; other < i; ++other)
        if (numbers.of[other] >= 0 && draws_mask<P>(u, other)) taken[numbers.of[other]] = true;
    }
    for (int n = most_drawn_masks; n-- > 0;)
      if (!taken[n]) numbers.of[i] = n;
  }
  return numbers;
}();

}  // namespace detail

/// Which of them mask I is; -1: it is drawn row by row, since it lies in memory or in a chain's block, or as one too
/// many of its sweep.
template <class P, int I> constexpr int mask_number() { return detail::mask_numbers<P>.of[I]; }

/// Elements between the rows of two edges in scratch.
template <class P, int I> STG_INLINE std::int64_t edge_stride(const launch& l) {
  constexpr ir::statement s = P::program.statements[root_of<P>(I)];
  if constexpr (pass::is_narrow(s)) return pass::narrow_stride(s.dims.size());
  else return width<P, root_of<P>(I)>(l);
}

/// The address of value I's row: in memory, or in this thread's scratch. j: the edge within the chunk, for edge values.
template <class P, int Loop, int I> STG_INLINE element<P, I>* row_of(const row_context& c, std::int64_t j) {
  using T = element<P, I>;
  constexpr int R = root_of<P>(I);
  constexpr ir::statement s = P::program.statements[R];
  constexpr bool in_memory = P::plan.stored[R] || s.code == ir::opcode::input;
  if constexpr (s.where == ir::space::graph) {
    return reinterpret_cast<T*>(c.call.memory[R]);
  } else if constexpr (s.where == ir::space::vertex) {
    if constexpr (in_memory) return reinterpret_cast<T*>(c.call.memory[R]) + c.row * width<P, R>(c.call);
    T* const here = reinterpret_cast<T*>(c.scratch + c.offsets[R]);
    if constexpr (P::plan.in_block[R]) return here + (c.row - c.block) * width<P, R>(c.call);
    else if constexpr (mask_number<P, R>() >= 0)
      return here + (c.row - c.masks[mask_number<P, R>()].begin) * width<P, R>(c.call);
    else return here;
  } else if constexpr (mode_of<P, Loop>(R) == pass::edge_mode::rows || mode_of<P, Loop>(R) == pass::edge_mode::across) {
    if constexpr (mask_number<P, R>() >= 0) j += c.first - c.masks[mask_number<P, R>()].begin;
    return reinterpret_cast<T*>(c.scratch + c.offsets[R]) + j * edge_stride<P, R>(c.call);
  } else if constexpr (is_own_of_edge<P>(R)) {
    return reinterpret_cast<T*>(c.call.memory[R]) + c.edges.edge_id(c.first + j) * width<P, R>(c.call);
  } else if constexpr (pass::is_part_of_row(P::program, R)) {
    return row_of<P, Loop, s.operands[0]>(c, j) + pass::part_begin(s);
  } else {
    constexpr int G = root_of<P>(s.operands[0]);  // a gather
    if constexpr (reads_own_row<P, Loop>(s.code)) return row_of<P, no_loop, G>(c, 0);
    else return reinterpret_cast<T*>(c.call.memory[G]) + c.edges.neighbour(c.first + j) * width<P, G>(c.call);
  }
}

/// Whether row_of is a place in scratch.
template <class P, int Loop, int I> constexpr bool is_in_scratch() {
  constexpr int R = root_of<P>(I);
  constexpr ir::statement s = P::program.statements[R];
  if (s.where == ir::space::vertex) return !P::plan.stored[R] && s.code != ir::opcode::input;
  return s.where == ir::space::edge &&
         (mode_of<P, Loop>(R) == pass::edge_mode::rows || mode_of<P, Loop>(R) == pass::edge_mode::across);
}

}  // namespace stg::cpu
