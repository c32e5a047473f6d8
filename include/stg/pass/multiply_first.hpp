// multiply_first: dense products of edge values become products of vertex values, of which there are fewer.
//
//   gather(x) W                → gather(x W)
//   (a ± b) W, (-a) W          → a W ± b W, -(a W)      if the new factors are gathered
//   (n · a) W                  → n · (a W)              n: one number per edge, or for the graph
//   concat(a, b) W             → a W[first rows] + b W[last rows]
//   u W                        → Σ_k u_k W_km           u of the graph, a part of the above: once for all edges
//   sum(m W)                   → sum(m) W               if m is no such value
//   Σ_k x_k W[i]_km            → (x W')[i]              W' = (k, entries · m): all of W at once, then the entry
//
// concat(x_i, x_j - x_i) W, an edge's view of both its ends, so becomes three products of vertex values, and the loop
// over edges adds rows. A vertex without edges takes part in the new product, but not in the old one: where it may hold
// an infinity or NaN, as 1/√degree of none or an exponential, it is multiplied as 0, or 0 · ∞ would spoil the gradient
// of W. Products left on edges are arrays with |E| rows. Runs before autodiff, whose gradient follows, and before
// aggregate_first, which then chooses by width between A (x W) and (A x) W.
#pragma once

#include <limits>  // numeric_limits

#include <stg/base/math.hpp>      // is_finite
#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program
#include <stg/ir/rewriting.hpp>   // rewriting
#include <stg/op/list.hpp>        // info_of
#include <stg/pass/cse.hpp>       // canonical
#include <stg/pass/value.hpp>     // value, make, matmul, part

namespace stg::pass {

namespace detail {

class multiply_first_rule : ir::rewriting {
 public:
  constexpr explicit multiply_first_rule(const ir::program& of) : rewriting(of) {}

  constexpr ir::program run() {
    return rewriting::run([this](ir::rewriting&, ir::value_id i) { return rewrite(canonical(renamed(i))); });
  }

 private:
  static constexpr bool is_gather(const ir::statement& s) { return op::info_of(s.code).kind == op::category::gather; }
  constexpr bool is_product_of_edges(const ir::statement& s) const {
    return s.code == ir::opcode::matmul && s.where == ir::space::edge && !is_storage(q.operand(s, 0).type);
  }
  constexpr value at_now(ir::value_id i) { return value{&q, i}; }
  constexpr value scoped(const ir::statement& s) {
    ir::statement with = canonical(s);
    with.scopes = scopes;
    return make(q, with);
  }

  constexpr ir::value_id rewrite(const ir::statement& s) {
    scopes = s.scopes;
    edges = s.where;
    if (is_product_of_edges(s) && !s.is_transposed() && gains(s.operands[0]))
      return product(s.operands[0], at_now(s.operands[1])).id;
    const ir::value_id chosen = by_chosen_entry(s);
    if (chosen != ir::no_value) return chosen;
    if (s.code == ir::opcode::sum_edges && is_product_of_edges(q.operand(s, 0))) {
      const ir::statement m = q.operand(s, 0);
      ir::statement total = s;
      total.operands[0] = m.operands[0];
      return matmul(scoped(total), at_now(m.operands[1]), m.is_transposed()).id;
    }
    return q.emit(s);
  }

  constexpr static bool is_one_number(const ir::statement& s) { return s.dims.rank == 0; }
  constexpr bool joins_rows(const ir::statement& s) const {
    return op::joins(s.code) && s.part_axis() == s.dims.rank - 1;
  }
  /// The operand of a product by one number that is the row; -1 if none is.
  constexpr int scaled_operand(const ir::statement& s) const {
    if (s.code != ir::opcode::mul) return -1;
    for (int k = 0; k < 2; ++k)
      if (is_one_number(q.operand(s, 1 - k)) && q.operand(s, k).where == ir::space::edge) return k;
    return -1;
  }
  constexpr bool is_sum_of_rows(const ir::statement& s) const {
    if (s.code != ir::opcode::add && s.code != ir::opcode::sub) return false;
    const ir::statement &a = q.operand(s, 0), &b = q.operand(s, 1);
    return s.where == ir::space::edge && a.dims == s.dims && b.dims == s.dims;
  }
  /// A row of the graph, multiplied once. A row that may be infinite waits for an edge, as gathered values do.
  constexpr bool is_row_of_graph(ir::value_id x) const {
    return q[x].where == ir::space::graph && q[x].dims.rank < ir::shape::max_rank && !may_be_infinite(x);
  }

