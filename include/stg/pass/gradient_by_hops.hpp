// gradient_by_hops: the gradient that a layer was given with (op/own_gradient.hpp), as a program over the hops of a
// sample.
//
// A layer with results of hop h reads its values there and further out, and its gradient goes the same way back: a
// cotangent has the rows of hop h, its sums along out-edges have the rows of hop h + 1. Rows beyond have a cotangent of
// 0 in the full graph, so that every value made of it is 0 there, too; where two of them meet, the one of fewer rows is
// filled up. A value made of no cotangent is had in each hop that reads it. by_hops.hpp asks for the values read and
// their hops, gives them, and writes the program.
#pragma once

#include <stg/base/sequence.hpp>   // sequence
#include <stg/ir/callees.hpp>      // arguments_of
#include <stg/ir/program.hpp>      // program
#include <stg/op/list.hpp>         // info_of
#include <stg/pass/hop_kinds.hpp>  // hop_kinds, hop_set

namespace stg::pass {

namespace detail {

/// A value at a hop: of a program, or of a list.
struct hop_value {
  int at = 0, hop = 0;
  constexpr bool operator==(const hop_value&) const = default;
};

/// The hop at which a statement of a hop reads an operand.
constexpr int read_at(const ir::statement& s, int hop) { return s.code == ir::opcode::gather_src ? hop + 1 : hop; }
constexpr bool goes_out(const ir::statement& s) {
  return op::info_of(s.code).kind == op::category::aggregate && s.side() == ir::direction::out;
}
/// Whether a value costs no memory of its own at its readers: it is computed for each set that reads it.
constexpr bool is_computed_for_each(const ir::statement& s) {
  return s.where == ir::space::edge || s.type == scalar_type::boolean || is_storage(s.type);
}

/// The reader's hop decides where an operand lives.
constexpr bool reads_out_edges(const ir::program& p, const ir::statement& s) {
  if (s.code == ir::opcode::degree) return s.side() == ir::direction::out;
  return goes_out(s) && p.operand(s, 0).where == ir::space::edge;
}

/// As many cotangents as the gradient of a statement's values takes.
constexpr int cotangents_of(const ir::program& p, const ir::statement& own) {
  const sequence<ir::value_id> list = ir::arguments_of(p, own);
  int count = 0;
  for (int k = 0; k < own.outputs(); ++k) count += is_differentiable(p[list[k]].type);
  return count;
}

inline constexpr int no_cotangent = -1;

/// The hop of the rows of each value that a gradient makes of cotangents, if these have rows of `hop`. A value of the
/// graph, read from anywhere, says nothing of rows.
constexpr sequence<int> rows_of_cotangents(const ir::program& gradient, int cotangents, int hop) {
  sequence<int> rows(gradient.size(), no_cotangent);
  for (ir::value_id i = 0; i < gradient.size(); ++i) {
    const ir::statement& s = gradient[i];
    if (s.code == ir::opcode::input && s.entry() < cotangents) rows[i] = hop;
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id x = s.operands[k];
      const bool is_read_everywhere = gradient[x].where == ir::space::graph && s.where != ir::space::graph;
      if (!is_read_everywhere && rows[i] < rows[x]) rows[i] = rows[x];
    }
    if (goes_out(s) && rows[i] != no_cotangent) ++rows[i];
  }
  return rows;
}

/// The first mistake of the gradient that a statement of a program brings. Sums of cotangents go over the rows with a
/// cotangent, also over all vertices and along out-edges; no other reduction does.
constexpr block_mistake mistake_in_gradient(const ir::program& p, const ir::statement& own) {
  const ir::program& g = p.callees[own.callee()];
  const sequence<int> rows = rows_of_cotangents(g, cotangents_of(p, own), 0);
  for (ir::value_id i = 0; i < g.size(); ++i) {
    const ir::statement& s = g[i];
    const bool is_of_cotangents = rows[i] != no_cotangent;
    if (op::info_of(s.code).kind == op::category::call) return block_mistake::repeats;
    if (s.code == ir::opcode::gather_src && is_of_cotangents) return block_mistake::spreads_cotangents;
    for (int k = 0; k < s.arity() && is_of_cotangents && s.where == ir::space::edge; ++k) {
      const ir::value_id x = s.operands[k];  // edges beyond the rows with a cotangent have none to add to
      if (g[x].where == ir::space::edge && rows[x] != no_cotangent && rows[x] != rows[i])
        return block_mistake::spreads_cotangents;
    }
    if (reads_out_edges(g, s) && !(is_of_cotangents && s.code == ir::opcode::sum_edges))
      return block_mistake::reads_out_edges;
    if (s.code == ir::opcode::vertex_count || s.code == ir::opcode::vertex_index || s.code == ir::opcode::edge_index)
      return block_mistake::counts_the_graph;
    const bool reduces = s.where == ir::space::graph && s.arity() > 0 && !(g.operand(s, 0).where == ir::space::graph);
    if (reduces && (!is_of_cotangents || s.code == ir::opcode::max_vertices)) return block_mistake::reduces_the_graph;
  }
  return block_mistake::none;
}

/// Whether a statement keeps sums of cotangents sums.
constexpr bool is_linear(const ir::program& g, const ir::statement& s, const sequence<int>& rows) {
  int first = 0, count = 0;  // of its operands made of cotangents
  for (int k = s.arity() - 1; k >= 0; --k)
    if (rows[s.operands[k]] != no_cotangent) first = k, ++count;
  const bool all = count == s.arity();
  const op::movement moves = op::info_of(s.code).moves;
  switch (s.code) {
    using enum ir::opcode;
    case input:
      return true;
    case add:
    case sub:
      return all;
    case cast:
      return is_real(s.type) && is_real(g.operand(s, 0).type);
    case mul:
    case reduced_matmul:
      return count == 1;
    case div:
    case matmul:
    case scatter_sum:
      return count == 1 && first == 0;
    case select:
      return count == 2 && first == 1;
    case negate:
    case broadcast_to:
    case reduce_sum:
    case gather_src:
    case gather_dst:
    case sum_edges:
    case sum_vertices:
      return true;
    default:
      return moves != op::movement::none && (op::goes_by_label(moves) ? count == 1 && first == 0 : all);
  }
}
/// Whether a gradient is linear in its cotangents, so that they may come in parts.
constexpr bool is_linear_gradient(const ir::program& g, int cotangents) {
  sequence<int> rows = rows_of_cotangents(g, cotangents, 0);
  for (ir::value_id i = 0; i < g.size(); ++i)  // a value read from anywhere brings them as well
    for (int k = 0; k < g[i].arity(); ++k)
      if (rows[g[i].operands[k]] != no_cotangent && rows[i] == no_cotangent) rows[i] = 0;
  for (ir::value_id i = 0; i < g.size(); ++i)
    if (rows[i] != no_cotangent && !is_linear(g, g[i], rows)) return false;
  for (const ir::output& o : g.outputs) {
    ir::value_id at = o.at;
    while (g[at].code == ir::opcode::broadcast_to) at = g[at].operands[0];
    if (rows[o.at] == no_cotangent && !(g[at].code == ir::opcode::constant && g[at].value() == 0)) return false;
  }
  return true;
}

class gradient_by_hops {
 public:
  /// own: a statement of p with results of this hop.
  constexpr gradient_by_hops(const ir::program& of, ir::value_id own, int at_hop) : hop(at_hop) {
    const sequence<ir::value_id> list = ir::arguments_of(of, of[own]);
    results = of[own].outputs();
    for (int k = 0; k < results; ++k) read.push_back({k, hop});
    if (!ir::has_callee(of[own])) {
      read.push_back({results, hop});
      return;
    }
    g = &of.callees[of[own].callee()];
    cotangents = cotangents_of(of, of[own]);
    for (int k = results; k < list.size(); ++k)
      if (is_differentiable(of[list[k]].type)) real.push_back(k - results);
    given = list.size() - results;
    made_of = rows_of_cotangents(*g, cotangents, hop);
    ask();
    list_reads();
  }

