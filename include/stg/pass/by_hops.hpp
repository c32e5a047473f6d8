// by_hops: a program over a graph as one over the hops of a sample, each of which computes its own rows alone.
//
// A vertex value is needed at the seeds, if the outputs ask for it; at all vertices one hop away, if an edge of a seed
// reads it; and so on. The program determines how many hops away. So each statement gets the vertex set of its hop
// (ir/block_kind.hpp), edge values the relation between two such sets, and any backend for programs over several sets
// runs it: rows of a hop are the first ones of the next, and an input's rows for one hop lie at the beginning of its
// rows for the other. The gradient is made of this program, and so knows the rows of its cotangents.
//
//   vertex values      are computed once, for the largest set that reads them; smaller ones read their rows of it
//                      along a relation that leads each vertex to itself, whose gradient adds nothing to the others
//   sources and truths are had again in each set: an input lies there, a mask draws by the vertex's global id
//   edge values        are computed again for each hop that reads them, as in every loop
//   reductions         go over the rows of the hop that reads them: a loss over the seeds, the mean of a batch norm
//                      over the rows that it normalises. One read by several hops goes over the rows of the furthest,
//                      and so do outputs made of it, such as running statistics
//   numbers of rows    belong to the hop of the reduction that they divide
//   degrees            come from the sample where a hop looked into a vertex, from the large graph elsewhere
//
// Runs on a canonical program that calls none and is without mistakes (block_mistake_in), before its gradient is made.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>          // sequence
#include <stg/ir/attachments.hpp>         // carry_names
#include <stg/ir/callees.hpp>             // take_extents, arguments_of, emit_arguments, callee_number
#include <stg/ir/program.hpp>             // program
#include <stg/op/list.hpp>                // info_of
#include <stg/analysis/effects.hpp>       // may_repeat
#include <stg/pass/aggregate_first.hpp>   // aggregate_first
#include <stg/pass/dce.hpp>               // dce
#include <stg/pass/expand.hpp>            // expand
#include <stg/pass/gradient_by_hops.hpp>  // gradient_by_hops
#include <stg/pass/hop_kinds.hpp>         // hop_kinds, program_by_hops
#include <stg/pass/inference.hpp>         // inference
#include <stg/pass/inline.hpp>            // inline_calls
#include <stg/pass/write_steps.hpp>       // write_steps

namespace stg::pass {

/// Prepares a program for hops: called programs are written in the places of their calls, and scans step by step, since
/// every step reads other rows. If no gradient is made, gradients of layers' own are gone, and so is work for training
/// alone, such as the means of a batch norm. Rows are summed before they are multiplied, unless this makes them wider:
/// a hop has a few of the rows of the next.
constexpr ir::program written_for_hops(const ir::program& p, bool has_gradient = true) {
  if (p.callees.empty() && has_gradient) return dce(aggregate_first(p, {}, same_width::of_all));
  if (p.callees.empty()) return dce(aggregate_first(dce(inference(p)), {}, same_width::of_all));
  ir::program q = write_steps(inline_calls(p), most_hops);
  if (!has_gradient) q = expand(inference(q));
  return dce(aggregate_first(dce(q), {}, same_width::of_all));  // the arguments of calls are used no more
}

namespace detail {

class hop_writer {
 public:
  constexpr hop_writer(const ir::program& of, const sequence<int>& required_entries)
      : p(of),
        required(required_entries),
        of_rows(of.size()),
        wanted(of.size()),
        made(of.size() * hop_sets),
        kinds(of, to) {}

  constexpr program_by_hops run() {
    find_what_is_of_rows();
    ask_of_outputs();
    for (ir::value_id i = p.size() - 1; i >= 0; --i) ask_of_operands(i);
    ask_of_counts();
    to.program = ir::blank_like(p);
    to.program.kinds = {};
    to.program.callees = {};
    for (ir::value_id i = 0; i < p.size(); ++i) write(i);
    attach();
    for (ir::program& gradient : to.program.callees) ir::take_extents(gradient, to.program);
    return to;
  }

 private:
  // ---- values of the graph that are of a hop's rows ----

  /// A value of the graph follows from nothing of a hop, from how many rows it has, or from the rows.
  enum follows : int { from_nothing, from_count, from_rows };

