// Phrases of the kind that layers are made of, which single operations would hardly ever form and which passes look
// for.
#pragma once

#include "operation_writer.hpp"  // operation_writer

#include <cstdint>  // int64_t
#include <utility>  // swap

namespace stg::test {

class phrase_writer {
 public:
  using id = ir::value_id;
  static constexpr int phrases = 20;

  phrase_writer(program_builder& to, choices& c) : to(to), c(c), one(to, c) {}

  id write(int which) {
    switch (which) {
      case 0:
        return mean(one.edge(), one.side());
      case 1:
        return softmax(one.fitted(one.edge(), ir::opcode::top_share_edges, 0), one.side());
      case 2:
      case 3:
        return attention(one.side());
      case 4:
        return convolution(one.side());
      case 5:
      case 6:
        return layer();
      case 7:
        return normalised();
      case 8:
        return feature_softmax();
      case 9: {  // Σ a x, with a the owner's
        const ir::direction side = one.side();
        return sum(mul(owner(one.real(ir::space::vertex), side), one.edge()), side);
      }
      case 10: {
        const id once = sum(gather(one.real(ir::space::vertex), one.gather()), one.side());
        return sum(mul(gather(once, one.gather()), one.edge()), one.side());
      }
      case 11: {
        const id x = c.one_in(2) ? one.edge() : one.real(ir::space::vertex);
        return mul(x, to.mask(to.program[x].where, to.program[x].dims));
      }
      case 12:
        return sum(to.apply(ir::opcode::negate, one.edge()), one.side());
      case 13:
        return to.aggregate(
            ir::opcode::max_edges,
            to.apply(ir::opcode::sub, gather(one.real(ir::space::vertex), ir::opcode::gather_src), one.edge()),
            one.side());
      case 14: {
        const ir::direction side = one.side();
        const id score = one.fitted(one.edge(), ir::opcode::top_share_edges, 0);
        const id largest = log_sum_exp(score, side);
        const id any = to.apply(ir::opcode::less, to.constant(0), to.degree(side));
        return to.apply(ir::opcode::select, any, largest, to.constant(c.number()));
      }
      case 15:
        return over_edges();
      case 16:
        return product_of_graph_values();
      case 17:
        return cross_entropy();
      case 18:
        return sum_of_products();
      default:
        return product_of_edges();
    }
  }

 private:
  id mul(id a, id b) { return to.apply(ir::opcode::mul, a, b); }
  id sum(id x, ir::direction side) { return to.aggregate(ir::opcode::sum_edges, x, side); }
  id gather(id x, ir::opcode end) { return to.apply(end, x); }
  id owner(id x, ir::direction side) {
    return gather(x, side == ir::direction::in ? ir::opcode::gather_dst : ir::opcode::gather_src);
  }
  id neighbour(id x, ir::direction side) {
    return gather(x, side == ir::direction::in ? ir::opcode::gather_src : ir::opcode::gather_dst);
  }
  id degree(ir::direction side) { return to.apply(ir::opcode::max, to.degree(side), to.constant(0.5)); }
  id mean(id x, ir::direction side) { return to.apply(ir::opcode::div, sum(x, side), degree(side)); }

