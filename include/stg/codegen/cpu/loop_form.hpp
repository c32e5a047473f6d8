// The form of a loop over edges: in one pass (one_pass.hpp), or value by value for a chunk of edges (edges.hpp).
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/edge_rows.hpp>  // has_single_rows
#include <stg/codegen/cpu/evaluate.hpp>   // full_lanes
#include <stg/codegen/cpu/wide.hpp>       // single_block

namespace stg::cpu::detail {

/// Levels of a loop (edge_plan.hpp).
template <class P, int Loop> constexpr int levels_of() {
  int levels = 1;
  for (int k = P::plan.loops[Loop].first_statement; k < P::plan.loops[Loop].last_statement; ++k)
    if (levels <= P::plan.loop_statements[k].level) levels = P::plan.loop_statements[k].level + 1;
  return levels;
}

template <class P, int Loop> struct one_pass {
  static constexpr pass::planned_loop loop = P::plan.loops[Loop];
  using statements = std::make_integer_sequence<int, loop.last_statement - loop.first_statement>;
  using results = std::make_integer_sequence<int, loop.last_result - loop.first_result>;

  /// Elements that an edge has of every value across edges, padding included; 0: none, or not the same of all.
  static constexpr int width = [] {
    int n = 0;
    for (int k = loop.first_statement; k < loop.last_statement; ++k) {
      const int at = P::plan.loop_statements[k].at;
      if (P::plan.mode(Loop, at) != pass::edge_mode::across) continue;
      const int mine = pass::narrow_stride(P::program.statements[at].dims.size());
      if (n != 0 && n != mine) return 0;
      n = mine;
    }
    return n;
  }();
  /// Edges to a register, and how many at most: as many as floats fill a register of AVX-512.
  static constexpr int most_edges = 16;
  static_assert(most_edges <= most_fetched, "stg internal: what a register of edges reads is fetched together");
  static constexpr int edges = width == 0 ? 0 : full_lanes<P> / width;

  /// Edges from the register's first to the chunk's last, or as many as it holds.
  template <bool Partial> STG_INLINE static std::int64_t edges_left(std::int64_t first, std::int64_t last) {
    return !Partial ? edges : edges == 2 ? 1 : last + 1 - first;
  }

  template <int K> static constexpr bool fills_by_edge() {
    constexpr int at = P::plan.loop_statements[K].at;
    return is_in_rows<P, Loop>(at) && has_single_rows<P, Loop, at>();
  }
  /// Values that are computed for the whole chunk come before the pass, so they must need nothing of it.
  template <int K> static constexpr bool comes_before() {
    return is_in_rows<P, Loop>(P::plan.loop_statements[K].at) && !fills_by_edge<K>();
  }
  template <int K> static constexpr bool is_wide() { return P::plan.loop_results[K].level < 0; }

 private:
  template <int K> static constexpr bool fits_statement() {
    return !comes_before<K>() || P::plan.loop_statements[K].level == 0;
  }
  /// Registers that result K takes, or more than there are.
  template <int K> static constexpr int registers_of() {
    constexpr int A = P::plan.loop_results[K].at;
    constexpr ir::opcode code = P::program.statements[A].code;
    if constexpr (!is_wide<K>()) return 1;
    else if constexpr (code != ir::opcode::sum_edges && code != ir::opcode::max_edges) return P::block_registers + 1;
    else if constexpr (!single_block<P, Loop, K>::exists) return P::block_registers + 1;
    else return single_block<P, Loop, K>::registers;
  }
  template <int... K, int... R>
  static constexpr bool fits(std::integer_sequence<int, K...>, std::integer_sequence<int, R...>) {
    const bool several = (0 + ... + int(fills_by_edge<loop.first_statement + K>())) > 0 ||
                         (0 + ... + int(is_wide<loop.first_result + R>())) > 0;
    return several && (fits_statement<loop.first_statement + K>() && ...) &&
           (0 + ... + registers_of<loop.first_result + R>()) <= P::block_registers;
  }

 public:
  static constexpr bool serves = [] {
    if constexpr (edges < 1 || edges > most_edges) return false;
    else return fits(statements(), results());
  }();

  /// Entries of loop_statements and loop_results: values across edges, what is taken from them, and wide sums.
  template <bool OneChunk> struct entries {
    static constexpr auto values = [] {
      index_list<loop.last_statement - loop.first_statement> chosen;
      for (int k = loop.first_statement; k < loop.last_statement; ++k) {
        const pass::planned_value& v = P::plan.loop_statements[k];
        if (P::plan.mode(Loop, v.at) == pass::edge_mode::across && (v.in_one_chunk || !OneChunk))
          chosen.at[chosen.count++] = k;
      }
      return chosen;
    }();
    static constexpr auto results_if(bool summed_wide) {
      index_list<loop.last_result - loop.first_result> chosen;
      for (int k = loop.first_result; k < loop.last_result; ++k)
        if ((P::plan.loop_results[k].level < 0) == summed_wide) chosen.at[chosen.count++] = k;
      return chosen;
    }
    static constexpr auto results = results_if(false);
    static constexpr auto wide = results_if(true);
  };
};

/// Whether softmax reads top_share K as exponentials that its own loop takes, where the row is one chunk.
template <class P, int K> constexpr bool is_summed_later() {
  constexpr int reader = P::plan.loop_results[K].summed_in;
  if constexpr (reader < 0) return false;
  else return one_pass<P, reader>::serves;
}
/// The entry of loop_results that makes value A.
template <class P> constexpr int result_entry(int a) {
  for (int k = 0; k < P::plan.loop_result_count; ++k)
    if (P::plan.loop_results[k].at == a) return k;
  return -1;
}
template <class P, int First, int... R> constexpr bool is_any_summed_later(std::integer_sequence<int, R...>) {
  return (is_summed_later<P, First + R>() || ...);
}
/// Whether the loop does something else when all edges of the row are one chunk.
template <class P, int Loop> constexpr bool knows_one_chunk() {
  constexpr pass::planned_loop loop = P::plan.loops[Loop];
  for (int k = loop.first_statement; k < loop.last_statement; ++k)
    if (P::plan.loop_statements[k].softmax >= 0) return true;
  return is_any_summed_later<P, loop.first_result>(typename one_pass<P, Loop>::results());
}

// ---- rows whose length is known at run time alone ----

/// Whether a loop has values across edges, and makes rows of unknown length.
template <class P, int Loop> constexpr bool makes_unknown_rows() {
  constexpr pass::planned_loop loop = P::plan.loops[Loop];
  bool unknown = false;
  for (int k = loop.first_result; k < loop.last_result; ++k)
    unknown = unknown || !P::program.statements[P::plan.loop_results[k].at].dims.is_static();
  return unknown && one_pass<P, Loop>::width > 0;
}
template <class Held, class Plain, int Step> constexpr bool step_gains() {
  constexpr pass::step step = Plain::plan.steps[Step];
  if constexpr (!step.is_loop) return false;
  else if constexpr (!makes_unknown_rows<Plain, step.index>()) return false;
  else if constexpr (one_pass<Plain, step.index>::serves) return false;
  else return one_pass<Held, step.index>::serves;
}
/// Whether a unit has more loops in one pass when rows of unknown length fit registers. Held, Plain: a program where
/// they do, and the same where nothing is known of them.
template <class Held, class Plain, int Unit, int... Step>
constexpr bool gains_by_registers(std::integer_sequence<int, Step...>) {
  return (step_gains<Held, Plain, Plain::plan.units[Unit].first_step + Step>() || ...);
}

/// Whether result K is taken by registers of its features (wide.hpp).
template <class P, int Loop, int K> constexpr bool is_taken_wide() {
  constexpr ir::opcode code = P::program.statements[P::plan.loop_results[K].at].code;
  return one_pass<P, Loop>::template is_wide<K>() && op::info_of(code).kind == op::category::aggregate &&
         code != ir::opcode::top_share_edges && code != ir::opcode::first_max_edge;
}
template <class P, int Loop, int K> bool result_fits([[maybe_unused]] const launch& l) {
  if constexpr (is_taken_wide<P, Loop, K>()) {
    using block = single_block<P, Loop, K>;
    if constexpr (block::is_unknown) {
      const std::int64_t inner = block::wide::loops::inner(l);
      return inner >= block::lanes && inner <= block::lanes * block::registers;
    }
  }
  return true;
}
template <class P, int Loop, int... R> bool results_fit(const launch& l, std::integer_sequence<int, R...>) {
  return (result_fits<P, Loop, P::plan.loops[Loop].first_result + R>(l) && ...);
}
template <class P, int Step> bool step_fits(const launch& l) {
  constexpr pass::step step = P::plan.steps[Step];
  if constexpr (step.is_loop) return results_fit<P, step.index>(l, typename one_pass<P, step.index>::results());
  else return true;
}
/// Whether all rows of unknown length that a unit takes by registers have as many as P says.
template <class P, int Unit, int... Step>
bool rows_fit_registers(const launch& l, std::integer_sequence<int, Step...>) {
  return (step_fits<P, P::plan.units[Unit].first_step + Step>(l) && ...);
}

}  // namespace stg::cpu::detail