  constexpr void find_what_is_of_rows() {
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const ir::statement& s = p[i];
      int from = from_nothing;
      const bool is_opaque = ir::is_part_of_scan(s.code) || s.code == ir::opcode::result;
      if (s.where == ir::space::graph && !is_opaque) {
        for (int k = 0; k < s.arity(); ++k) from = from < of_rows[s.operands[k]] ? of_rows[s.operands[k]] : from;
        if (s.code == ir::opcode::vertex_count) from = from_count;
        if (op::info_of(s.code).kind == op::category::reduction) from = from_rows;
      }
      of_rows[i] = from;
    }
  }
  /// Hops ask for a count before its own hop is known: this one stands for them.
  static constexpr hop_set some_hop = only_hop(all_vertices_hop);

  /// The hops of a value of the graph: one for reductions of its rows, the furthest that asks.
  constexpr void ask_of_graph_value(ir::value_id i) {
    const ir::statement& s = p[i];
    if (of_rows[i] == from_nothing) wanted[i] = only_hop(0);
    if (of_rows[i] == from_rows) wanted[i] = only_hop(largest_hop(wanted[i]));
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id x = s.operands[k];
      wanted[x] |= of_rows[x] == from_count ? some_hop : of_rows[i] == from_count ? only_hop(0) : wanted[i];
    }
  }
  /// A number of rows counts the rows of the reductions beside it; outputs may have asked for it as well.
  constexpr void ask_of_counts() {
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (of_rows[i] != from_rows || wanted[i] == 0) continue;
      for (int k = 0; k < p[i].arity(); ++k) {
        const ir::value_id x = p[i].operands[k];
        if (of_rows[x] == from_rows && wanted[i] < wanted[x]) wanted[i] = wanted[x];
      }
    }
    for (ir::value_id i = p.size() - 1; i >= 0; --i) {
      if (of_rows[i] == from_count) wanted[i] &= ~some_hop;
      if (of_rows[i] == from_nothing) continue;
      for (int k = 0; k < p[i].arity(); ++k)
        if (of_rows[p[i].operands[k]] == from_count) wanted[p[i].operands[k]] |= wanted[i];
    }
  }

  // ---- hops that ask for a value ----

  constexpr void ask_of_outputs() {
    for (const ir::output& o : p.outputs) wanted[o.at] |= only_hop(0);
  }
  constexpr bool is_own(ir::value_id i) const { return p[i].code == ir::opcode::own_gradient; }
  /// Whether each set that reads a value has it anew.
  constexpr bool is_had_again(ir::value_id i) const {
    const ir::statement& s = p[i];
    if (is_computed_for_each(s)) return true;
    return op::info_of(s.code).kind == op::category::source && !gets_gradient(s);
  }
  constexpr bool gets_gradient(const ir::statement& s) const {
    if (s.code != ir::opcode::input) return false;
    for (const int entry : required)
      if (entry == s.entry()) return true;
    return false;
  }
  /// Values in memory for all vertices together: gradients of inputs, and rows of sparse ones.
  constexpr bool is_of_all(ir::value_id i) const {
    const ir::statement& s = p[i];
    return s.where == ir::space::vertex && (gets_gradient(s) || ir::is_sparse_product(s));
  }
  /// The hops in which a value is computed: the largest set that asks for it, if it is not had again. A value with a
  /// gradient of its own is at the hops of this gradient.
  constexpr hop_set computed_in(ir::value_id i) const {
    if (p[i].code == ir::opcode::result) return p[i].where == ir::space::graph ? only_hop(0) : wanted[p[i].operands[0]];
    return p[i].where == ir::space::graph || is_had_again(i) ? wanted[i] : only_hop(largest_hop(wanted[i]));
  }
  constexpr void ask_of_operands(ir::value_id i) {
    const ir::statement& s = p[i];
    if (wanted[i] == 0) return;
    if (s.code == ir::opcode::result) {
      wanted[s.operands[0]] |= s.where == ir::space::graph ? only_hop(0) : wanted[i];
      return;
    }
    if (is_own(i)) return ask_of_own(i);
    if (s.where == ir::space::graph) return ask_of_graph_value(i);
    if (is_of_all(i)) wanted[i] |= only_hop(all_vertices_hop);
    for_each_hop(computed_in(i), [&](int hop) {
      for (int k = 0; k < s.arity(); ++k) wanted[s.operands[k]] |= only_hop(read_at(s, hop));
      if (s.where == ir::space::edge && to.hops <= hop) to.hops = hop + 1;
    });
  }
  /// Values with a gradient of their own are had as other values are: all of one statement together. Sets wanted to
  /// their hops.
  constexpr void ask_of_own(ir::value_id i) {
    bool again = false;
    for (ir::value_id r = i + 1; r < p.size(); ++r) again = again || (is_result_of(r, i) && is_had_again(r));
    if (!again) wanted[i] = only_hop(largest_hop(wanted[i]));
    else if (ir::has_callee(p[i]) && (wanted[i] & (wanted[i] - 1)) != 0)  // each hop has a part of the cotangents
      to.splits_cotangents =
          to.splits_cotangents || !is_linear_gradient(p.callees[p[i].callee()], cotangents_of(p, p[i]));
    for (ir::value_id r = i + 1; r < p.size(); ++r)
      if (is_result_of(r, i) && p[r].where != ir::space::graph) wanted[r] |= wanted[i];
    const sequence<ir::value_id> list = ir::arguments_of(p, p[i]);
    for_each_hop(wanted[i], [&](int hop) {
      const gradient_by_hops gradient(p, i, hop);
      for (const hop_value& v : gradient.reads()) wanted[list[v.at]] |= only_hop(v.hop);
      if (to.hops < gradient.hops()) to.hops = gradient.hops();
    });
  }
  constexpr bool is_result_of(ir::value_id r, ir::value_id own) const {
    return p[r].code == ir::opcode::result && p[r].operands[0] == own && wanted[r] != 0;
  }

  // ---- writing ----

  /// A value at a hop, plus 1; 0 if it is not there.
  constexpr int& made_at(ir::value_id i, int hop) { return made[i * hop_sets + hop]; }
  constexpr ir::value_id at(ir::value_id i, int hop) const {
    const bool has_one_hop = p[i].where == ir::space::graph && !is_own(i) && of_rows[i] != from_count;
    return made[i * hop_sets + (has_one_hop ? largest_hop(wanted[i]) : hop)] - 1;
  }

  constexpr void write(ir::value_id i) {
    if (wanted[i] == 0) return;
    const hop_set computed = computed_in(i);
    for_each_hop(computed, [&](int hop) { made_at(i, hop) = (is_own(i) ? write_own(i, hop) : write_at(i, hop)) + 1; });
    for_each_hop(wanted[i] & ~computed, [&](int hop) { made_at(i, hop) = rows_of(i, hop) + 1; });
  }
  constexpr ir::value_id write_at(ir::value_id i, int hop) {
    ir::statement s = p[i];
    if (s.code == ir::opcode::result && s.where == ir::space::graph) hop = largest_hop(wanted[s.operands[0]]);
    for (int k = 0; k < s.arity(); ++k) s.operands[k] = at(s.operands[k], read_at(s, hop));
    kinds.place(s, hop);
    if (s.code == ir::opcode::input && s.where != ir::space::graph) s.set_entry(entry_for(i, hop, s.entry()));
    return to.program.emit(s);
  }
  /// The list of a statement with a gradient of its own, and this gradient, at a hop.
  constexpr ir::value_id write_own(ir::value_id i, int hop) {
    const gradient_by_hops gradient(p, i, hop);
    const sequence<ir::value_id> list = ir::arguments_of(p, p[i]);
    sequence<ir::value_id> values;
    for (const hop_value& v : gradient.reads()) values.push_back(at(list[v.at], v.hop));
    ir::statement s = p[i];
    s.operands[0] = ir::emit_arguments(to.program, values);
    if (ir::has_callee(s)) s.set_callee(ir::callee_number(to.program, gradient.write(kinds)));
    return to.program.emit(s);
  }
  /// An input keeps its entry at its first read, in the largest set.
  constexpr std::int64_t entry_for(ir::value_id i, int hop, std::int64_t entry) {
    if (hop == largest_hop(wanted[i])) return entry;
    ir::input in = to.program.inputs[static_cast<int>(entry)];
    in.name = text();
    in.trainable = false;
    to.program.inputs.push_back(in);
    to.again.push_back(static_cast<int>(entry));
    return to.program.inputs.size() - 1;
  }
  /// A set's rows of a value of a larger one.
  constexpr ir::value_id rows_of(ir::value_id i, int hop) {
    const int from = largest_hop(wanted[i]);
    return kinds.rows_of(to.program, at(i, from), p[i].where.set, from, hop);
  }

  /// Outputs are of the seeds. Conditions on labels were checked when they were bound.
  constexpr void attach() {
    sequence<ir::value_id> computed(p.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (wanted[i] != 0) computed[i] = at(i, largest_hop(wanted[i]));
    for (const ir::output& o : p.outputs) to.program.outputs.push_back(ir::output{at(o.at, 0), o.name});
    ir::carry_names(p, to.program, computed);
    ir::carry_decisions(p, to.program, computed, [](const ir::decision& d) { return d.what == ir::decided::keep; });
    for (const ir::decision& d : p.decisions) {
      if (d.what == ir::decided::width && d.is_of_values())
        for_each_hop(wanted[d.at], [&](int hop) { to.program.decide(ir::of_value(d.what, at(d.at, hop), d.number)); });
      if (d.what == ir::decided::apart && p[d.at].where != ir::space::graph && p[d.other].where != ir::space::graph)
        for_each_hop(wanted[d.at] & wanted[d.other],
                     [&](int hop) { to.program.decide(ir::of_pair(d.what, at(d.at, hop), at(d.other, hop))); });
    }
  }

  const ir::program& p;
  const sequence<int>& required;
  sequence<int> of_rows;     // by statement: the origin of its value
  sequence<hop_set> wanted;  // by statement
  sequence<int> made;        // by statement and hop
  program_by_hops to{};
  hop_kinds kinds;
};

}  // namespace detail

