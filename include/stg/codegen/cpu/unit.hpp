// Programs on the CPU: the kernels of their units, and calls of what launches them.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/analysis/reads_edges.hpp>        // reads_edges
#include <stg/codegen/cpu/compiled_plan.hpp>   // compiled_plan, choose_sweep, unit_names
#include <stg/codegen/cpu/form.hpp>            // form_of_unit, key_of_unit, cut
#include <stg/codegen/cpu/library_kernel.hpp>  // library_kernel, is_in_library
#include <stg/codegen/cpu/sweep.hpp>           // sweep_for, graph_row_for
#include <stg/compile.hpp>                     // step_of

namespace stg::cpu {

namespace detail {

/// The key of a unit whose kernel is taken from the library, else 0.
template <class P, int Unit> constexpr std::uint64_t library_key_of() {
#if STG_LIBRARY_KERNELS
  if constexpr (has_kernel(P::plan.units[Unit])) {
    constexpr std::uint64_t key = key_of_unit<P, Unit>;
    if (is_in_library(key)) return key;
  }
#endif
  return 0;
}

template <class P, int Unit> constexpr choose_sweep sweep_of_unit() {
  if constexpr (!has_kernel(P::plan.units[Unit])) return nullptr;
  else if constexpr (constexpr std::uint64_t key = library_key_of<P, Unit>(); key != 0)
    return &library_kernel<key>::choose;
  else if constexpr (P::plan.units[Unit].kind == pass::unit_kind::graph)
    return &graph_row_for<form_of_unit<P, Unit>, 0>;
  else return &sweep_for<form_of_unit<P, Unit>, 0>;
}
template <class P> struct sweeps {
  choose_sweep of_unit[P::plan.unit_count + 1];

  template <int... Unit>
  explicit constexpr sweeps(std::integer_sequence<int, Unit...>) : of_unit{sweep_of_unit<P, Unit>()..., nullptr} {}
};
template <class P> inline constexpr sweeps<P> sweeps_of{std::make_integer_sequence<int, P::plan.unit_count>()};

#if defined(__clang__)  // which does not know that the library defines them
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
template <class P, int Unit> constexpr unit_names names_of_unit() {
  if constexpr (!has_kernel(P::plan.units[Unit])) {
    return {};
  } else {
    constexpr const auto& c = cut<P, Unit>::value;
    constexpr std::uint64_t key = library_key_of<P, Unit>();
    const plan_data* form = nullptr;
    if constexpr (key != 0) form = &library_kernel<key>::form;
    else form = &codegen::data_of<form_of_unit<P, Unit>>;
    return {form, c.values, c.sizes.values, c.extents, c.sizes.extents, c.sites};
  }
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
template <class P> struct names {
  unit_names of_unit[P::plan.unit_count + 1];

  template <int... Unit>
  explicit constexpr names(std::integer_sequence<int, Unit...>) : of_unit{names_of_unit<P, Unit>()..., unit_names()} {}
};
template <class P> inline constexpr names<P> names_of{std::make_integer_sequence<int, P::plan.unit_count>()};

template <class P> std::int64_t workspace_of(const void*, const launch& l);
template <class P> void run_all(const void*, codegen::step_calls& steps);

/// The steps of P's scans. Who asks for their sizes alone has no kernels compiled.
template <class Step, bool Runs> constexpr const codegen::step_program* steps_of_step();
template <class P, bool Runs> struct step_table {
  codegen::step_program at[P::program.room.callees + 1];

  template <int... K>
  explicit constexpr step_table(std::integer_sequence<int, K...>) : at{entry<step_of<P, K>>()..., {}} {}
  template <class Step> static constexpr codegen::step_program entry() {
    constexpr bool reads_edges = pass::reads_edges(Step::program);
    codegen::step_program step{&codegen::data_of<Step>, nullptr, nullptr, &workspace_of<Step>, reads_edges};
    if constexpr (Runs) step.run = &run_all<Step>;
    step.steps = steps_of_step<Step, Runs>();
    return step;
  }
};
template <class P, bool Runs>
inline constexpr step_table<P, Runs> all_step_tables{std::make_integer_sequence<int, P::program.room.callees>()};
template <class Step, bool Runs> constexpr const codegen::step_program* steps_of_step() {
  return all_step_tables<Step, Runs>.at;
}

/// Plan P with its kernels; Runs: not only sizes are asked for.
template <class P, bool Runs> constexpr compiled_plan plan_with_kernels() {
  const choose_sweep* sweeps = nullptr;
  if constexpr (Runs) sweeps = sweeps_of<P>.of_unit;
  return {codegen::data_of<P>, sweeps, names_of<P>.of_unit, all_step_tables<P, Runs>.at};
}

}  // namespace detail

/// Runs all units of plan P.
template <class P> void run(const launch& l) { cpu::run(detail::plan_with_kernels<P, true>(), l); }

/// Bytes of workspace that a call needs (compiled_plan.hpp). Who asks for no more has no kernels compiled.
template <class P> std::int64_t workspace(const launch& l) {
  return cpu::workspace(detail::plan_with_kernels<P, false>(), l);
}

namespace detail {
template <class P> std::int64_t workspace_of(const void*, const launch& l) { return cpu::workspace<P>(l); }
template <class P> void run_all(const void*, codegen::step_calls& steps) {
  run_steps(plan_with_kernels<P, true>(), steps);
}
}  // namespace detail

}  // namespace stg::cpu
