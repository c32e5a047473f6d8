// Index form: a value as a scalar expression over a vertex or an edge and places along its feature axes.
#pragma once

#include <string>  // string

#include <stg/base/error.hpp>           // error
#include <stg/base/sequence.hpp>        // sequence
#include <stg/examine/index_terms.hpp>  // index_terms
#include <stg/examine/scalar_term.hpp>  // index_equations, equation
#include <stg/examine/users.hpp>        // users
#include <stg/examine/walk.hpp>         // node_of
#include <stg/ir/callees.hpp>           // arguments_of
#include <stg/ir/program.hpp>           // program
#include <stg/op/list.hpp>              // info_of
#include <stg/analysis/users.hpp>       // uses_of

namespace stg::examine {

/// The value has no index form, since it is no function of indices: it draws a random number, repeats a program, or
/// differs between training and a plain call.
struct operation_has_no_index_form : error {
  ir::opcode code;
  explicit operation_has_no_index_form(ir::opcode of)
      : error(std::string(ir::name_of(of)) +
              " has no index form; ask for the values before it, or for the program that " + "pass::inference makes"),
        code(of) {}
};

namespace detail {

class index_writer : index_terms {
 public:
  constexpr index_writer(const ir::program& of, bool through_one, bool read_scans = false)
      : index_terms(of), one_statement(through_one), reads_scans(read_scans) {
    queued.assign(p.size(), 0);
    if (one_statement) return;
    is_named.assign(p.size(), 0);
    for (const ir::output& o : p.outputs) is_named[o.at] = 1;
    for (const ir::label& l : p.names) is_named[l.at] = 1;
  }

  constexpr index_equations run(ir::value_id value) {
    if (!one_statement) {
      is_named[value] = 1;
      count_readings(value);
    }
    queue(value);
    for (int k = 0; k < waiting.size(); ++k) write(waiting[k]);
    return made;
  }

 private:
  static constexpr int deepest = 24;  // statements in a row that one equation goes through

  /// The number of readers of each value, more than one counted as two. A value that is only moved is written out at
  /// its readers, so a read of the move counts as a read of each of them.
  constexpr void count_readings(ir::value_id of) {
    ir::flags used = pass::reachable(p);
    used[of] = 1;  // outputs may not need it
    for (ir::value_id i = of; i >= 0; --i)
      for (int k = 0; used[i] && k < p[i].arity(); ++k) used[p[i].operands[k]] = 1;
    readings.assign(p.size(), 0);
    for (ir::value_id i = p.size() - 1; i >= 0; --i)
      for (int k = 0; used[i] && k < p[i].arity(); ++k) {
        int& n = readings[p[i].operands[k]];
        n += only_moves(i) && !is_named[i] ? readings[i] : 1;
        n = n > 2 ? 2 : n;
      }
  }
  constexpr bool only_moves(ir::value_id i) const {
    const op::info& known = op::info_of(p[i].code);
    return known.kind == op::category::gather || op::keeps_all(known.moves) || p[i].code == ir::opcode::broadcast_to;
  }

  constexpr void queue(ir::value_id value) {
    if (queued[value]) return;
    queued[value] = 1;
    waiting.push_back(value);
  }

  constexpr void write(ir::value_id value) {
    const ir::statement& s = p[value];
    vertices = edges = features = 0;
    equation e;
    e.value = value;
    place at;
    if (s.where == ir::space::vertex) at.row = e.row = new_vertex();
    if (s.where == ir::space::edge) {
      const int dst = new_vertex(), src = new_vertex();
      at.row = e.row = new_edge(src, dst, 0);  // its value says which vertex owns it
    }
    for (int a = 0; a < s.dims.rank; ++a) {
      if (s.dims.axes[a].is_one()) continue;
      e.indices[a] = new_feature(s.dims.axes[a]);
      at.index[a] = variable(e.indices[a]);
    }
    e.right = expanded(value, at, 0);
    made.equations.push_back(e);
  }

  // ---- values ----

