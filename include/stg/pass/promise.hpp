// Whether a plan keeps the promises stored(x) and inlined(x), and if not, why.
#pragma once

#include <stg/ir/program.hpp>     // program
#include <stg/ir/promise.hpp>     // promises
#include <stg/op/list.hpp>        // info_of
#include <stg/analysis/unit.hpp>  // reads_whole_rows
#include <stg/pass/plan.hpp>      // plan

namespace stg::pass {

/// Why a promise is refused.
enum class refused_promise : int {
  none,
  both,             // stored and inlined
  stored_per_edge,  // loops over edges compute their operands
  stored_source,    // a constant, a degree, an index or a mask is made wherever it is read
  inlined_output,   // or an input: in memory of the caller
  inlined_graph,    // a value of the graph is computed once
  inlined_work,     // a product, a sum over edges or vertices, a scan: made once, for others to read
  inlined_rows      // a product, a reduction or a scan reads it row by row
};
struct promise_finding {
  refused_promise what = refused_promise::none;
  ir::value_id at = ir::no_value;
  constexpr bool operator==(const promise_finding&) const = default;
};

/// The promise about one value that its plan breaks; an inlined value has no rows in memory, not even a block's in a
/// chain.
constexpr refused_promise refused(const ir::program& p, const plan& made, const ir::promises& says, ir::value_id i) {
  const ir::value_id root = root_of(p, i);
  const ir::statement& s = p[root];
  const op::category kind = op::info_of(s.code).kind;
  if (says.is_stored(i) && says.is_inlined(i)) return refused_promise::both;
  if (says.is_stored(i) && s.code != ir::opcode::input) {
    if (kind == op::category::source) return refused_promise::stored_source;
    if (s.where == ir::space::edge && !reads_whole_rows(s)) return refused_promise::stored_per_edge;
  }
  if (!says.is_inlined(i) || (!made.stored[root] && s.code != ir::opcode::input)) return refused_promise::none;
  for (const ir::output& o : p.outputs)
    if (root_of(p, o.at) == root) return refused_promise::inlined_output;
  if (s.code == ir::opcode::input) return refused_promise::inlined_output;
  if (s.where == ir::space::graph) return refused_promise::inlined_graph;
  const bool is_chain = kind == op::category::pointwise || kind == op::category::feature;
  return is_chain ? refused_promise::inlined_rows : refused_promise::inlined_work;
}

/// The first broken promise of a planned program.
constexpr promise_finding find_refused(const ir::program& p, const plan& made) {
  const ir::promises says(p);
  if (!says.any()) return {};
  for (const ir::tag& t : p.tags)
    if (const refused_promise why = t.is_promise() ? refused(p, made, says, t.at) : refused_promise::none;
        why != refused_promise::none)
      return {why, t.at};
  return {};
}

}  // namespace stg::pass