  /// Whether x W needs no product of edge values at all.
  constexpr bool is_made_of_gathers(ir::value_id x) const {
    const ir::statement& s = q[x];
    if (is_gather(s) || is_row_of_graph(x)) return true;
    if (s.where != ir::space::edge) return false;
    if (s.code == ir::opcode::negate) return is_made_of_gathers(s.operands[0]);
    if (is_sum_of_rows(s) || joins_rows(s))
      return is_made_of_gathers(s.operands[0]) && is_made_of_gathers(s.operands[1]);
    const int row = scaled_operand(s);
    return row >= 0 && is_made_of_gathers(s.operands[row]);
  }
  /// Whether a part of it needs none, at least.
  constexpr bool gains(ir::value_id x) const {
    if (is_made_of_gathers(x)) return true;
    return joins_rows(q[x]) && (gains(q[x].operands[0]) || gains(q[x].operands[1]));
  }

  /// Above 0 in every scalar type.
  static constexpr bool is_positive(const ir::statement& s) {
    return s.code == ir::opcode::constant && s.value() >= static_cast<double>(std::numeric_limits<float>::min());
  }
  /// Whether a value of finite operands may be an infinity or NaN. A quotient by at least some constant is finite.
  constexpr bool may_overflow(const ir::statement& s) const {
    if (s.code == ir::opcode::constant) return !math::is_finite(s.value());
    if (s.code == ir::opcode::cast)
      return is_differentiable(s.type) && bytes_of(s.type) < bytes_of(q.operand(s, 0).type);
    if (op::info_of(s.code).finite) return false;
    if (s.code != ir::opcode::div) return true;
    const ir::statement& by = q.operand(s, 1);
    if (by.code != ir::opcode::max) return !is_positive(by);
    return !is_positive(q.operand(by, 0)) && !is_positive(q.operand(by, 1));
  }
  /// Whether it or anything it is computed from may be.
  constexpr bool may_be_infinite(ir::value_id x) const {
    ir::flags read(x + 1, 0);
    read[x] = 1;
    for (ir::value_id i = x; i >= 0; --i) {
      if (!read[i]) continue;
      if (may_overflow(q[i])) return true;
      for (int k = 0; k < q[i].arity(); ++k) read[q[i].operands[k]] = 1;
    }
    return false;
  }
  /// The gathered value; 0 if no edge reads it and it may be infinite.
  constexpr value with_edges(const ir::statement& gather) {
    const value x = at_now(gather.operands[0]);
    if (!may_be_infinite(x.id)) return x;
    return where_there_are_edges(x, gather.where.set, ir::owner_side(gather.code),
                                 [&](const ir::statement& s) { return scoped(s); });
  }

