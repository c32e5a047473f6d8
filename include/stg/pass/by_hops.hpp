// by_hops: a program over a graph as one over the hops of a sample, each of which computes its own rows alone.
//
// A vertex value is needed where the outputs ask for it: at the seeds; at all that one hop reaches, where an edge of a
// seed reads it; and so on. How many hops away that is follows from the program. So each statement gets the vertex set
// of its hop (ir/block_kind.hpp), edge values the relation between two of them, and all that runs programs over several
// sets runs it: rows of a hop are the first ones of the next, and what an input holds for one lies at its beginning for
// the other. The gradient is made of this program, and with it which rows a cotangent has.
//
//   vertex values      are computed once, for the largest set that reads them; smaller ones read their rows of it
//                      along a relation that leads each vertex to itself, whose gradient adds nothing to the others
//   sources and truths are had again in each set: an input lies there, a mask draws by the vertex's global id
//   edge values        are computed again for each hop that reads them, as every loop does that
//   reductions         go over the seeds
//   degrees            are those of the sample where a hop looked into a vertex, of the large graph elsewhere
//
// Runs on a canonical program that calls none and is without mistakes (block_mistake_in), before its gradient is made.
#pragma once

#include <bit>          // bit_width, countr_zero
#include <cstdint>      // int64_t, uint64_t
#include <string_view>  // string_view

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/block_kind.hpp>  // block_kind
#include <stg/ir/program.hpp>     // program
#include <stg/op/list.hpp>        // info_of
#include <stg/pass/dce.hpp>       // dce
#include <stg/pass/inline.hpp>    // inline_calls
#include <stg/pass/value.hpp>     // emit

namespace stg::pass {

/// Hops of a sample at most: there is a bit for each in a word.
inline constexpr int most_hops = 60;

/// Why a program does not run over the blocks of a sample, where it would compute something else or what is not there.
enum class block_mistake : int {
  none,
  reduces_the_graph,     // a reduction over all vertices or edges, of which there is a sample
  counts_the_graph,      // their number
  reads_out_edges,       // which are not sampled
  repeats,               // scans, and values with a gradient of their own
  gives_edges,           // an output per edge
  differentiates_edges,  // a gradient for an input of edges
  reads_too_far          // more hops than a set of them has room for
};

namespace detail {

/// Where an operand lives is what its reader's hop says of it.
constexpr bool reads_out_edges(const ir::program& p, const ir::statement& s) {
  const op::category kind = op::info_of(s.code).kind;
  if (s.code == ir::opcode::degree) return s.side() == ir::direction::out;
  return kind == op::category::aggregate && s.side() == ir::direction::out && p.operand(s, 0).where == ir::space::edge;
}

}  // namespace detail

/// What hops are found in: what a program calls is written in the places of its calls.
constexpr ir::program with_calls_written(const ir::program& p) {
  if (p.callees.empty()) return p;
  return dce(inline_calls(p));  // of which the arguments of calls are
}

/// The first mistake of such a program. `required`: entries of the inputs that get a gradient.
constexpr block_mistake block_mistake_in(const ir::program& p, const sequence<int>& required) {
  sequence<int> hops;  // that a value is away from what it reads
  for (const ir::output& o : p.outputs)
    if (p[o.at].where == ir::space::edge) return block_mistake::gives_edges;
  for (const ir::statement& s : p.statements) {
    const op::category kind = op::info_of(s.code).kind;
    int away = 0;
    for (int k = 0; k < s.arity(); ++k) away = away < hops[s.operands[k]] ? hops[s.operands[k]] : away;
    hops.push_back(s.code == ir::opcode::gather_src ? away + 1 : away);
    if (hops.back() > most_hops) return block_mistake::reads_too_far;
    if (kind == op::category::call || s.is_sequence()) return block_mistake::repeats;
    if (detail::reads_out_edges(p, s)) return block_mistake::reads_out_edges;
    if (kind == op::category::reduction && s.axis != ir::over_batch) return block_mistake::reduces_the_graph;
    if (s.code == ir::opcode::vertex_count && s.axis != ir::over_batch) return block_mistake::counts_the_graph;
    if (s.code == ir::opcode::vertex_index || s.code == ir::opcode::edge_index) return block_mistake::counts_the_graph;
    if (s.code != ir::opcode::input || s.where != ir::space::edge) continue;
    for (const int entry : required)
      if (entry == s.entry()) return block_mistake::differentiates_edges;
  }
  return block_mistake::none;
}

/// A program over hops. Further inputs, behind those of the program that it was, are some of them again: the k-th is
/// what entry again[k] is bound to.
struct program_by_hops {
  ir::program program{};
  sequence<ir::block_kind> kinds{};  // kind n of the program is kinds[n - 1]
  sequence<int> again{};
  int hops = 0;  // that the outputs are away from what they read
};

namespace detail {

class hop_writer {
 public:
  constexpr hop_writer(const ir::program& of, const sequence<int>& required_entries)
      : p(of), required(required_entries), wanted(of.size()), made(of.size() * sets) {}