  id softmax(id score, ir::direction side) {
    const id most = to.aggregate(ir::opcode::max_edges, score, side);
    const id share = to.aggregate(ir::opcode::top_share_edges, score, side);
    const auto write = [&](id x, id a, id b) {
      return one.softmax(x, a, b, ir::opcode::softmax_edges, static_cast<int>(side));
    };
    if (!c.one_in(12)) return write(score, owner(most, side), owner(share, side));
    // looks like a softmax and is none, for which its gradient would be wrong
    const id other = to.apply(ir::opcode::detach, c.one_in(2) ? to.apply(ir::opcode::tanh, score) : score);
    const auto end = [&](id x) { return c.one_in(2) ? neighbour(x, side) : owner(x, side); };
    return write(other, end(most), end(share));
  }
  /// As the language writes it: max x less the logarithm of the largest share.
  id log_sum_exp(id x, ir::direction side) {
    const id share = to.aggregate(ir::opcode::top_share_edges, x, side);
    const id most = shift(to.aggregate(ir::opcode::max_edges, x, side));
    return to.apply(ir::opcode::sub, most, to.apply(ir::opcode::log, share));
  }
  id shift(id x) {
    ir::statement s = to.blank(ir::opcode::detach, x);
    s.set_shifted();
    return to.make(s);
  }
  id log_softmax(id x, std::int64_t axes) {
    const id share = to.reduce(ir::opcode::reduce_top_share, x, axes);
    const id most = shift(to.reduce(ir::opcode::reduce_max, x, axes));
    return to.apply(ir::opcode::add, to.apply(ir::opcode::sub, x, most), to.apply(ir::opcode::log, share));
  }
  /// Veličković et al., ICLR 2018; the score is a number per head, of rows (heads, features), or one in all.
  id attention(ir::direction side) {
    const id h = to.pick(
        c, [](const ir::statement& s) { return s.where == ir::space::vertex && s.type == f64 && s.dims.rank == 2; });
    const id rows = h == ir::no_value || c.one_in(4) ? one.input(ir::space::vertex, one.shape_of_rank(2)) : h;
    const id to_score = mul(rows, one.parameter(to.program[rows].dims));
    const std::int64_t axes = c.one_in(3) ? 3 : 2;
    const id left = to.reduce(ir::opcode::reduce_sum, rows, axes);
    const id right = to.reduce(ir::opcode::reduce_sum, to_score, axes);
    ir::statement slope =
        to.blank(ir::opcode::leaky_relu, to.apply(ir::opcode::add, neighbour(left, side), owner(right, side)));
    slope.set_slope(0.2);
    const std::optional<id> leaky = to.attempt(slope);
    const id score = one.fitted(leaky ? *leaky : slope.operands[0], ir::opcode::top_share_edges, 0);
    id alpha = softmax(score, side);
    if (c.one_in(4)) alpha = mul(alpha, to.mask(ir::space::edge, to.program[alpha].dims));
    return sum(mul(alpha, neighbour(rows, side)), side);
  }
  /// Kipf & Welling, ICLR 2017.
  id convolution(ir::direction side) {
    const id x = linear();
    const id scale = to.apply(ir::opcode::rsqrt, degree(side));
    return mul(sum(neighbour(mul(x, scale), side), side), scale);
  }
  id linear() {
    const id x = one.write(ir::opcode::matmul);
    if (c.one_in(2)) return x;
    ir::shape last;
    last.push(to.program[x].dims.axes[to.program[x].dims.rank - 1]);
    return to.apply(ir::opcode::add, x, one.parameter(last));
  }
  id layer() {
    constexpr ir::opcode activations[] = {ir::opcode::relu, ir::opcode::tanh, ir::opcode::sigmoid};
    return to.apply(activations[c.below(3)], linear());
  }
  /// Over all vertices: to mean 0 and variance 1.
  id normalised() {
    const id x = one.real(ir::space::vertex);
    ir::statement vertices = to.blank(ir::opcode::vertex_count);
    vertices.type = f64;
    const id n = to.apply(ir::opcode::max, to.make(vertices), to.constant(0.5));
    const id centred =
        to.apply(ir::opcode::sub, x, to.apply(ir::opcode::div, to.apply(ir::opcode::sum_vertices, x), n));
    const id squares = to.apply(ir::opcode::sum_vertices, mul(centred, centred));
    const id variance = to.apply(ir::opcode::add, to.apply(ir::opcode::div, squares, n), to.constant(0.1));
    return mul(centred, to.apply(ir::opcode::rsqrt, variance));
  }
  id feature_softmax() {
    const id x =
        one.fitted(one.real(c.one_in(3) ? ir::space::edge : ir::space::vertex), ir::opcode::reduce_top_share, 0);
    const int rank = to.program[x].dims.rank;
    if (rank == 0) throw program_builder::does_not_fit();
    const std::int64_t axes = std::int64_t(1) << c.below(rank);
    return c.one_in(2) ? log_softmax(x, axes) : one.softmax_along(x, axes);
  }
  /// Of logits with one axis, labels and a mask, whose labels are checked.
  id cross_entropy() {
    const id logits = one.fitted(one.input(ir::space::vertex, one.shape_of_rank(1)), ir::opcode::reduce_top_share, 0);
    const id labels = to.input(ir::space::vertex, i32, ir::shape(), false, false, c);
    const id mask = to.input(ir::space::vertex, boolean, ir::shape(), false, false, c);
    ir::label_range range;
    range.labels = labels;
    range.mask = mask;
    range.classes = ir::extent(5);
    to.program.checks.push_back(range);
    ir::statement classes = to.blank(ir::opcode::iota);
    classes.type = i32;
    classes.dims = to.program[logits].dims;
    const id zero = to.constant(0);
    const id logarithm = log_softmax(logits, 1);
    const id is_label = to.apply(ir::opcode::equal, to.make(classes), labels);
    const id chosen = to.apply(ir::opcode::select, is_label, logarithm, zero);
    const id loss = to.reshape(to.reduce(ir::opcode::reduce_sum, chosen, 1), ir::shape());
    return to.apply(ir::opcode::sum_vertices, to.apply(ir::opcode::select, mask, loss, zero));
  }

