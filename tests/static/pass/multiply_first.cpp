// multiply_first: products of what edges gather are products of vertex values; others stay where they are.
#include "symbols.hpp"

#include <stg/compile.hpp>
#include <stg/pass/multiply_first.hpp>
#include <stg/pass/verify.hpp>

#include <limits>

namespace stg {

constexpr auto V = parameter<"V", 8, 2>;
constexpr auto U = parameter<"U", 3, 4, 2>;
constexpr auto u = edge_feature<"u", 4>;
constexpr auto relation = edge_feature<"relation", i32>;

constexpr ir::program rewritten(auto program) {
  return pass::dce(pass::multiply_first(pass::cse(pass::order(trace(program)))));
}
constexpr int products_on(const ir::program& p, ir::space where) {
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
static_assert(has_products([](auto v) { return sum(matmul(v.in_edges().src(x), U[v.in_edges()(relation)])); }, 1, 0));

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

}  // namespace stg
