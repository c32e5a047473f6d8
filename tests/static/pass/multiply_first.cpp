// multiply_first: products of what edges gather are products of vertex values; others stay where they are.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/compile.hpp>
#include <stg/pass/multiply_first.hpp>

#include <limits>

namespace stg {

constexpr auto V = parameter<"V", 8, 2>;
constexpr auto U = parameter<"U", 3, 4, 2>;
constexpr auto u = edge_feature<"u", 4>;
constexpr auto kind = edge_feature<"kind", i32>;

constexpr ir::program rewritten(auto program) {
  return pass::dce(pass::multiply_first(pass::cse(pass::order(trace(program)))));
}
constexpr int products_on(const ir::program& p, ir::domain where) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == ir::opcode::matmul && s.where == where;
  return n;
}
constexpr bool has_products(auto program, int of_vertices, int of_edges) {
  const ir::program p = rewritten(program);
  return products_on(p, ir::space::vertex) == of_vertices && products_on(p, ir::space::edge) == of_edges &&
         pass::verify(p).what == op::rule::none;
}

constexpr auto gathered = [](auto v) { return sum(matmul(v.in_edges().src(x), W)); };
constexpr auto gathered_by_hand = [](auto v) { return sum(v.in_edges().src(matmul(v(x), W))); };
static_assert(pass::reorder(rewritten(gathered)) == pass::order(trace(gathered_by_hand)));

// A parameter per relation whose entries side by side would be wider than an extent has room for stays where it is.
constexpr auto wide = vertex_feature<"wide", extent<"A">>;
constexpr auto of_names = parameter<"of_names", extent<"R"> * extent<"S">, extent<"A">, extent<"H"> * extent<"T">>;
constexpr auto kind_of_edge = edge_feature<"kind_of_edge", i32>;
static_assert(has_products(
    [](auto v) {
      auto e = v.in_edges();
      return sum(matmul(e.src(wide), of_names[e(kind_of_edge)]));
    },
    0, 0));

// both ends of an edge, as EdgeConv sees them: x_i W1, x_i W2 and x_j W2, the last two of which are one product
static_assert(has_products(
    [](auto v) {
      auto e = v.in_edges();
      return max(relu(matmul(concat<axis<0>>(e.dst(x), e.src(x) - e.dst(x)), V)));
    },
    2, 0));
static_assert(has_products(
    [](auto v) { return sum(v.in_edges()(w) * -matmul(v.in_edges()(w) * v.in_edges().src(x), W)); }, 1, 0));
// only the edge's own part stays on edges, and a sum of it is multiplied once per vertex
static_assert(has_products(
    [](auto v) {
      auto e = v.in_edges();
      return max(matmul(concat<axis<0>>(e.src(x), e(u)), V));
    },
    1, 1));
static_assert(has_products([](auto v) { return sum(matmul(v.in_edges()(u), W)); }, 1, 0));
static_assert(has_products([](auto v) { return max(matmul(v.in_edges()(u), W)); }, 0, 1));
// what the graph knows is multiplied once, and added to every edge's row
constexpr auto S = parameter<"S", 3, 4, 4>;
constexpr auto global = parameter<"global", 4>;
static_assert(has_products([](auto v) { return sum(matmul(concat<axis<0>>(v.in_edges().src(x), v(global)), V)); }, 1,
                           0));
static_assert(has_products(
    [](auto v) {
      auto e = v.in_edges();
      return sum(matmul(concat<axis<0>>(v(global), e.src(x) - e.dst(x)), V));
    },
    1, 0));
static_assert(has_products([](auto v) { return max(matmul(v.in_edges().src(x) - v(global), W)); }, 1, 0));
static_assert(has_products([](auto v) { return max(matmul(concat<axis<0>>(v.in_edges()(u), v(global)), V)); }, 0, 1));
// but for an infinity, which an edge has to see: with none of them the gradient of V is 0
static_assert(has_products([](auto v) { return sum(matmul(concat<axis<0>>(v.in_edges().src(x), exp(v(global))), V)); },
                           1, 1));
// a matrix that the graph chooses is no product of edges
static_assert(has_products(
    [](auto v) {
      constexpr auto chosen = scalar<"chosen", i32>;
      return v(y) + sum(reshape<4, 1>(v(global)) * S[v(chosen)], axis<0>);
    },
    0, 0));