  /// The mean over all edges of a loss, or over those of a mask.
  id over_edges() {
    const ir::direction side = one.side();
    const id x = one.edge();
    id loss = mul(x, x);
    id counted = to.apply(ir::opcode::sum_vertices, to.degree(side));
    if (c.one_in(2)) {
      const id chosen = to.input(ir::space::edge, boolean, ir::shape(), false, false, c);
      loss = to.apply(ir::opcode::select, chosen, loss, to.constant(0));
      ir::statement number = to.blank(ir::opcode::cast, chosen);
      number.type = f64;
      counted = to.apply(ir::opcode::sum_vertices, sum(to.make(number), side));
    }
    const id all = to.apply(ir::opcode::sum_vertices, sum(loss, side));
    return to.apply(ir::opcode::div, all, to.apply(ir::opcode::max, counted, to.constant(1)));
  }
  /// x W of a pooled value and a parameter: Σ over k of x (k, 1) ⊙ W (k, m).
  id product_of_graph_values() {
    const id rows = one.input(ir::space::vertex, one.shape_of_rank(1));
    const id x = c.one_in(2) ? to.apply(ir::opcode::sum_vertices, rows) : one.parameter(to.program[rows].dims);
    ir::shape column = to.program[x].dims, matrix = column, row;
    column.push(ir::extent(1));
    matrix.push(one.axis());
    row.push(matrix.axes[1]);
    const id product = mul(to.reshape(x, column), one.parameter(matrix));
    return to.reshape(to.reduce(ir::opcode::reduce_sum, product, 1), row);
  }

  // ---- products around sums over edges ----

  /// x W, where W mostly widens.
  id product(id x) {
    constexpr std::int64_t lengths[] = {8, 4, 3, 2};
    const int rank = to.program[x].dims.rank;
    if (rank == 0) throw program_builder::does_not_fit();
    const bool transposed = c.one_in(4);
    ir::shape dims;
    dims.push(to.program[x].dims.axes[rank - 1]);
    dims.push(c.one_in(4) ? one.axis() : ir::extent(lengths[c.below(4)]));
    if (transposed) std::swap(dims.axes[0], dims.axes[1]);
    ir::statement s = to.blank(ir::opcode::matmul, x, one.parameter(dims));
    s.set_transposed(transposed);
    return to.make(s);
  }
  /// Rows of one axis, of which some need no gradient.
  id plain_rows() {
    const id known = to.pick(
        c, [](const ir::statement& s) { return s.where == ir::space::vertex && s.type == f64 && s.dims.rank == 1; });
    if (known != ir::no_value && c.one_in(2)) return known;
    return to.input(ir::space::vertex, f64, one.shape_of_rank(1), c.one_in(2), false, c);
  }
  /// A number for x to be scaled by: one per row, one in all, or, seldom, one per feature.
  id scale_of(id x) {
    const ir::statement of = to.program[x];
    const int kind = c.below(8);
    if (kind == 0) return one.input(of.where, of.dims);
    if (kind == 1) return to.constant(one.number());
    return one.number_of(kind == 2 ? ir::space::graph : of.where);
  }
  /// Σ weight · gather(factor · (x W)), the product of that, and a factor of its own; each may be missing.
  id sum_of_products() {
    const ir::direction side = one.side();
    id x = plain_rows();
    if (!c.one_in(4)) x = product(x);
    if (c.one_in(2)) x = mul(scale_of(x), x);
    x = gather(x, one.gather());
    if (c.one_in(2)) x = mul(scale_of(x), x);
    x = sum(x, side);
    if (c.one_in(2)) x = product(x);
    return c.one_in(2) ? mul(scale_of(x), x) : x;
  }
  /// Products of what edges see of their ends: (x_j - x_i) W, concat(x_i, x_j) W, (n · x_j) W; then their sum.
  id product_of_edges() {
    const id own = plain_rows();
    id x = gather(own, one.gather());
    const int kind = c.below(5);
    if (kind == 0) x = to.apply(ir::opcode::negate, x);
    if (kind == 1 || kind == 2) {
      const id other = c.one_in(2) ? one.input(ir::space::vertex, to.program[own].dims) : own;
      x = to.apply(kind == 1 ? ir::opcode::sub : ir::opcode::add, x, gather(other, one.gather()));
    }
    if (kind == 3) x = mul(scale_of(x), x);
    if (kind == 4 || c.one_in(4)) x = joined(gather(plain_rows(), one.gather()), x);
    x = product(x);
    return c.one_in(4) ? x : sum(x, one.side());
  }
  id joined(id a, id b) {
    ir::statement s = to.blank(ir::opcode::concat, a, b);
    s.dims = to.program[a].dims;
    s.dims.axes[0] = to.program.intern(to.program.polynomial_of(s.dims.axes[0]) +
                                       to.program.polynomial_of(to.program[b].dims.axes[0]));
    return to.make(s);
  }

  program_builder& to;
  choices& c;
  operation_writer one;
};

}  // namespace stg::test
