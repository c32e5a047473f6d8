// Whether a plan keeps the promises stored(x), inlined(x), together(a, b) and apart(a, b), and if not, why.
#pragma once

#include <stg/ir/program.hpp>        // program
#include <stg/ir/decisions.hpp>      // promises
#include <stg/op/list.hpp>           // info_of
#include <stg/analysis/choices.hpp>  // choices_of
#include <stg/analysis/unit.hpp>     // reads_whole_rows
#include <stg/analysis/widths.hpp>   // widths
#include <stg/pass/plan.hpp>         // plan

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
  inlined_rows,     // a product, a reduction or a scan reads it row by row
  width_type,       // stored_as: of other numbers than f32, or of rows narrow already
  width_caller,     // an input or an output: in memory of the caller
  width_source,     // a constant, a degree, an index or a mask is made wherever it is read
  width_graph,      // one for the whole graph
  width_whole,      // a scan, a message, a scattered sum or a sparse product writes or reads its rows
  width_compared,   // a maximum, or what it is compared with
  width_inlined,    // no row of it lies in memory
  paired_edges,     // of a pair, one is a value of edges, which loops compute, or is made wherever it is read
  together_alone,   // a product, a scan and its results have a unit of their own
  together_kinds,   // no unit computes both: one is of the graph, of other vertices or of other edges
  together_order,   // one is needed, or ready, when the other is not
  apart_at_once     // two results of one scan, or one value
};
struct promise_finding {
  refused_promise what = refused_promise::none;
  ir::value_id at = ir::no_value;
  text first{}, second{};  // of a pair: what a message calls its values
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

/// Why the rows of a value are as wide as its numbers, though a word about it says otherwise.
constexpr refused_promise refused_width(const widths& asked, const ir::decision& d) {
  if (ir::width_of(d) == scalar_type::f32) return refused_promise::none;
  switch (asked.reason(d.at)) {
    case kept_wide::no:
      return refused_promise::none;
    case kept_wide::other_type:
      return refused_promise::width_type;
    case kept_wide::input:
    case kept_wide::output:
      return refused_promise::width_caller;
    case kept_wide::made_anew:
      return refused_promise::width_source;
    case kept_wide::of_graph:
      return refused_promise::width_graph;
    case kept_wide::by_steps:
    case kept_wide::read_whole:
      return refused_promise::width_whole;
    case kept_wide::compared:
      return refused_promise::width_compared;
    case kept_wide::inlined:
      return refused_promise::width_inlined;
  }
  return refused_promise::none;
}

/// The first word stored_as about a value of a traced program, or of one that it calls, that cannot be kept, whatever
/// the plan.
constexpr promise_finding find_refused_width(const ir::program& p) {
  if (widths::are_decided(p)) {
    const choices by = choices_of(p);
    const widths asked(p, p.outputs.size(), by);
    for (const ir::decision& d : p.decisions)
      if (d.what == ir::decided::width && d.is_of_values())
        if (const refused_promise why = refused_width(asked, d); why != refused_promise::none) return {why, d.at};
  }
  for (const ir::program& step : p.callees)
    if (const promise_finding found = find_refused_width(step); found.what != refused_promise::none) return found;
  return {};
}

/// Why no unit computes two values that different units compute.
constexpr refused_promise why_not_together(const ir::program& p, ir::value_id a, ir::value_id b) {
  const auto is_alone = [&](ir::value_id i) {
    const op::category kind = op::info_of(p[i].code).kind;
    return kind == op::category::dense || p[i].code == ir::opcode::result;
  };
  if (is_alone(a) || is_alone(b)) return refused_promise::together_alone;
  const auto edges_of = [&](ir::value_id i) {
    return op::info_of(p[i].code).kind == op::category::aggregate
               ? 2 * p.operand(p[i], 0).where.set + (p[i].side() == ir::direction::out)
               : -1;
  };
  const bool is_reduced = op::info_of(p[a].code).kind == op::category::reduction;
  const bool of_other_edges = edges_of(a) >= 0 && edges_of(b) >= 0 && edges_of(a) != edges_of(b);
  return p[a].where != p[b].where || of_other_edges ||
                 is_reduced != (op::info_of(p[b].code).kind == op::category::reduction)
             ? refused_promise::together_kinds
             : refused_promise::together_order;
}
/// The promise about a pair that its plan breaks.
constexpr refused_promise refused(const ir::program& p, const plan& made, const sequence<int>& unit_of,
                                  const ir::decision& d) {
  const ir::value_id a = root_of(p, d.at), b = root_of(p, d.other);
  const bool is_apart = d.what == ir::decided::apart;
  const auto is_made_by_readers = [&](ir::value_id i) {
    if (is_apart && p[i].code == ir::opcode::input) return false;  // nobody computes it
    return op::info_of(p[i].code).kind == op::category::source ||
           (p[i].where == ir::space::edge && !reads_whole_rows(p[i]) && p[i].code != ir::opcode::result);
  };
  if (is_made_by_readers(a) || is_made_by_readers(b)) return refused_promise::paired_edges;
  const int u = unit_of[a], v = unit_of[b];
  if (!is_apart) return u >= 0 && u == v ? refused_promise::none : why_not_together(p, a, b);
  const bool meet = u >= 0 && v >= 0 && made.chain_of(u) == made.chain_of(v);
  return meet ? refused_promise::apart_at_once : refused_promise::none;
}

/// The name that a lambda gave a value, or else its operation.
constexpr text word_of_value(const ir::program& p, ir::value_id at) {
  for (const ir::label& l : p.names)
    if (l.at == at) return l.name;
  return text(ir::name_of(p[at].code));
}

/// The first broken promise of a planned program.
constexpr promise_finding find_refused(const ir::program& p, const plan& made) {
  const ir::promises says(p);
  if (!says.any()) return {};
  const sequence<int> unit_of = units_of_values(p, made);
  for (const ir::decision& d : p.decisions) {
    refused_promise why = refused_promise::none;
    if (ir::promises::is_promise(d)) why = refused(p, made, says, d.at);
    else if (ir::is_of_pairs(d.what)) why = refused(p, made, unit_of, d);
    if (why == refused_promise::none) continue;
    if (d.whom != ir::decided_of::pair) return {why, d.at};
    return {why, d.at, word_of_value(p, d.at), word_of_value(p, d.other)};
  }
  return {};
}

}  // namespace stg::pass