// a matrix per relation: all of them at once, then the entry
static_assert(has_products([](auto v) { return sum(matmul(v.in_edges().src(x), U[v.in_edges()(kind)])); }, 1, 0));

// 1/√0 of a vertex that no edge reads: it is multiplied as 0
constexpr bool infinities_are_kept_away() {
  const ir::program p = rewritten([](auto v) { return sum(matmul(v.in_edges().dst(rsqrt(v.in_degree()) * v(x)), W)); });
  return products_on(p, ir::space::vertex) == 1 && count_of(p, ir::opcode::select) == 1;
}
static_assert(infinities_are_kept_away());
// and so is whatever else may be infinite or NaN of finite numbers
constexpr int selects(auto f) {
  const ir::program p = rewritten([f](auto v) { return sum(matmul(v.in_edges().dst(f(v(x))), W)); });
  return products_on(p, ir::space::vertex) == 1 ? count_of(p, ir::opcode::select) : -1;
}
constexpr bool keeps_away(auto f) { return selects(f) == 1; }
static_assert(keeps_away([](auto a) { return exp(a); }) && keeps_away([](auto a) { return exp2(a); }) &&
              keeps_away([](auto a) { return expm1(a); }) && keeps_away([](auto a) { return sinh(a); }) &&
              keeps_away([](auto a) { return cosh(a); }) && keeps_away([](auto a) { return log(a); }) &&
              keeps_away([](auto a) { return log2(a); }) && keeps_away([](auto a) { return log1p(a); }) &&
              keeps_away([](auto a) { return sqrt(a); }) && keeps_away([](auto a) { return rsqrt(a); }) &&
              keeps_away([](auto a) { return asin(a); }) && keeps_away([](auto a) { return acos(a); }) &&
              keeps_away([](auto a) { return pow(a, 2.5); }) && keeps_away([](auto a) { return fmod(a, 3.0); }) &&
              keeps_away([](auto a) { return 1.0 / a; }));
constexpr double infinity = std::numeric_limits<double>::infinity();
static_assert(selects([](auto a) { return select(a > 0.0, a, -infinity); }) == 2 &&
                  keeps_away([](auto a) { return 1.0 / max(a, 1e-50); }) &&
                  keeps_away([](auto a) { return cast<f32>(1e300 * cast<f64>(a)); }),
              "a constant may be infinite, or 0 as a float; a cast to fewer bits overflows");
static_assert(!keeps_away([](auto a) { return a; }) && !keeps_away([](auto a) { return a * a / 3.0; }) &&
                  !keeps_away([](auto a) { return 1.0 / max(a, 0.5); }) && !keeps_away([](auto a) { return tanh(a); }),
              "finite numbers are multiplied as they are");

// ---- which values are made of what is gathered ----

// Sums, signs and numbers of what is gathered, whatever is written first; maxima, so that no sum is multiplied instead.
constexpr auto n = edge_feature<"n">;
constexpr auto number = vertex_feature<"number">;
static_assert(has_products([](auto v) { return max(matmul(v.in_edges().src(x) + v.in_edges().dst(y), W)); }, 2, 0));
static_assert(has_products([](auto v) { return max(matmul(-v.in_edges().src(x), W)); }, 1, 0));
static_assert(has_products([](auto v) { return max(matmul(exp(v.in_edges().src(x)), W)); }, 0, 1));
constexpr auto row_first = [](auto v) {
  auto row = v.in_edges().src(x);
  return max(matmul(row * v.in_edges()(n), W));
};
constexpr auto number_first = [](auto v) {
  auto scale = v.in_edges()(n);
  return max(matmul(scale * v.in_edges().src(x), W));
};
static_assert(has_products(row_first, 1, 0) && has_products(number_first, 1, 0));
static_assert(has_products([](auto v) { return max(matmul(v.in_edges().src(x) * v.in_edges().dst(y), W)); }, 0, 1));
// Joined rows within a sum, too.
static_assert(has_products(
    [](auto v) {
      auto e = v.in_edges();
      return max(matmul(concat<axis<0>>(e.src(x), e.src(y)) - concat<axis<0>>(e.dst(x), e.dst(y)), V));
    },
    2, 0));