  constexpr int read(ir::value_id i, const place& at) {
    scalar_term t;
    t.what = kind::read;
    t.of = i;
    t.row = p[i].where == ir::space::graph ? none : at.row;
    t.step = at.step;
    for (int a = 0; a < p[i].dims.rank; ++a)
      if (!p[i].dims.axes[a].is_one()) t.indices[a] = at.index[a] == none ? number(0) : at.index[a];
    return add(t);
  }
  /// Reads the other value at the same place, or writes it out.
  constexpr int value(ir::value_id i, place at, int depth) {
    const ir::statement& s = p[i];
    if (s.where == ir::space::graph) at.row = none;
    const op::category kind_of = op::info_of(s.code).kind;
    if (s.code == ir::opcode::input || is_read_of_scan(s)) return read(i, at);
    if (kind_of == op::category::source) return expanded(i, at, depth);
    if (one_statement) return read(i, at);
    if (is_named[i] || depth > deepest || (readings[i] > 1 && !only_moves(i))) {
      queue(i);
      return read(i, at);
    }
    return expanded(i, at, depth);
  }

  constexpr int expanded(ir::value_id i, const place& at, int depth) {
    const ir::statement& s = p[i];
    const int further = depth + 1;
    switch (op::info_of(s.code).kind) {
      case op::category::source:
        return source(i, at);
      case op::category::pointwise:
        return pointwise(i, at, further);
      case op::category::feature:
        return feature(i, at, further);
      case op::category::gather: {
        const index_variable edge = made.variables[at.row];
        place end = at;
        end.row = s.code == ir::opcode::gather_src ? edge.src : edge.dst;
        return value(s.operands[0], end, further);
      }
      case op::category::aggregate: {
        const int other = new_vertex();
        const bool in = s.side() == ir::direction::in;
        place edge = at;
        edge.row = new_edge(in ? other : at.row, in ? at.row : other, p.operand(s, 0).where.set);
        const int body = value(s.operands[0], edge, further);
        return reduce(s.code, edge.row, body, at.row);
      }
      case op::category::reduction: {
        if (s.code == ir::opcode::scatter_sum) return scattered(i, at, further);
        place all = at;
        all.row = new_vertex(p.operand(s, 0).where.set);
        const int body = value(s.operands[0], all, further);
        return reduce(s.code, all.row, body);
      }
      case op::category::dense:
        return dense(i, at, further);
      default:
        if (const ir::value_id given = given_back(s); given != ir::no_value) return value(given, at, further);
        throw operation_has_no_index_form(s.code);
    }
  }
  constexpr bool is_read_of_scan(const ir::statement& s) const {
    return reads_scans && s.code == ir::opcode::result && ir::is_scan(p.operand(s, 0).code);
  }
  /// The value behind a result with a gradient of its own; no_value for other statements.
  constexpr ir::value_id given_back(const ir::statement& s) const {
    if (s.code != ir::opcode::result || p.operand(s, 0).code != ir::opcode::own_gradient) return ir::no_value;
    return ir::arguments_of(p, p.operand(s, 0))[s.output()];
  }

  constexpr int source(ir::value_id i, const place& at) {
    const ir::statement& s = p[i];
    switch (s.code) {
      case ir::opcode::input:
        return read(i, at);
      case ir::opcode::constant:
        return number(s.value());
      case ir::opcode::extent_value:
        return size(s.counted());
      case ir::opcode::vertex_count:
        return of(kind::vertices, s.counted_set());
      case ir::opcode::degree: {
        const int made_at = of(kind::degree, static_cast<int>(s.side()), at.row);
        made.terms[made_at].relation = s.relation();
        return made_at;
      }
      case ir::opcode::vertex_index:
      case ir::opcode::edge_index:
        return variable(at.row);
      case ir::opcode::iota:
        return at.index[0] == none ? number(0) : at.index[0];
      default:
        throw operation_has_no_index_form(s.code);
    }
  }

  constexpr int pointwise(ir::value_id i, const place& at, int depth) {
    const ir::statement& s = p[i];
    if (s.code == ir::opcode::training) throw operation_has_no_index_form(s.code);
    int x[ir::statement::max_operands] = {none, none, none};
    for (int k = 0; k < s.arity(); ++k) x[k] = value(s.operands[k], broadcast(at, s.dims, p.operand(s, k).dims), depth);
    if (s.code == ir::opcode::broadcast_to) return x[0];
    if (s.code == ir::opcode::softmax_edges || s.code == ir::opcode::softmax_axes)
      return apply(ir::opcode::mul, i, apply(ir::opcode::exp, i, apply(ir::opcode::sub, i, x[0], x[1])), x[2]);
    return apply(s.code, i, x[0], x[1], x[2]);
  }

