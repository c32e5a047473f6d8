// Launching the units of a plan one after the other, and the workspace that they need.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // integer_sequence

#include <stg/codegen/cpu/chain.hpp>  // run_chain
#include <stg/codegen/cpu/sweep.hpp>  // run_sweep, sweep_workspace, run_graph
#include <stg/codegen/cpu/whole.hpp>  // run_whole_steps

namespace stg::cpu {

namespace detail {

template <class P, int Unit> void run_unit(const launch& l) {
  constexpr pass::unit_kind kind = P::plan.units[Unit].kind;
  constexpr int chained = P::plan.units[Unit].chained;
  if constexpr (chained > 1) run_chain<P, Unit>(l);
  else if constexpr (chained == 0) return;  // runs in an earlier unit's chain
  else if constexpr (kind == pass::unit_kind::sweep) run_sweep<P, Unit>(l);
  else if constexpr (kind == pass::unit_kind::graph) run_graph<P, Unit>(l);
  else run_whole_steps<P, Unit>(l, steps_of<P, Unit>);
}
template <class P, int Unit> std::int64_t unit_workspace(const launch& l) {
  constexpr pass::unit_kind kind = P::plan.units[Unit].kind;
  constexpr int chained = P::plan.units[Unit].chained;
  if constexpr (chained > 1) return chain_layout<P, Unit>(l).bytes(l);
  else if constexpr (chained == 0) return 0;
  else if constexpr (kind == pass::unit_kind::sweep) return sweep_workspace<P, Unit>(l);
  else if constexpr (kind == pass::unit_kind::graph) return scratch_layout<P>(Unit, l.extents).sizes.bytes;
  else return whole_steps_workspace<P, Unit>(l, steps_of<P, Unit>);
}

template <class P, int... Unit> void run_units(const launch& l, std::integer_sequence<int, Unit...>) {
  (run_unit<P, Unit>(l), ...);
}
template <class P, int... Unit> std::int64_t units_workspace(const launch& l, std::integer_sequence<int, Unit...>) {
  std::int64_t most = 0, n = 0;
  ((n = unit_workspace<P, Unit>(l), most = most < n ? n : most), ...);
  return most;
}

}  // namespace detail

/// Runs all units of plan P.
template <class P> void run(const launch& l) {
  detail::run_units<P>(l, std::make_integer_sequence<int, P::plan.unit_count>());
}

/// Bytes of workspace that a call with these sizes needs: of the launch only vertices, edges, extents and threads are
/// read.
template <class P> std::int64_t workspace(const launch& l) {
  return detail::units_workspace<P>(l, std::make_integer_sequence<int, P::plan.unit_count>());
}

}  // namespace stg::cpu