// One part that the edge has itself, on either side, leaves sums alone; a joined row is divided, unless both are such.
constexpr auto own_first = [](auto v) {
  auto own = v.in_edges()(u);
  return max(matmul(own - v.in_edges().src(x), W));
};
static_assert(has_products([](auto v) { return max(matmul(v.in_edges().src(x) - v.in_edges()(u), W)); }, 0, 1));
static_assert(has_products(own_first, 0, 1));
static_assert(has_products([](auto v) { return max(matmul(concat<axis<0>>(v.in_edges()(u), v.in_edges().src(x)), V)); },
                           1, 1));
constexpr auto other = edge_feature<"other", 4>;
constexpr auto both_own = [](auto v) { return max(matmul(concat<axis<0>>(v.in_edges()(u), v.in_edges()(other)), V)); };
static_assert(has_products(both_own, 0, 1) && count_of(rewritten(both_own), ir::opcode::concat) == 1);
// A number for all features is no row, and neither is a row of the graph that edges scale.
constexpr auto shifted = [](auto v) {
  auto shift = v.in_edges().src(number);
  return max(matmul(v.in_edges().src(x) + shift, W));
};
constexpr auto shifted_first = [](auto v) {
  auto shift = v.in_edges().src(number);
  return max(matmul(shift + v.in_edges().src(x), W));
};
static_assert(has_products(shifted, 0, 1) && has_products(shifted_first, 0, 1));
static_assert(has_products([](auto v) { return max(matmul(v.in_edges()(n) * v(global), W)); }, 0, 1));
// So is one that has no room for an axis of one.
constexpr auto deep = vertex_feature<"deep", 1, 1, 1, 4>;
constexpr auto deep_row = parameter<"deep_row", 1, 1, 1, 4>;
static_assert(has_products([](auto v) { return max(matmul(v.in_edges().src(deep) - v(deep_row), W)); }, 0, 1));
// Rows are joined along their features alone; products of vertex values stay whole.
constexpr auto two_rows = vertex_feature<"two_rows", 2, 4>;
static_assert(has_products(
    [](auto v) { return max(matmul(concat<axis<0>>(v.in_edges().src(two_rows), v.in_edges().dst(two_rows)), W)); }, 0,
    1));
constexpr auto of_vertices = [](auto v) {
  return outputs(matmul(concat<axis<0>>(v(global), v(x)), V), max(matmul(v.in_edges().src(y), W)));
};
static_assert(has_products(of_vertices, 2, 0) && count_of(rewritten(of_vertices), ir::opcode::concat) == 1);
// A parameter that is computed is one all the same, and one that is read transposed is left.
static_assert(has_products([](auto v) { return max(matmul(v.in_edges().src(x), exp(v(W)))); }, 1, 0));
// What is on edges is not spread over them again.
static_assert(count_of(rewritten([](auto v) {
                         return max(matmul(concat<axis<0>>(v.in_edges().src(x), v.in_edges()(u)), V));
                       }),
                       ir::opcode::broadcast_to) == 0);

// What is written belongs to the scopes of the product that it was.
constexpr auto in_scope = [](auto v) {
  return scope<"layer">(v, [](auto v) {
    auto e = v.in_edges();
    return sum(e(n) * -matmul(e(n) * concat<axis<0>>(e.src(x), v(global)), V));
  });
};
constexpr bool scopes_are_kept() {
  for (const ir::statement& s : rewritten(in_scope).statements)
    if (s.where != ir::space::graph && s.scopes == 0) return false;
  return count_of(rewritten(in_scope), ir::opcode::reduce_sum) == 1;
}
static_assert(scopes_are_kept());

// ---- which of them may be infinite ----

static_assert(keeps_away([](auto a) { return 1.0 / max(leaky_relu(a), a); }), "a slope is no lower bound");
static_assert(!keeps_away([](auto a) { return 1.0 / max(0.5, a); }), "a bound that was written first");
static_assert(keeps_away([](auto a) { return infinity * a; }), "a constant is the first statement");
static_assert(!keeps_away([](auto a) { return 1.0 / max(a, double(std::numeric_limits<float>::min())); }));
static_assert(selects([](auto a) { return select(a > 0.0, a, infinity); }) == 2);
static_assert(!keeps_away([](auto a) { return cast<f32>(cast<i32>(a)); }) &&
                  !keeps_away([](auto a) { return cast<f32>(cast<i32>(cast<f64>(a))); }),
              "as many bits, and integers");
