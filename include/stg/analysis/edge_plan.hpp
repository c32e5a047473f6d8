// How the per-edge values of one loop are computed: their ways, their order, and the ones kept in scratch.
//
// Per-edge values come in four ways:
//   leaf    read in place (a gathered row or a part of it, an edge input, a product's row)
//   joined  computed inside the loop that consumes it, a register at a time
//   rows    computed edge by edge for a chunk of edges into scratch, because it is used twice or reads a whole row
//   across  a few features, computed for several edges to a register: scores, exponentials, coefficients
//
// A chunk of edges is worked off in levels. At each level values in rows come first, then the group of values across
// edges, with the sums and maxima of its registers. A level ends where rows need results of a group, as a dot product
// per head needs coefficients. Everything else is aggregated after the last level.
//
// softmax across edges is not computed twice: top_share leaves exponentials in scratch, and the softmax of the next
// loop over the same row is one of them over their sum. A row of more than one chunk computes them again. Where that
// loop only sums products with the softmax, the exponentials are taken there, and each sum is divided once.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // move

#include <stg/base/larger.hpp>       // smaller
#include <stg/base/sequence.hpp>     // sequence
#include <stg/ir/program.hpp>        // program
#include <stg/op/list.hpp>           // info_of
#include <stg/analysis/choices.hpp>  // choices
#include <stg/analysis/unit.hpp>     // edge_loop, sweep_side, reads_own_row

namespace stg::pass {

enum class edge_mode : unsigned char { absent, leaf, joined, rows, across };

/// How one of a loop's per-edge values is computed.
struct value_mode {
  ir::value_id at = -1;
  edge_mode mode = edge_mode::absent;
};
/// Of a loop with the values [first, last), in ascending order.
constexpr edge_mode mode_among(const value_mode* first, const value_mode* last, ir::value_id at) {
  while (first < last) {
    const value_mode* const middle = first + (last - first) / 2;
    if (middle->at == at) return middle->mode;
    if (middle->at < at) first = middle + 1;
    else last = middle;
  }
  return edge_mode::absent;
}

/// A per-edge value of a loop.
struct planned_value {
  ir::value_id at = -1;
  int level = 0;
  bool kept = false;          // across: written to scratch, since others than its own group read it
  bool in_one_chunk = true;   // needed when all edges of the row are one chunk
  ir::value_id softmax = -1;  // the top_share of this softmax, made by an earlier loop of the unit
};
/// A result of a loop.
struct planned_result {
  ir::value_id at = -1;
  int level = -1;          // of the group of its registers; -1: taken by itself
  int summed_in = -1;      // a top_share: the loop that can take its exponentials, if it is only read by softmax;
                           // where online_softmax has run: the loop that does, and makes it
  ir::value_id over = -1;  // the top_share that divides a sum of products with exponentials taken in this loop
};

/// Elements from one edge's values in scratch to the next: padded, so that edges fill registers evenly.
constexpr int narrow_stride(std::int64_t elements) {
  int n = 1;
  while (n < elements) n *= 2;
  return n;
}

/// How many of the last axes of its operand a reduction reduces, if it reduces no others; else 0.
constexpr int reduced_last_axes(const ir::statement& s, const ir::shape& dims) {
  int n = 0;
  while (n < dims.rank && s.reduces(dims.rank - 1 - n)) ++n;
  const std::int64_t others = (std::int64_t(1) << (dims.rank - n)) - 1;
  return (s.axes() & others) == 0 ? n : 0;
}

struct loop_plan {
  sequence<value_mode> modes{};  // of all values of the loop, in ascending order
  sequence<planned_value> values{};
  sequence<planned_result> results{};
};

namespace detail {

/// Notes on a value while a loop's plan is made.
struct loop_note {
  edge_mode mode = edge_mode::absent;
  int uses = 0;
  int level = 0;
  bool wanted = false;  // computed once for all its readers
  bool reads = false;   // the softmax at hand, through any number of operations
  bool read = false, read_in_one_chunk = false;
  bool kept = false;
};

class loop_planner {
 public:
  /// `before`: results of the unit's earlier loops. `marks`: a blank note for every value of the program. They are left
  /// blank, so that one list does for all loops: to make one for each would take loops times statements.
  constexpr loop_planner(const ir::program& of, const edge_loop& planned, sweep_side swept,
                         const sequence<planned_result>& earlier, sequence<loop_note>& marks, const choices& chosen)
      : p(of), loop(planned), side(swept), before(earlier), notes(marks.first), by(chosen) {}

