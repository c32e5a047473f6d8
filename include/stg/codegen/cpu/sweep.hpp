// The skeleton of a sweep: which rows are mine, per-vertex work, loops over edges, in the order of the plan.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/base/config.hpp>              // STG_INLINE, STG_ENTRY
#include <stg/codegen/cpu/edges.hpp>        // run_loop
#include <stg/codegen/cpu/features.hpp>     // write_feature
#include <stg/codegen/cpu/masks.hpp>        // fill_mask
#include <stg/codegen/cpu/loop_form.hpp>    // gains_by_registers, rows_fit_registers
#include <stg/codegen/cpu/past_caches.hpp>  // passing_caches, finish_stores
#include <stg/codegen/cpu/prefetch.hpp>     // begin_fetching
#include <stg/codegen/cpu/target.hpp>       // in_registers, on_vectors
#include <stg/runtime/isa.hpp>              // chosen_instruction_set

namespace stg::cpu {

namespace detail {

/// False: the row ends here.
template <class P, int Unit, int Step> STG_INLINE bool run_step(row_context& c, std::int64_t chunk) {
  constexpr pass::step step = P::plan.steps[Step];
  if constexpr (step.is_loop) {
    return run_loop<P, step.index>(c, chunk);
  } else if constexpr (!P::plan.joined[step.index]) {
    constexpr int I = step.index;
    constexpr ir::statement s = P::program.statements[I];
    constexpr op::category kind = op::info_of(s.code).kind;
    [[maybe_unused]] element<P, I>* const to = row_of<P, no_loop, I>(c, 0);
    if constexpr (s.code == ir::opcode::keep_mask) fill_mask<P, I>(c);
    else if constexpr (kind == op::category::source) write_source<P, I>(to, c);
    else if constexpr (kind == op::category::pointwise) write_row<P, no_loop, I>(to, c, 0);
    else write_feature<P, no_loop, I>(to, c, 0);
  }
  return true;
}

template <class P, int Unit, int... Step>
STG_INLINE void run_row(row_context& c, std::int64_t chunk, std::integer_sequence<int, Step...>) {
  (run_step<P, Unit, P::plan.units[Unit].first_step + Step>(c, chunk) && ...);
}

template <class P, int Unit>
inline constexpr auto steps_of =
    std::make_integer_sequence<int, P::plan.units[Unit].last_step - P::plan.units[Unit].first_step>();

/// Every row is computed by itself, so results do not depend on how rows are divided. A long row is cut where the graph
/// says so (long_rows.hpp).
template <class P, int Unit> STG_INLINE void sweep_rows(const sweep_part& mine) {
  row_context c{mine.call, mine.offsets, mine.scratch};
  c.edges = P::plan.units[Unit].side == pass::sweep_side::out ? mine.call.graph.out : mine.call.graph.in;
  c.block = mine.first;
  c.row = mine.first;
  c.last = mine.last;
  if (mine.long_rows != nullptr) c.longest = c.edges.long_rows().part_edges;
  c.long_rows = mine.long_rows;
  c.part = mine.part;
  c.past_caches = passing_caches<P, Unit>(mine.call);
  begin_fetching<P, Unit>(c, mine.last);
  for (; c.row < mine.last; ++c.row) run_row<P, Unit>(c, mine.edges_at_a_time, steps_of<P, Unit>);  // (rows)
  finish_stores();
}

template <class P, int Unit> [[STG_ENTRY]] void sweep_baseline(const sweep_part& mine) {
  sweep_rows<on_vectors<P, own_vector_bytes>, Unit>(mine);
}
struct baseline {
  static constexpr int vector_bytes = own_vector_bytes;
  template <class P, int Unit> static constexpr sweep_function sweep = &sweep_baseline<P, Unit>;
};
#if defined(STG_TARGET_AVX2)
template <class P, int Unit> [[STG_ENTRY, gnu::target(STG_TARGET_AVX2)]] void sweep_avx2(const sweep_part& mine) {
  sweep_rows<on_vectors<P, 32>, Unit>(mine);
}
struct avx2 {
  static constexpr int vector_bytes = 32;
  template <class P, int Unit> static constexpr sweep_function sweep = &sweep_avx2<P, Unit>;
};
#endif
#if defined(STG_TARGET_AVX512)
template <class P, int Unit> [[STG_ENTRY, gnu::target(STG_TARGET_AVX512)]] void sweep_avx512(const sweep_part& mine) {
  sweep_rows<on_vectors<P, 64>, Unit>(mine);
}
struct avx512 {
  static constexpr int vector_bytes = 64;
  template <class P, int Unit> static constexpr sweep_function sweep = &sweep_avx512<P, Unit>;
};
#endif

/// Of an instruction set: the sweep that knows of rows of unknown length that they fit registers, where that makes a
/// difference and is so; else the one that does not.
template <class Set, class P, int Unit> sweep_function sweep_of(const launch& l) {
  using plain = on_vectors<P, Set::vector_bytes>;
  using held = on_vectors<in_registers<P>, Set::vector_bytes>;
  if constexpr (gains_by_registers<held, plain, Unit>(steps_of<P, Unit>))
    if (rows_fit_registers<held, Unit>(l, steps_of<P, Unit>)) return Set::template sweep<in_registers<P>, Unit>;
  return Set::template sweep<P, Unit>;
}

/// The sweep for the chosen instruction set, or for that of the file's own flags where they ask for more.
template <class P, int Unit> sweep_function sweep_for(const launch& l) {
  switch (chosen_instruction_set()) {
#if defined(STG_TARGET_AVX512)
    case instruction_set::avx512:
      return sweep_of<avx512, P, Unit>(l);
#endif
#if defined(STG_TARGET_AVX2)
    case instruction_set::avx2:
      return sweep_of<avx2, P, Unit>(l);
#endif
    default:
      return sweep_of<baseline, P, Unit>(l);
  }
}

/// Graph arithmetic: one row, that of the graph.
template <class P, int Unit> [[STG_ENTRY]] void graph_row(const sweep_part& mine) {
  row_context c{mine.call, mine.offsets, mine.scratch};
  run_row<on_vectors<P, own_vector_bytes>, Unit>(c, mine.edges_at_a_time, steps_of<P, Unit>);
}
template <class P, int Unit> sweep_function graph_row_for(const launch&) { return &graph_row<P, Unit>; }

}  // namespace detail

}  // namespace stg::cpu
