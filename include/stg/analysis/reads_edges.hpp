// The parts of a program that read edges: they need their step's graph if the graph changes from step to step, and some
// have none.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program

namespace stg::pass {

/// Whether a statement cannot be made without a graph's edges: it lives on them, or counts them.
constexpr bool reads_edges(const ir::statement& s) {
  return s.where == ir::space::edge || s.code == ir::opcode::degree;
}

/// Whether any statement of a program, or of the programs it calls, reads edges.
constexpr bool reads_edges(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if (reads_edges(s)) return true;
  for (const ir::program& c : p.callees)
    if (reads_edges(c)) return true;
  return false;
}
/// Whether a program has values of edges itself, apart from the programs it calls: passes over aggregates and gathers
/// have nothing to do without them.
constexpr bool has_edges(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if (s.where == ir::space::edge) return true;
  return false;
}
/// Of a frozen program, which holds its called programs behind itself.
template <class Frozen>
  requires requires { typename Frozen::called_type; }
constexpr bool reads_edges(const Frozen& p) {
  for (int i = 0; i < Frozen::size; ++i)
    if (reads_edges(p.statements[i])) return true;
  if constexpr (Frozen::called_type::room.statements > 0)
    for (int i = 0; i < Frozen::called_type::room.statements; ++i)
      if (reads_edges(p.called.statements[i])) return true;
  return false;
}

/// Why a program cannot be called with a graph for each step of its scans.
enum class graph_mistake : int {
  none,
  outside_of_scans,    // edges are read in no scan, so no step owns them
  same_at_every_step,  // a feature of edges; the edges change at each step
  within_a_step        // values of all steps' edges are read as a whole, in a step with one graph
};

/// A call with a graph for each step: the mistake, or the numbers of steps of the scans that see a graph each. These
/// scans read edges and lie in no other; scans within one see its step's graph.
struct step_graph_readings {
  graph_mistake wrong = graph_mistake::none;
  sequence<ir::extent> steps{};
};

constexpr step_graph_readings readings_of_step_graphs(const ir::program& p) {
  step_graph_readings found;
  for (const ir::statement& s : p.statements) {
    if (reads_edges(s) && !s.is_sequence()) {
      const bool is_feature = s.code == ir::opcode::input;
      if (found.wrong == graph_mistake::none || is_feature)
        found.wrong = is_feature ? graph_mistake::same_at_every_step : graph_mistake::outside_of_scans;
    }
    if (!ir::is_scan(s.code)) continue;
    const ir::program& step = p.callees[s.callee()];
    if (!reads_edges(step)) continue;
    bool is_known = false;
    for (const ir::extent known : found.steps) is_known = is_known || known == s.over;
    if (!is_known) found.steps.push_back(s.over);
    for (const ir::statement& in : step.statements)
      if (in.code == ir::opcode::input && in.where == ir::space::edge && in.is_sequence() &&
          found.wrong == graph_mistake::none)
        found.wrong = graph_mistake::within_a_step;
  }
  return found;
}

}  // namespace stg::pass
