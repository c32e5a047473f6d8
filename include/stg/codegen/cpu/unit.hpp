// Programs on the CPU: their kernels, and calls of what launches them.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/compiled_plan.hpp>  // compiled_plan, choose_sweep
#include <stg/codegen/cpu/equal_units.hpp>    // units_of
#include <stg/codegen/cpu/sweep.hpp>          // sweep_for, graph_row_for
#include <stg/compile.hpp>                    // step_of

namespace stg::cpu {

namespace detail {

template <class P, int Unit> constexpr choose_sweep sweep_of_unit() {
  constexpr pass::unit_kind kind = P::plan.units[Unit].kind;
  if constexpr (kind == pass::unit_kind::sweep) return &sweep_for<P, Unit>;
  else if constexpr (kind == pass::unit_kind::graph) return &graph_row_for<P, Unit>;
  else return nullptr;
}

template <class P> struct sweeps {
  choose_sweep of_unit[P::plan.unit_count + 1];

  template <int... Unit>
  explicit constexpr sweeps(std::integer_sequence<int, Unit...>)
      : of_unit{sweep_of_unit<P, units_of<P>.first[Unit]>()..., nullptr} {}
};
template <class P> inline constexpr sweeps<P> sweeps_of{std::make_integer_sequence<int, P::plan.unit_count>()};

template <class P> std::int64_t workspace_of(const void*, const launch& l);
template <class P> void run_all(const void*, const launch& l);

/// The steps of P's scans. Who asks for their sizes alone has no kernels compiled.
template <class P, bool Runs> struct step_table {
  codegen::step_program at[P::program.callee_count + 1];

  template <int... K>
  explicit constexpr step_table(std::integer_sequence<int, K...>) : at{entry<step_of<P, K>>()..., {}} {}
  template <class Step> static constexpr codegen::step_program entry() {
    if constexpr (Runs) return {&data_of<Step>, nullptr, &run_all<Step>, &workspace_of<Step>};
    else return {&data_of<Step>, nullptr, nullptr, &workspace_of<Step>};
  }
};
template <class P, bool Runs>
inline constexpr step_table<P, Runs> all_step_tables{std::make_integer_sequence<int, P::program.callee_count>()};

/// Calls body(plan) with plan P and room for a call.
template <class P, bool Runs, class Body> auto with_plan(const choose_sweep* sweeps, const Body& body) {
  std::int64_t offsets[2 * P::program.size + 1];
  std::byte* memory[P::program.size + 1];
  std::byte* renamed[units_of<P>.any ? P::program.size + 1 : 1]{};
  const equal_units same{units_of<P>.first, units_of<P>.values_end, units_of<P>.values};
  return body(compiled_plan{data_of<P>, sweeps, same, all_step_tables<P, Runs>.at, offsets, memory, renamed});
}

}  // namespace detail

/// Runs all units of plan P.
template <class P> void run(const launch& l) {
  detail::with_plan<P, true>(detail::sweeps_of<P>.of_unit, [&](const compiled_plan& plan) { cpu::run(plan, l); });
}

/// Bytes of workspace that a call needs (compiled_plan.hpp). Who asks for no more has no kernels compiled.
template <class P> std::int64_t workspace(const launch& l) {
  return detail::with_plan<P, false>(nullptr, [&](const compiled_plan& plan) { return cpu::workspace(plan, l); });
}

namespace detail {
template <class P> std::int64_t workspace_of(const void*, const launch& l) { return cpu::workspace<P>(l); }
template <class P> void run_all(const void*, const launch& l) { cpu::run<P>(l); }
}  // namespace detail

}  // namespace stg::cpu