  constexpr loop_plan run() {
    choose_modes();
    set_levels();
    find_softmax();
    find_divided_sums();
    drop_unread();
    keep_what_others_read();
    for (ir::value_id i : loop.statements) plan.modes.push_back({i, notes[i].mode});
    forget();
    return std::move(plan);
  }

 private:
  constexpr op::category kind_of(ir::value_id i) const { return op::info_of(p[i].code).kind; }
  constexpr bool is_edge(ir::value_id i) const { return p[i].where == ir::space::edge; }
  constexpr edge_mode mode(ir::value_id i) const { return notes[root_of(p, i)].mode; }
  constexpr bool is_narrow(ir::value_id i) const {
    return pass::is_narrow(p[i], smaller(by.narrow_elements, most_narrow_elements));
  }
  /// Made by this loop rather than read in place.
  constexpr bool is_made(ir::value_id i) const {
    return is_edge(i) && !is_read_from_memory(p, i) && !is_part_of_row(p, i);
  }
  constexpr bool reads_own_row(ir::value_id gather) const { return pass::reads_own_row(p[gather].code, side); }
  /// A pointwise value with all operands of its size, or one number for the whole graph.
  constexpr bool fits_across(ir::value_id i) const {
    if (kind_of(i) != op::category::pointwise || !is_narrow(i)) return false;
    for (int k = 0; k < p[i].arity(); ++k) {
      const ir::statement& x = p.operand(p[i], k);
      const bool one_number = x.where == ir::space::graph && x.dims.is_static() && x.dims.size() == 1;
      if (!one_number && !(x.dims.is_static() && x.dims.size() == p[i].dims.size())) return false;
    }
    return true;
  }

  // ---- ways ----

  constexpr void want(ir::value_id i) { notes[root_of(p, i)].wanted = true; }
  constexpr void use(ir::value_id i) { ++notes[root_of(p, i)].uses; }

  constexpr void choose_modes() {
    for (ir::value_id r : loop.results) want_for_result(r);
    for (int k = loop.statements.size(); k-- > 0;) {
      const ir::value_id i = loop.statements[k];
      notes[i].mode = choose_mode(i);
      if (ir::is_view(p[i])) {
        if (notes[i].wanted) want(i);
      } else if (is_made(i)) {
        want_operands(i);
      }
    }
  }
  constexpr void want_for_result(ir::value_id r) {
    const ir::statement& s = p[r];
    if (is_edge(r)) return use(r);
    const ir::value_id x = s.operands[0];
    use(x);
    const bool through_registers = s.code != ir::opcode::first_max_edge && fits_across(root_of(p, x));
    if (s.code == ir::opcode::top_share_edges || s.code == ir::opcode::first_max_edge || through_registers ||
        ir::is_view(p[x]))
      want(x);
  }
  constexpr edge_mode choose_mode(ir::value_id i) const {
    const ir::statement& s = p[i];
    if (ir::is_view(s)) return edge_mode::leaf;
    const bool computed = kind_of(i) == op::category::feature && !is_part_of_row(p, i);
    if (computed || s.code == ir::opcode::keep_mask) return edge_mode::rows;
    const bool direct = !is_made(i) || s.code == ir::opcode::edge_index;
    if (direct) return notes[i].wanted ? edge_mode::rows : edge_mode::leaf;
    const bool once_for_all =
        notes[i].wanted || notes[i].uses > 1 || (is_narrow(i) && op::info_of(s.code).cost >= by.computed_once_cost);
    if (!once_for_all) return edge_mode::joined;
    return fits_across(i) ? edge_mode::across : edge_mode::rows;
  }
  constexpr void want_operands(ir::value_id i) {
    const ir::statement& s = p[i];
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id o = s.operands[k], x = root_of(p, o);
      if (!is_edge(x)) continue;
      use(x);
      const bool reshaped = x != o;
      if (mode(i) == edge_mode::across) {
        if (is_made(x) || !can_be_read_across(x)) want(x);
      } else if (kind_of(i) == op::category::feature) {
        const bool in_registers = s.code == ir::opcode::reduce_sum && reduced_last_axes(s, p[o].dims) > 0 && !reshaped;
        if (is_made(x) && !in_registers) want(x);
      } else if (is_made(x) && (reshaped || !(p[x].dims == s.dims))) {
        want(x);
      }
    }
  }
  /// Rows of at least four elements are loaded a few to a register; the row at hand is repeated. Others are copied
  /// first.
  constexpr bool can_be_read_across(ir::value_id x) const {
    const ir::value_id row = is_part_of_row(p, x) ? p[x].operands[0] : x;
    if (kind_of(row) == op::category::gather && reads_own_row(row)) return true;
    return p[x].dims.size() >= 4;
  }

