// Rows written past the caches: rows of large tables that nothing reads before they would have left the caches anyway.
// A store into a cache reads the line first, and takes room from rows read by neighbours.
#pragma once

#include <cstdint>  // int64_t, uintptr_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/context.hpp>  // row_context, root_of, launch
#include <stg/codegen/cpu/lanes.hpp>    // lanes_t, store

namespace stg::cpu {

/// Tables of more bytes do not stay in the caches of a processor from one sweep to the next.
inline constexpr std::int64_t last_cache = 32 << 20;

namespace detail {

/// Whether a unit reads its own value A.
template <class P> constexpr bool is_read_in_unit(int unit, int A) {
  const auto& plan = P::plan;
  const auto reads = [&](int i) {
    const ir::statement& s = P::program.statements[i];
    for (int k = 0; k < s.arity(); ++k)
      if (root_of<P>(s.operands[k]) == A) return true;
    return false;
  };
  for (int k = plan.units[unit].first_step; k < plan.units[unit].last_step; ++k) {
    const pass::step step = plan.steps[k];
    if (!step.is_loop) {
      if (reads(step.index)) return true;
      continue;
    }
    const pass::planned_loop& loop = plan.loops[step.index];
    for (int i = loop.first_statement; i < loop.last_statement; ++i)
      if (reads(plan.loop_statements[i].at)) return true;
    for (int i = loop.first_result; i < loop.last_result; ++i)
      if (reads(plan.loop_results[i].at)) return true;
  }
  return false;
}

/// Entries of loop_results that a unit's loops make, which lie one after the other.
struct entry_range {
  int first = 0, last = 0;
};
template <class P> constexpr entry_range results_of(int unit) {
  entry_range found;
  for (int k = P::plan.units[unit].first_step; k < P::plan.units[unit].last_step; ++k) {
    if (!P::plan.steps[k].is_loop) continue;
    const pass::planned_loop& loop = P::plan.loops[P::plan.steps[k].index];
    if (found.first == found.last) found.first = loop.first_result;
    found.last = loop.last_result;
  }
  return found;
}

/// Whether rows of result `entry` of a unit's loops may be written past the caches: rows of whole cache lines, of
/// numbers stored in their type of computation.
template <class P> constexpr bool may_pass_caches([[maybe_unused]] int unit, [[maybe_unused]] int entry) {
#if defined(__x86_64__)
  constexpr int flags = 64, line = 64;
  const entry_range mine = results_of<P>(unit);
  const int at = P::plan.loop_results[entry].at;
  const ir::statement& s = P::program.statements[at];
  return mine.first <= entry && entry < mine.last && entry - mine.first < flags && s.where == ir::space::vertex &&
         s.dims.is_static() && s.dims.size() * bytes_of(s.type) % line == 0 && s.type != scalar_type::boolean &&
         !is_storage(s.type) && P::plan.stored[at] && !is_read_in_unit<P>(unit, at);
#else
  return false;
#endif
}

/// Whether they are: the table is large, and aligned as such stores ask.
template <class P, int Unit, int Entry> STG_INLINE std::uint64_t flag_if_large(const launch& l) {
  if constexpr (may_pass_caches<P>(Unit, Entry)) {
    constexpr int A = P::plan.loop_results[Entry].at;
    constexpr std::int64_t row = P::program.statements[A].dims.size() * sizeof(element<P, A>);
    const bool large = l.graph.vertices * row > last_cache && reinterpret_cast<std::uintptr_t>(l.memory[A]) % 64 == 0;
    return std::uint64_t{large} << (Entry - results_of<P>(Unit).first);
  } else {
    return 0;
  }
}
template <class P, int Unit, int... Entry>
STG_INLINE std::uint64_t flags_of_large(const launch& l, std::integer_sequence<int, Entry...>) {
  return (std::uint64_t{} | ... | flag_if_large<P, Unit, results_of<P>(Unit).first + Entry>(l));
}

/// Stores an aligned register past the caches. The instruction is spelled for g++, which has no word for it that holds
/// for every instruction set.
template <scalar_type S, int L> STG_INLINE void store_past_caches(element_t<S>* to, const lanes_t<S, L>& r) {
  [[maybe_unused]] auto* const at = reinterpret_cast<lanes_t<S, L>*>(to);
#if defined(__clang__)
  __builtin_nontemporal_store(r, at);
#elif defined(__x86_64__)
  if constexpr (sizeof(r) > 16) asm("vmovntps %1, %0" : "=m"(*at) : "v"(r));
  else if constexpr (sizeof(r) == 16) asm("movntps %1, %0" : "=m"(*at) : "x"(r));
#else
  store<S, L>(to, r);
#endif
}

}  // namespace detail

/// A flag for each result of a unit, in their order: whether it is written past the caches.
template <class P, int Unit> STG_INLINE std::uint64_t passing_caches(const launch& l) {
  constexpr detail::entry_range mine = detail::results_of<P>(Unit);
  return detail::flags_of_large<P, Unit>(l, std::make_integer_sequence<int, mine.last - mine.first>());
}

/// Makes stores past the caches visible to other threads.
STG_INLINE void finish_stores() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

}  // namespace stg::cpu