  constexpr program_by_hops run() {
    ask_of_outputs();
    for (ir::value_id i = p.size() - 1; i >= 0; --i) ask_of_operands(i);
    to.program = ir::blank_like(p);
    to.program.kinds = {};
    for (ir::value_id i = 0; i < p.size(); ++i) write(i);
    attach();
    return to;
  }

 private:
  using hop_set = std::uint64_t;  // a bit for each hop, the highest for the set of all vertices
  static constexpr int sets = 64;
  static constexpr int all = sets - 1;
  static constexpr hop_set only(int hop) { return hop_set(1) << hop; }
  static constexpr int largest(hop_set hops) { return std::bit_width(hops) - 1; }
  /// Calls body(hop), the largest first.
  template <class Body> static constexpr void for_each(hop_set hops, const Body& body) {
    for (; hops != 0; hops &= ~only(largest(hops))) body(largest(hops));
  }

  // ---- which hops ask for a value ----

  constexpr void ask_of_outputs() {
    for (const ir::output& o : p.outputs) wanted[o.at] |= only(0);
  }
  /// Whether a vertex value is had anew in each set that reads it.
  constexpr bool is_had_again(ir::value_id i) const {
    const ir::statement& s = p[i];
    if (s.where == ir::space::edge || s.type == scalar_type::boolean || is_storage(s.type)) return true;
    return op::info_of(s.code).kind == op::category::source && !gets_gradient(s);
  }
  constexpr bool gets_gradient(const ir::statement& s) const {
    if (s.code != ir::opcode::input) return false;
    for (const int entry : required)
      if (entry == s.entry()) return true;
    return false;
  }
  /// What lies in memory for all vertices together: gradients of inputs, and rows of sparse ones.
  constexpr bool is_of_all(ir::value_id i) const {
    const ir::statement& s = p[i];
    return s.where == ir::space::vertex && (gets_gradient(s) || ir::is_sparse_product(s));
  }
  /// The hops in which a value is computed: where it is not had again, in the largest set that asks for it.
  constexpr hop_set computed_in(ir::value_id i) const {
    return p[i].where == ir::space::graph || is_had_again(i) ? wanted[i] : only(largest(wanted[i]));
  }
  constexpr void ask_of_operands(ir::value_id i) {
    const ir::statement& s = p[i];
    if (wanted[i] == 0) return;
    if (s.where == ir::space::graph) wanted[i] = only(0);
    else if (is_of_all(i)) wanted[i] |= only(all);
    for_each(computed_in(i), [&](int hop) {
      for (int k = 0; k < s.arity(); ++k) wanted[s.operands[k]] |= only(read_at(s, hop));
      if (s.where == ir::space::edge && to.hops <= hop) to.hops = hop + 1;
    });
  }
  /// The hop at which a statement of a hop reads an operand.
  static constexpr int read_at(const ir::statement& s, int hop) {
    return s.code == ir::opcode::gather_src ? hop + 1 : hop;
  }

  // ---- writing ----

  /// A value at a hop, plus 1; 0 where it is not there.
  constexpr int& made_at(ir::value_id i, int hop) { return made[i * sets + hop]; }
  constexpr ir::value_id at(ir::value_id i, int hop) const { return made[i * sets + hop] - 1; }

  constexpr void write(ir::value_id i) {
    if (wanted[i] == 0) return;
    const hop_set computed = computed_in(i);
    for_each(computed, [&](int hop) { made_at(i, hop) = write_at(i, hop) + 1; });
    for_each(wanted[i] & ~computed, [&](int hop) { made_at(i, hop) = rows_of(i, hop) + 1; });
  }
  constexpr ir::value_id write_at(ir::value_id i, int hop) {
    ir::statement s = p[i];
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id from = s.operands[k];
      s.operands[k] = at(from, p[from].where == ir::space::graph ? 0 : read_at(s, hop));
    }
    if (s.where == ir::space::vertex) s.where.set = set_of(s.where.set, hop);
    if (s.where == ir::space::edge) s.where.set = edges_of(s.where.set, hop);
    if (s.code == ir::opcode::degree) s.axis = hop < to.hops ? edges_of(s.axis, hop) : degrees_of(s.axis, hop);
    if (s.code == ir::opcode::vertex_count) s.attribute = set_of(s.counted_set(), 0);
    if (s.axis == ir::over_batch && reads_batch(s.code)) s.axis = 0;
    if (s.code == ir::opcode::input && s.where != ir::space::graph) s.attribute = entry_for(i, hop, s.entry());
    return to.program.emit(s);
  }
  static constexpr bool reads_batch(ir::opcode code) {
    return code == ir::opcode::vertex_count || op::info_of(code).kind == op::category::reduction;
  }
  /// An input keeps its entry where it is read first, in the largest set.
  constexpr std::int64_t entry_for(ir::value_id i, int hop, std::int64_t entry) {
    if (hop == largest(wanted[i])) return entry;
    ir::input in = to.program.inputs[static_cast<int>(entry)];
    in.name = text();
    in.trainable = false;
    to.program.inputs.push_back(in);
    to.again.push_back(static_cast<int>(entry));
    return to.program.inputs.size() - 1;
  }