  // ---- order ----

  constexpr void set_levels() {
    for (ir::value_id i : loop.statements) {
      planned_value v;
      v.at = i;
      if (is_made(i))
        for (int k = 0; k < p[i].arity(); ++k) raise(v.level, p[i].operands[k], mode(i) == edge_mode::across);
      notes[i].level = v.level;
      plan.values.push_back(v);
    }
    for (ir::value_id r : loop.results) {
      planned_result to;
      to.at = r;
      const ir::statement& s = p[r];
      if (!is_edge(r) && s.code != ir::opcode::first_max_edge && mode(s.operands[0]) == edge_mode::across)
        to.level = notes[root_of(p, s.operands[0])].level;
      plan.results.push_back(to);
    }
  }
  constexpr void raise(int& to, ir::value_id operand, bool in_group) const {
    const ir::value_id x = root_of(p, operand);
    if (!is_edge(x)) return;
    const int least = notes[x].level + (mode(x) == edge_mode::across && !in_group ? 1 : 0);
    if (to < least) to = least;
  }

  // ---- softmax ----

  constexpr void find_softmax() {
    for (planned_value& v : plan.values) {
      const ir::statement& s = p[v.at];
      if (mode(v.at) != edge_mode::across || s.code != ir::opcode::softmax_edges) continue;
      const ir::value_id most = owned_aggregate(s.operands[1]), share = owned_aggregate(s.operands[2]);
      if (most == ir::no_value || p[most].code != ir::opcode::max_edges || !is_of_scores(most, s)) continue;
      for (const planned_result& r : before)
        if (r.at == share && r.level >= 0 && p[share].code == ir::opcode::top_share_edges && is_of_scores(share, s))
          v.softmax = share;
    }
  }
  /// The owner's vertex value behind an edge value.
  constexpr ir::value_id owned_aggregate(ir::value_id at) const {
    const bool is_owners = op::info_of(p[at].code).kind == op::category::gather && reads_own_row(at);
    return is_owners ? p[at].operands[0] : ir::no_value;
  }
  /// Whether an aggregate is taken of the scores of softmax s, in its shape: scores of a different shape belong to
  /// others.
  constexpr bool is_of_scores(ir::value_id aggregate, const ir::statement& s) const {
    return op::info_of(p[aggregate].code).kind == op::category::aggregate && p[aggregate].dims == s.dims &&
           root_of(p, p[aggregate].operands[0]) == root_of(p, s.operands[0]);
  }
  /// Sums of products with one softmax: Σ (e / s) x = (Σ e x) / s. Nothing else may read it.
  constexpr void find_divided_sums() {
    ir::value_id softmax = ir::no_value, share = ir::no_value;
    for (const planned_value& v : plan.values) {
      if (v.softmax < 0) continue;
      if (softmax != ir::no_value) return;
      softmax = v.at;
      share = v.softmax;
    }
    if (softmax == ir::no_value) return;
    notes[softmax].reads = true;
    for (ir::value_id i : loop.statements)
      for (int k = 0; k < p[i].arity() && is_made(i); ++k)
        if (notes[p[i].operands[k]].reads) notes[i].reads = true;
    for (const planned_result& r : plan.results) {
      const ir::value_id message = is_edge(r.at) ? r.at : p[r.at].operands[0];
      if (notes[message].reads && !(p[r.at].code == ir::opcode::sum_edges && is_multiple(message, softmax) &&
                                    is_repeated_along(p[share].dims, p[r.at].dims)))
        return;
    }
    for (planned_result& r : plan.results)
      if (notes[p[r.at].operands[0]].reads) r.over = share;
  }
  /// Value i is `of` times a factor that does not read it.
  constexpr bool is_multiple(ir::value_id i, ir::value_id of) const {
    while (i != of) {
      const bool by_first = notes[p[i].operands[0]].reads;
      if (p[i].code != ir::opcode::mul || by_first == notes[p[i].operands[1]].reads) return false;
      i = p[i].operands[by_first ? 0 : 1];
    }
    return true;
  }
  /// One number for all features, for the features of a head, or for each.
  static constexpr bool is_repeated_along(const ir::shape& dims, const ir::shape& whole) {
    bool repeats = false;
    if (dims.rank == 0) return true;
    if (dims.rank != whole.rank) return false;
    for (int a = 0; a < dims.rank; ++a) {
      const bool equal = dims.axes[a] == whole.axes[a];
      if (!equal && !dims.axes[a].is_one()) return false;
      if (equal && repeats && !dims.axes[a].is_one()) return false;
      repeats = repeats || !equal;
    }
    return true;
  }
  /// Values that only a softmax would have read.
  constexpr void drop_unread() {
    const auto mark = [&](ir::value_id i, bool in_one_chunk) {
      for (const ir::value_id r = root_of(p, i);; i = p[i].operands[0]) {  // with the reshapes in between
        notes[i].read = true;
        if (in_one_chunk) notes[i].read_in_one_chunk = true;
        if (i == r) return;
      }
    };
    for (ir::value_id r : loop.results) mark(is_edge(r) ? r : p[r].operands[0], true);
    for (int k = plan.values.size(); k-- > 0;) {
      planned_value& v = plan.values[k];
      if (!notes[v.at].read) continue;
      v.in_one_chunk = notes[v.at].read_in_one_chunk;
      if (v.softmax >= 0) mark(p[v.at].operands[0], false);
      else if (is_made(v.at) || is_part_of_row(p, v.at))
        for (int o = 0; o < p[v.at].arity(); ++o) mark(p[v.at].operands[o], v.in_one_chunk);
    }
    sequence<planned_value> left;
    for (const planned_value& v : plan.values)
      if (notes[v.at].read) left.push_back(v);
    plan.values = left;
  }