  constexpr value product(ir::value_id x, value w) {
    const ir::statement s = q[x];
    if (!gains(x)) return scoped(blank(ir::opcode::matmul, seen_from_edges(x), w));
    if (is_row_of_graph(x)) return row_of_graph(at_now(x), w);
    if (is_gather(s)) {
      ir::statement gathered = blank(s.code, scoped(blank(ir::opcode::matmul, with_edges(s), w)));
      gathered.where = s.where;
      return scoped(gathered);
    }
    if (s.code == ir::opcode::negate) return scoped(blank(s.code, product(s.operands[0], w)));
    if (joins_rows(s)) {
      const ir::extent first = q.operand(s, 0).dims.from_right(0), last = q.operand(s, 1).dims.from_right(0);
      const value a = product(s.operands[0], rows_of(w, ir::extent(0), first));
      return scoped(blank(ir::opcode::add, a, product(s.operands[1], rows_of(w, first, last))));
    }
    if (is_sum_of_rows(s)) {
      const value a = product(s.operands[0], w);
      return scoped(blank(s.code, a, product(s.operands[1], w)));
    }
    const int row = scaled_operand(s);
    return scoped(blank(ir::opcode::mul, at_now(s.operands[1 - row]), product(s.operands[row], w)));
  }
  constexpr value seen_from_edges(ir::value_id x) {
    const ir::statement s = q[x];
    if (s.where != ir::space::graph) return at_now(x);
    ir::statement on_edges = blank(ir::opcode::broadcast_to, at_now(x));
    on_edges.where = edges;
    on_edges.dims = s.dims;
    return scoped(on_edges);
  }
  /// (…, k) × (k, m) → (…, m), as a sum of rows of w.
  constexpr value row_of_graph(value x, value w) {
    ir::shape column = x.dims(), result = x.dims();
    column.push(ir::extent(1));
    result.axes[result.rank - 1] = w.dims().axes[1];
    ir::statement total = blank(ir::opcode::reduce_sum, scoped(blank(ir::opcode::mul, reshape(x, column), w)));
    total.set_only_axis(result.rank - 1);
    return reshape(scoped(total), result);
  }
  constexpr value rows_of(value w, ir::extent begin, ir::extent count) {
    ir::shape dims = w.dims();
    dims.axes[0] = count;
    return slice(w, 0, begin, dims);
  }

  /// The products that `matmul` writes for rows with a matrix of their own, an entry of a parameter: a row of the
  /// parameter's matrices side by side is one product, and the entry is then a part of the row.
  constexpr ir::value_id by_chosen_entry(const ir::statement& s) {
    if (s.code != ir::opcode::reduce_sum || s.axes() != 1 || s.dims.rank != 2) return ir::no_value;
    const ir::statement terms = q.operand(s, 0);
    if (terms.code != ir::opcode::mul) return ir::no_value;
    for (int k = 0; k < 2; ++k) {
      const ir::statement column = q.operand(terms, k), entry = q.operand(terms, 1 - k);
      if (!ir::is_view(column) || entry.code != ir::opcode::pick || !(entry.dims == terms.dims)) continue;
      const ir::statement w = q.operand(entry, 0);
      const value x = at_now(column.operands[0]), index = at_now(entry.operands[1]);
      const bool is_column = x.dims().rank == 1 && column.dims.rank == 2 && column.dims.axes[1].is_one();
      if (w.where != ir::space::graph || w.dims.rank != 3 || !is_column) continue;
      if (x.where() != s.where || s.where == ir::space::graph) continue;
      const ir::extent entries = w.dims.axes[0], columns = w.dims.axes[2];
      const ir::polynomial width = q.polynomial_of(entries) * q.polynomial_of(columns);
      if (!width.fits()) continue;
      const ir::statement turned = transposed(at_now(entry.operands[0]), 0, 1);
      ir::shape side_by_side;
      side_by_side.push(w.dims.axes[1]);
      side_by_side.push(q.intern(width));
      const value all = product(x.id, reshape(scoped(turned), side_by_side));
      ir::shape apart;
      apart.push(entries);
      apart.push(ir::extent(1));
      apart.push(columns);
      return scoped(blank(ir::opcode::pick, reshape(all, apart), index)).id;
    }
    return ir::no_value;
  }

  int scopes = 0;
  ir::domain edges{};  // of the statement at hand
};

}  // namespace detail

constexpr ir::program multiply_first(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if ((s.code == ir::opcode::matmul && s.where == ir::space::edge) || s.code == ir::opcode::pick)
      return detail::multiply_first_rule(p).run();
  return p;
}

}  // namespace stg::pass