  constexpr int feature(ir::value_id i, const place& at, int depth) {
    const ir::statement& s = p[i];
    const ir::shape from = p.operand(s, 0).dims;
    if (s.is_sequence() || p.operand(s, 0).is_sequence()) return at_a_step(i, at, depth);
    place there = at, nothing;
    nothing.row = at.row;
    switch (op::info_of(s.code).moves) {
      case op::movement::whole:
        return value(s.operands[0], reshaped(at, s.dims, from), depth);
      case op::movement::swap:
        there.index[s.swapped_axis()] = at.index[s.other_axis()];
        there.index[s.other_axis()] = at.index[s.swapped_axis()];
        return value(s.operands[0], there, depth);
      case op::movement::runs:
        return from_runs(i, at, depth);
      case op::movement::from_entry: {
        const int entry = there.index[0] = value(s.operands[1], nothing, depth);
        for (int a = 1; a < from.rank; ++a) there.index[a] = at.index[a - 1];
        const int inside = value(s.operands[0], there, depth);
        const int up_to = term(kind::choose, term(kind::below, entry, size(from.axes[0])), inside);
        return term(kind::choose, term(kind::below, entry, number(0)), none, up_to);
      }
      case op::movement::to_entry: {
        const int entry = value(s.operands[1], nothing, depth);
        for (int a = 0; a < from.rank; ++a) there.index[a] = at.index[a + 1];
        const int here = at.index[0] == none ? number(0) : at.index[0];
        const int x = value(s.operands[0], there, depth);
        return term(kind::choose, term(kind::same, here, entry), x);
      }
      case op::movement::none:
        break;
    }
    return reduced(i, at, depth);
  }
  /// Of each run the element that would lie at a place, and the first run that reaches so far.
  constexpr int from_runs(ir::value_id i, const place& at, int depth) {
    const ir::statement& s = p[i];
    const op::runs runs = op::runs_of(p, s);
    const int axis = s.part_axis();
    int along[op::runs::most] = {}, inside[op::runs::most] = {};
    for (int k = 0; k < runs.count; ++k) {
      const op::run& r = runs.of[k];
      place there = at;
      along[k] = shifted(kind::minus, at.index[axis], r.to);
      there.index[axis] = shifted(kind::plus, along[k], r.from);
      inside[k] = value(s.operands[r.operand], there, depth);
      if (along[k] == none) along[k] = number(0);
    }
    const int last = runs.count - 1;
    int made = runs.fill ? inside[last] : none;
    for (int k = runs.fill ? last - 1 : last; k >= 0; --k) {
      made = term(kind::choose, term(kind::below, along[k], size(runs.of[k].length)), inside[k], made);
      const bool is_behind_zeros = !runs.fill && runs.of[k].to.code != 0;
      if (is_behind_zeros) made = term(kind::choose, term(kind::below, along[k], number(0)), none, made);
    }
    return made;
  }
  constexpr int reduced(ir::value_id i, const place& at, int depth) {
    const ir::statement& s = p[i];
    const ir::shape from = p.operand(s, 0).dims;
    place there = at;
    int over[ir::shape::max_rank] = {none, none, none, none}, axes = 0;
    for (int a = 0; a < from.rank; ++a) {
      if (!s.reduces(a) || from.axes[a].is_one()) continue;
      over[a] = new_feature(from.axes[a]);
      there.index[a] = variable(over[a]);
      ++axes;
    }
    const bool is_share = s.code == ir::opcode::reduce_top_share;
    if (is_share && axes == 0) return number(1);
    if (is_share && axes > 1) throw operation_has_no_index_form(s.code);  // is none of shares along one axis
    int body = value(s.operands[0], there, depth);
    for (int a = from.rank - 1; a >= 0; --a)
      if (over[a] != none) body = reduce(s.code, over[a], body);
    return body;
  }

  /// The values that a scan collected, as one value with the steps as first axis.
  constexpr int at_a_step(ir::value_id i, const place& at, int depth) {
    const ir::statement& s = p[i];
    const ir::statement& from = p.operand(s, 0);
    const bool is_stacked =
        ir::is_view(s) && !s.is_sequence() && is_read_of_scan(from) && s.dims.rank > 0 && s.dims.axes[0] == from.over;
    if (!is_stacked) throw operation_has_no_index_form(s.code);
    ir::shape of_one;
    place one;
    for (int a = 1; a < s.dims.rank; ++a) {
      one.index[a - 1] = at.index[a];
      of_one.push(s.dims.axes[a]);
    }
    place there = reshaped(one, of_one, from.dims);
    there.step = at.index[0] == none ? number(0) : at.index[0];
    return value(s.operands[0], there, depth);
  }