  constexpr void keep_what_others_read() {
    for (const planned_value& v : plan.values) {
      if (!is_made(v.at) || v.softmax >= 0 || ir::is_view(p[v.at])) continue;
      for (int k = 0; k < p[v.at].arity(); ++k) {
        const ir::value_id x = root_of(p, p[v.at].operands[k]);
        if (mode(v.at) != edge_mode::across || notes[x].level != v.level) notes[x].kept = true;
      }
    }
    for (const planned_result& r : plan.results)
      if (r.level < 0 || p[r.at].code == ir::opcode::top_share_edges)
        notes[root_of(p, is_edge(r.at) ? r.at : p[r.at].operands[0])].kept = true;
    for (planned_value& v : plan.values) v.kept = notes[v.at].kept;
  }

  /// Notes are of the loop's values, of their and the results' operands, and of other shapes of these.
  constexpr void forget() {
    for (ir::value_id i : loop.statements) forget(i);
    for (ir::value_id i : loop.results) forget(i);
  }
  constexpr void forget(ir::value_id i) {
    notes[i] = loop_note();
    for (int k = 0; k < p[i].arity(); ++k) {
      ir::value_id x = p[i].operands[k];
      for (; ir::is_view(p[x]); x = p[x].operands[0]) notes[x] = loop_note();
      notes[x] = loop_note();
    }
  }

  const ir::program& p;
  const edge_loop& loop;
  sweep_side side;
  const sequence<planned_result>& before;
  loop_note* notes;  // by value
  const choices& by;
  loop_plan plan{};
};

}  // namespace detail

}  // namespace stg::pass