constexpr auto wide_x = vertex_feature<"wide_x", f64, 4>;
constexpr auto wide_W = parameter<"wide_W", f64, 4, 2>;
constexpr int selects_with(double bound) {
  return bound > 0 ? count_of(rewritten([](auto v) {
                                auto a = select(v(wide_x) > 0.0, v(wide_x), std::numeric_limits<double>::max());
                                return sum(matmul(v.in_edges().dst(a), wide_W));
                              }),
                              ir::opcode::select)
                   : count_of(rewritten([](auto v) {
                                auto a = select(v(wide_x) > 0.0, v(wide_x), -std::numeric_limits<double>::max());
                                return sum(matmul(v.in_edges().dst(a), wide_W));
                              }),
                              ir::opcode::select);
}
static_assert(selects_with(1) == 1 && selects_with(-1) == 1, "the largest numbers are finite");
// Only what is computed from something infinite is: an exponential beside it changes nothing.
constexpr auto beside = [](auto v) { return outputs(exp(v(y)), max(matmul(v.in_edges().dst(v(x) * 2.0), W))); };
static_assert(count_of(rewritten(beside), ir::opcode::select) == 0);

// ---- which sums are products with a chosen matrix ----

constexpr bool is_left(auto program) {
  const ir::program p = pass::dce(pass::cse(pass::order(trace(program))));
  return pass::dce(pass::multiply_first(p)) == p;
}
constexpr auto column = vertex_feature<"column", 4, 1>;
constexpr auto matrix = parameter<"matrix", 4, 2>;
static_assert(is_left([](auto v) {
                auto e = v.in_edges();
                return max(sum(reshape<4, 1>(e.src(x)) * U[e(kind)], axis<1>));
              }),
              "along the other axis");
static_assert(is_left([](auto v) {
                auto e = v.in_edges();
                return max(sum(reshape<4, 1>(e.src(x)) + U[e(kind)], axis<0>));
              }),
              "a sum of terms that are none");
static_assert(is_left([](auto v) {
                auto e = v.in_edges();
                return max(sum(e.src(column) * U[e(kind)], axis<0>));
              }),
              "a column that was no row");
static_assert(is_left([](auto v) {
                auto e = v.in_edges();
                return outputs(max(sum(reshape<4, 1>(e.src(x)) * matrix, axis<0>)), max(U[e(kind)]));
              }),
              "one matrix for all");
constexpr auto of_edge = edge_feature<"of_edge", 3, 4, 2>;
static_assert(is_left([](auto v) {
                auto e = v.in_edges();
                return max(sum(reshape<4, 1>(e.src(x)) * e(of_edge)[e(kind)], axis<0>));
              }),
              "matrices of an edge's own");
// Rows that are not one column, of edges: matrices that are reshaped, of other rows, and what the graph has.
constexpr auto folded_row = vertex_feature<"folded_row", 2, 2>;
constexpr auto squares = parameter<"squares", 3, 2, 2>;
constexpr auto rows = parameter<"rows", 3, 1, 2>;
static_assert(is_left([](auto v) {
  auto e = v.in_edges();
  return max(sum(reshape<2, 2>(e.src(x)) * squares[e(kind)], axis<0>));
}));
static_assert(is_left([](auto v) {
  auto e = v.in_edges();
  return max(sum(reshape<4, 1>(e.src(folded_row)) * U[e(kind)], axis<0>));
}));
static_assert(is_left([](auto v) {
  auto e = v.in_edges();
  return max(sum(reshape<4, 1>(e.src(x)) * rows[e(kind)], axis<0>));
}));
static_assert(is_left([](auto v) {
  auto e = v.in_edges();
  return max(sum(reshape<4, 1>(v(global)) * U[e(kind)], axis<0>));
}));
static_assert(is_left([](auto v) {
  constexpr auto chosen = scalar<"chosen", i32>;
  return v(y) + sum(reshape<4, 1>(v(global)) * S[v(chosen)], axis<0>);
}));

}  // namespace stg