  /// The rows that a set has of a value of a larger one.
  constexpr ir::value_id rows_of(ir::value_id i, int hop) {
    const int from = largest(wanted[i]);
    const int of = p[i].where.set, source = set_of(of, from), destination = set_of(of, hop);
    const int relation = kind({ir::block_kind::role::rows, number_of(hop), number_of(from), of}, source, destination);
    const ir::statement value = to.program[at(i, from)];
    ir::statement s;
    s.code = ir::opcode::gather_src;
    s.scopes = value.scopes;
    s.operands[0] = at(i, from);
    s.where = ir::domain(ir::space::edge, relation);
    s.type = value.type;
    s.dims = value.dims;
    const ir::value_id along = to.program.emit(s);
    s.code = ir::opcode::sum_edges;
    s.operands[0] = along;
    s.where = ir::domain(ir::space::vertex, destination);
    s.attribute = static_cast<std::int64_t>(ir::direction::in);
    return to.program.emit(s);
  }

  // ---- sets and relations ----

  static constexpr int number_of(int hop) { return hop == all ? ir::all_hops : hop; }
  constexpr text named(const ir::block_kind& k) const {
    using role = ir::block_kind::role;
    const auto add_hop = [](text& name, int hop) {
      if (hop == ir::all_hops) name.append("all hops");
      else name.append("hop "), name.append_number(static_cast<std::uint64_t>(hop));
    };
    text name;
    if (k.of != 0) {
      constexpr std::size_t most = 20;
      const std::string_view whole = p.kinds[k.of - 1].name.view();
      name.append(whole.substr(0, most));
      if (whole.size() > most) name.append(".."), name.append_number(static_cast<std::uint64_t>(k.of));
      name.append(", ");
    }
    name.append(k.what == role::edges ? "into " : k.what == role::degrees ? "degrees of " : "");
    add_hop(name, k.hop);
    if (k.what != role::rows) return name;
    name.append(" of ");
    add_hop(name, k.from);
    return name;
  }
  constexpr int kind(const ir::block_kind& k, int source = ir::kind::no_set, int destination = ir::kind::no_set) {
    for (int n = 0; n < to.kinds.size(); ++n)
      if (to.kinds[n] == k) return n + 1;
    to.kinds.push_back(k);
    ir::kind written;
    written.name = named(k);
    written.source = source;
    written.destination = destination;
    to.program.kinds.push_back(written);
    return to.kinds.size();
  }
  constexpr int set_of(int set, int hop) { return kind({ir::block_kind::role::vertices, number_of(hop), 0, set}); }
  constexpr int edges_of(int relation, int hop) {
    const int source = set_of(p.source_set(relation), hop + 1), destination = set_of(p.destination_set(relation), hop);
    return kind({ir::block_kind::role::edges, hop, 0, relation}, source, destination);
  }
  constexpr int degrees_of(int relation, int hop) {
    const int set = set_of(p.destination_set(relation), hop);
    return kind({ir::block_kind::role::degrees, number_of(hop), 0, relation}, set, set);
  }

  /// Outputs are of the seeds. What labels must hold of has been looked at where they were bound.
  constexpr void attach() {
    sequence<ir::value_id> computed(p.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (wanted[i] != 0) computed[i] = at(i, largest(wanted[i]));
    for (const ir::output& o : p.outputs) to.program.outputs.push_back(ir::output{at(o.at, 0), o.name});
    ir::carry_names(p, to.program, computed);
  }

  const ir::program& p;
  const sequence<int>& required;
  sequence<hop_set> wanted;  // by statement
  sequence<int> made;        // by statement and hop
  program_by_hops to{};
};

}  // namespace detail

/// p: with its calls written. `required`: entries of the inputs that get a gradient.
constexpr program_by_hops by_hops(const ir::program& p, const sequence<int>& required) {
  return detail::hop_writer(p, required).run();
}

}  // namespace stg::pass