  constexpr int dense(ir::value_id i, const place& at, int depth) {
    const ir::statement& s = p[i];
    const ir::shape x_dims = p.operand(s, 0).dims, w_dims = p.operand(s, 1).dims;
    if (ir::is_sparse_product(s) && p.operand(s, 2).code == ir::opcode::keep_mask)
      throw operation_has_no_index_form(ir::opcode::keep_mask);
    const bool is_reduced = s.code == ir::opcode::reduced_matmul || s.code == ir::opcode::sparse_reduced_matmul;
    place x = at, w;
    if (is_reduced) return reduced_product(i, at, depth);
    const int last = x_dims.rank - 1, inner = s.code == ir::opcode::matmul && s.is_transposed() ? 1 : 0;
    const bool sums = !x_dims.axes[last].is_one();
    const int over = sums ? new_feature(x_dims.axes[last]) : none;
    w.index[1 - inner] = w_dims.axes[1 - inner].is_one() ? none : at.index[last];
    x.index[last] = w.index[inner] = sums ? variable(over) : none;
    const int left = value(s.operands[0], x, depth), right = value(s.operands[1], w, depth);
    const int product = apply(ir::opcode::mul, i, left, right);
    return sums ? reduce(ir::opcode::reduce_sum, over, product) : product;
  }
  /// Σ over rows of x with this index as entry, else 0.
  constexpr int scattered(ir::value_id i, const place& at, int depth) {
    const ir::statement& s = p[i];
    place x, nothing;
    x.row = nothing.row = new_row(p.operand(s, 0).where);
    for (int a = 1; a < s.dims.rank; ++a) x.index[a - 1] = at.index[a];
    const int here = at.index[0] == none ? number(0) : at.index[0];
    const int entry = value(s.operands[1], nothing, depth), row = value(s.operands[0], x, depth);
    return reduce(ir::opcode::sum_vertices, x.row, term(kind::choose, term(kind::same, here, entry), row));
  }
  constexpr int reduced_product(ir::value_id i, const place& at, int depth) {
    const ir::statement& s = p[i];
    const ir::statement& from = p.operand(s, 0);
    place x, g;
    x.row = new_row(from.where);
    g.row = x.row;
    const int last = from.dims.rank - 1;
    int over[ir::shape::max_rank] = {none, none, none, none};
    for (int a = 0; a < last; ++a) {
      if (from.dims.axes[a].is_one()) continue;
      over[a] = new_feature(from.dims.axes[a]);
      x.index[a] = g.index[a] = variable(over[a]);
    }
    x.index[last] = at.index[0];
    g.index[last] = at.index[1];
    const int left = value(s.operands[0], x, depth), right = value(s.operands[1], g, depth);
    int body = apply(ir::opcode::mul, i, left, right);
    for (int a = last - 1; a >= 0; --a)
      if (over[a] != none) body = reduce(ir::opcode::reduce_sum, over[a], body);
    return reduce(ir::opcode::sum_vertices, x.row, body);
  }

  bool one_statement, reads_scans;
  sequence<int> readings{};
  ir::flags is_named{}, queued{};
  sequence<ir::value_id> waiting{};
};

}  // namespace detail

/// A value through its statement: one equation that reads operands by their names. Axes of one place have no index;
/// reshape, slice and the like are arithmetic on places. Throws operation_has_no_index_form, value_is_unknown.
constexpr index_equations index_form(const ir::program& p, ir::value_id value) {
  return detail::index_writer(p, true).run(node_of(p, value).at);
}
/// The index form down to the inputs. A value with several readers, with a name, or among the outputs has an equation
/// of its own, behind its readers; so do values at the end of long ways. The text is therefore linear in statements.
constexpr index_equations index_form_to_inputs(const ir::program& p, ir::value_id value) {
  return detail::index_writer(p, false).run(node_of(p, value).at);
}
/// The index form down to inputs and results of scans, read as inputs are: with a value for each step, v[t,i,f] is the
/// value of step t. index_form_to_scans of the step's own program shows the work of a step.
constexpr index_equations index_form_to_scans(const ir::program& p, ir::value_id value) {
  return detail::index_writer(p, false, true).run(node_of(p, value).at);
}

}  // namespace stg::examine
