// The vertex sets and relations of a program over hops (by_hops.hpp), and the maps from one hop's rows to the next's.
#pragma once

#include <bit>          // bit_width
#include <cstddef>      // size_t
#include <cstdint>      // int64_t, uint64_t
#include <string_view>  // string_view

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/block_kind.hpp>  // block_kind
#include <stg/ir/program.hpp>     // program
#include <stg/op/list.hpp>        // info_of

namespace stg::pass {

/// Hops of a sample at most: there is a bit for each in a word.
inline constexpr int most_hops = 60;

/// Reasons why a program cannot run over the blocks of a sample: it would compute something else or lacks values.
enum class block_mistake : int {
  none,
  reduces_the_graph,     // a reduction over all vertices or edges, but there is only a sample
  counts_the_graph,      // their number
  reads_out_edges,       // no sample has them
  repeats,               // scans over time: only carried values are written step by step
  differentiates_edges,  // a gradient for an input of edges
  reads_too_far,         // more hops than a set of them has room for
  spreads_cotangents,    // a gradient of its own that reads cotangents at the sources of edges
  meets_ranks,           // messages, each of which is one for the graph
  splits_cotangents      // one that is not linear, of edge values computed again for several hops
};

/// A program over hops. Some of its further inputs, behind the original program's, repeat an input: the k-th is bound
/// to the tensor of entry again[k].
struct program_by_hops {
  ir::program program{};
  sequence<ir::block_kind> kinds{};  // kind n of the program is kinds[n - 1]
  sequence<int> again{};
  int hops = 0;  // from the outputs to what they read
  bool splits_cotangents = false;
};

namespace detail {

/// Hops as a word: a bit for each, the highest for the set of all vertices.
using hop_set = std::uint64_t;
inline constexpr int hop_sets = 64, all_vertices_hop = hop_sets - 1;
constexpr hop_set only_hop(int hop) { return hop_set(1) << hop; }
constexpr int largest_hop(hop_set hops) { return std::bit_width(hops) - 1; }
/// Calls body(hop), the largest first.
template <class Body> constexpr void for_each_hop(hop_set hops, const Body& body) {
  for (; hops != 0; hops &= ~only_hop(largest_hop(hops))) body(largest_hop(hops));
}

/// Numbers the sets and relations of the hops of a program as they are met.
class hop_kinds {
 public:
  constexpr hop_kinds(const ir::program& of, program_by_hops& into) : p(of), to(into) {}

  /// A statement's domain, and its other sets and relations, at a hop.
  constexpr void place(ir::statement& s, int hop) {
    if (s.where == ir::space::vertex) s.where.set = set_of(s.where.set, hop);
    if (s.where == ir::space::edge) s.where.set = edges_of(s.where.set, hop);
    if (s.code == ir::opcode::degree)
      s.set_relation(hop < to.hops ? edges_of(s.relation(), hop) : degrees_of(s.relation(), hop));
    if (s.code == ir::opcode::vertex_count) s.set_counted_set(set_of(s.counted_set(), hop));
    const bool reduces = s.code == ir::opcode::vertex_count || op::info_of(s.code).kind == op::category::reduction;
    if (reduces) s.set_over_batch(false);
  }
  /// Hop `to_hop`'s rows of a value of vertex set `set` that hop `from` has in `in`: the first ones, or all of them and
  /// zeros.
  constexpr ir::value_id rows_of(ir::program& in, ir::value_id value, int set, int from, int to_hop) {
    const bool fewer = to_hop < from;
    const int large = fewer ? from : to_hop, small = fewer ? to_hop : from;
    const int source = set_of(set, large), destination = set_of(set, small);
    const ir::block_kind rows{ir::block_kind::role::rows, number_of(small), number_of(large), set};
    ir::statement s;
    s.code = fewer ? ir::opcode::gather_src : ir::opcode::gather_dst;
    s.scopes = in[value].scopes;
    s.type = in[value].type;
    s.dims = in[value].dims;
    s.operands[0] = value;
    s.where = ir::domain(ir::space::edge, kind(rows, source, destination));
    s.operands[0] = in.emit(s);
    s.code = ir::opcode::sum_edges;
    s.where = ir::domain(ir::space::vertex, fewer ? destination : source);
    s.set_side(fewer ? ir::direction::in : ir::direction::out);
    return in.emit(s);
  }

 private:
  static constexpr int number_of(int hop) { return hop == all_vertices_hop ? ir::all_hops : hop; }
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

  const ir::program& p;
  program_by_hops& to;
};

}  // namespace detail

}  // namespace stg::pass
