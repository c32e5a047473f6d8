// Units: the parts of a program, and common questions about a statement in one.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program
#include <stg/op/list.hpp>        // info_of

namespace stg::pass {

enum class unit_kind : int { sweep, product, reduced_product, reduction, graph, scan, message };
/// The adjacency that a sweep walks; none for a sweep without edge loops.
enum class sweep_side : int { in, out, none };

/// Over the edges of how many relations the loops of a sweep go.
enum class relations_of_sweep : int { one, several };

/// Values of up to so many features kernels can compute across edges, in groups of 1, 2, 4 or 8.
inline constexpr int most_narrow_elements = 8;
constexpr bool is_narrow(const ir::statement& s, int elements = most_narrow_elements) {
  return s.dims.is_static() && s.dims.size() <= elements;
}

/// The side of a sweep that has edge loops.
constexpr ir::direction direction_of(sweep_side side) {
  return side == sweep_side::in ? ir::direction::in : ir::direction::out;
}
/// Whether a gather in a loop of this side reads the row at hand: destinations of in-edges, sources of out-edges.
constexpr bool reads_own_row(ir::opcode gather, sweep_side side) {
  return ir::owner_side(gather) == direction_of(side);
}

/// One pass over a row's edges of a relation: the per-edge statements in order, then their results.
struct edge_loop {
  sweep_side side = sweep_side::none;
  int relation = 0;
  sequence<ir::value_id> statements{};  // per-edge values, operands first
  sequence<ir::value_id> results{};     // aggregates of this side, and stored per-edge values
};

struct unit {
  unit_kind kind = unit_kind::sweep;
  sweep_side side = sweep_side::none;   // of its first loop, and of all in a plain program
  int set = 0;                          // vertex set of its rows
  sequence<ir::value_id> statements{};  // per-vertex (or graph) statements in order, aggregates left out
  sequence<int> stages{};               // statements[i] runs before loop stages[i] (and after the one before it)
  sequence<edge_loop> loops{};
};

struct fusion {
  sequence<unit> units{};
  sequence<int> unit_of{};  // per statement; -1: computed at its uses (sources, per-edge values, reshapes)
  ir::flags stored{};       // per statement: kept in memory for another unit, another row or the user
};

/// A slice of a gathered row that lies in one piece: edges read it in place. P: a program, frozen or not.
template <class P> constexpr bool is_part_of_row(const P& p, ir::value_id i) {
  const ir::statement& s = p.statements[i];
  if (!ir::takes_part(s.code) || s.where != ir::space::edge || !s.dims.is_static() || s.beginning().code < 0)
    return false;
  for (int a = 0; a < s.part_axis(); ++a)
    if (!s.dims.axes[a].is_one()) return false;
  return op::info_of(p.statements[s.operands[0]].code).kind == op::category::gather;
}
/// Elements of the row before the slice.
constexpr std::int64_t part_begin(const ir::statement& slice) {
  std::int64_t n = slice.beginning().code;
  for (int a = slice.part_axis() + 1; a < slice.dims.rank; ++a) n *= slice.dims.axes[a].code;
  return n;
}

/// A per-edge value that no loop makes: gathered, an input, a scan's result, or the row of a finished product.
constexpr bool is_read_from_memory(const ir::program& p, ir::value_id e) {
  const op::category kind = op::info_of(p[e].code).kind;
  return kind == op::category::gather || kind == op::category::dense || p[e].code == ir::opcode::input ||
         p[e].code == ir::opcode::result;
}

/// Sources are computed by their readers; a view is a second name; a list has no memory.
constexpr bool is_free(const ir::statement& s) {
  return op::info_of(s.code).kind == op::category::source || ir::is_view(s) || s.code == ir::opcode::bind;
}

/// Dense products and reductions read rows of other vertices, or all of them, from memory, and write whole rows; so do
/// the steps of a scan. Messages have whole values.
constexpr bool reads_whole_rows(op::category kind) {
  return kind == op::category::dense || kind == op::category::reduction || kind == op::category::call ||
         kind == op::category::message;
}
constexpr bool reads_whole_rows(const ir::statement& s) { return reads_whole_rows(op::info_of(s.code).kind); }

}  // namespace stg::pass