  /// The values for the statement's list: a place of the original list, at a hop.
  constexpr const sequence<hop_value>& reads() const { return read; }
  /// How many hops away it reads edges.
  constexpr int hops() const { return furthest; }

  constexpr ir::program write(hop_kinds& kinds) const {
    ir::program q;
    q.extents = g->extents;
    ir::take_scopes(q, *g);
    for (int e = 0; e < cotangents; ++e) q.inputs.push_back(g->inputs[e]);
    for (int k = results; k < read.size(); ++k)  // a value read at several hops has its name once
      q.inputs.push_back(k < results + given ? g->inputs[cotangents + read[k].at - results] : ir::input());
    sequence<int> made(g->size() * hop_sets);
    for (ir::value_id i = 0; i < g->size(); ++i) {
      if (wanted[i] == 0) continue;
      const hop_set computed = computed_in(i);
      const auto put = [&](int at, ir::value_id value) { made[i * hop_sets + at] = value + 1; };
      const auto value_at = [&](ir::value_id x, int at) {
        return made[x * hop_sets + ((*g)[x].where == ir::space::graph ? 0 : at)] - 1;
      };
      for_each_hop(computed, [&](int at) {
        ir::statement s = (*g)[i];
        for (int k = 0; k < s.arity(); ++k) s.operands[k] = value_at(s.operands[k], operand_hop(i, at));
        kinds.place(s, at);
        if (s.code == ir::opcode::input) s.set_entry(entry_at(s.entry(), at, s));
        put(at, q.emit(s));
      });
      for_each_hop(wanted[i] & ~computed, [&](int at) {
        put(at, kinds.rows_of(q, value_at(i, made_of[i]), (*g)[i].where.set, made_of[i], at));
      });
    }
    for (int k = 0; k < g->outputs.size(); ++k) {
      const ir::value_id of = g->outputs[k].at;
      const int at = (*g)[of].where == ir::space::graph ? 0 : output_hop(k);
      q.outputs.push_back(ir::output{made[of * hop_sets + at] - 1, g->outputs[k].name});
    }
    return q;
  }