/// p: with its calls written, and without mistakes. `required`: entries of the inputs that get a gradient.
constexpr program_by_hops by_hops(const ir::program& p, const sequence<int>& required) {
  return detail::hop_writer(p, required).run();
}

/// The first mistake of such a program. `required`: entries of the inputs that get a gradient.
constexpr block_mistake block_mistake_in(const ir::program& p, const sequence<int>& required) {
  sequence<int> hops;  // from a value to what it reads
  bool may_split = false;
  for (const ir::statement& s : p.statements) {
    const op::category kind = op::info_of(s.code).kind;
    int away = 0;
    for (int k = 0; k < s.arity(); ++k) away = away < hops[s.operands[k]] ? hops[s.operands[k]] : away;
    hops.push_back(detail::read_at(s, away));
    if (hops.back() > most_hops) return block_mistake::reads_too_far;
    if (ir::is_scan(s.code) || s.is_sequence()) return block_mistake::repeats;
    if (!may_repeat(s.code)) return block_mistake::meets_ranks;
    if (s.code == ir::opcode::own_gradient && ir::has_callee(s)) {
      const block_mistake inside = detail::mistake_in_gradient(p, s);
      if (inside != block_mistake::none) return inside;
      may_split = may_split || !detail::is_linear_gradient(p.callees[s.callee()], detail::cotangents_of(p, s));
    }
    if (detail::reads_out_edges(p, s)) return block_mistake::reads_out_edges;
    if (kind == op::category::reduction && !s.is_over_batch()) return block_mistake::reduces_the_graph;
    if (s.code == ir::opcode::vertex_count && !s.is_over_batch()) return block_mistake::counts_the_graph;
    if (s.code == ir::opcode::vertex_index || s.code == ir::opcode::edge_index) return block_mistake::counts_the_graph;
    if (s.code != ir::opcode::input || s.where != ir::space::edge) continue;
    for (const int entry : required)
      if (entry == s.entry()) return block_mistake::differentiates_edges;
  }
  if (may_split && by_hops(p, required).splits_cotangents) return block_mistake::splits_cotangents;
  return block_mistake::none;
}

}  // namespace stg::pass