 private:
  /// Vertex values made of cotangents lie in memory once.
  constexpr bool is_had_once(ir::value_id i) const {
    return (*g)[i].where == ir::space::vertex && made_of[i] != no_cotangent && !is_computed_for_each((*g)[i]);
  }
  constexpr hop_set computed_in(ir::value_id i) const { return is_had_once(i) ? only_hop(made_of[i]) : wanted[i]; }
  constexpr int operand_hop(ir::value_id i, int at) const {
    const ir::statement& s = (*g)[i];
    if (s.where == ir::space::graph) return made_of[i] == no_cotangent ? 0 : made_of[i];  // of a reduction
    return goes_out(s) ? at - 1 : read_at(s, at);
  }
  /// The hop of the rows of the k-th gradient.
  constexpr int output_hop(int k) const {
    const int at = made_of[g->outputs[k].at];
    return at == no_cotangent ? hop : at;
  }

  constexpr void ask() {
    wanted = sequence<hop_set>(g->size());
    for (int k = 0; k < g->outputs.size(); ++k) {
      const ir::value_id of = g->outputs[k].at;
      wanted[of] |= only_hop((*g)[of].where == ir::space::graph ? 0 : output_hop(k));
    }
    for (ir::value_id i = g->size() - 1; i >= 0; --i) {
      const ir::statement& s = (*g)[i];
      if (wanted[i] == 0) continue;
      if (s.where == ir::space::graph) wanted[i] = only_hop(0);
      if (is_had_once(i)) wanted[i] |= only_hop(made_of[i]);
      for_each_hop(computed_in(i), [&](int at) {
        for (int k = 0; k < s.arity(); ++k) {
          const ir::value_id x = s.operands[k];
          wanted[x] |= only_hop((*g)[x].where == ir::space::graph ? 0 : operand_hop(i, at));
        }
        if (s.where == ir::space::edge && furthest <= at) furthest = at + 1;
      });
    }
  }
  /// First each given value, in its place: its gradient comes back there.
  constexpr void list_reads() {
    const int first = read.size();
    for (int k = 0; k < given; ++k) read.push_back({results + k, hop});
    for (int k = 0; k < g->outputs.size(); ++k) read[first + real[k]].hop = output_hop(k);
    sequence<int> placed(given, 0);
    for (int k = 0; k < g->outputs.size(); ++k) placed[real[k]] = 1;
    for (ir::value_id i = 0; i < g->size(); ++i) {
      const ir::statement& s = (*g)[i];
      if (s.code != ir::opcode::input || s.entry() < cotangents || s.where == ir::space::graph) continue;
      const int k = s.entry() - cotangents;
      for_each_hop(wanted[i], [&](int at) {
        if (placed[k] == 0) read[first + k].hop = at;
        placed[k] = 1;
        if (read[first + k].hop != at) read.push_back({results + k, at});
      });
    }
  }
  /// The entry of a given value, at a hop.
  constexpr int entry_at(int entry, int at, const ir::statement& s) const {
    if (entry < cotangents || s.where == ir::space::graph) return entry;
    const int k = results + entry - cotangents;
    for (int n = results; n < read.size(); ++n)
      if (read[n].at == k && read[n].hop == at) return cotangents + n - results;
    return entry;
  }

  const ir::program* g = nullptr;
  int hop = 0, results = 0, given = 0, cotangents = 0, furthest = 0;
  sequence<int> real{};     // of the given values the ones with a gradient, by its number
  sequence<int> made_of{};  // by statement
  sequence<hop_set> wanted{};
  sequence<hop_value> read{};
};

}  // namespace detail

}  // namespace stg::pass
