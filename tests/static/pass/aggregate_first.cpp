// aggregate_first: where a product widens its rows, they are aggregated before it, and no sweep is left backward.
#include <stg/compile.hpp>               // differentiated, executable
#include <stg/dsl/trace.hpp>             // trace
#include <stg/nn/conv.hpp>               // gcn_conv
#include <stg/pass/aggregate_first.hpp>  // aggregate_first

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", 4>;
constexpr auto w = edge_feature<"w">;
constexpr auto wide = parameter<"wide", 4, 16>;
constexpr auto narrow = parameter<"narrow", 4, 2>;

constexpr auto product_first = [](auto v) { return sum(v.in_edges().src(matmul(v(x), wide))); };
constexpr auto sum_first = [](auto v) { return matmul(sum(v.in_edges().src(v(x))), wide); };
static_assert(pass::reorder(pass::aggregate_first(pass::order(trace(product_first)))) == pass::order(trace(sum_first)));

constexpr auto scaled = [](auto v) {
  auto e = v.in_edges();
  return sum(e(w) * e.src(v.in_degree() * matmul(v(x), wide)));
};
constexpr auto scaled_first = [](auto v) {
  auto e = v.in_edges();
  return matmul(sum(e(w) * e.src(v.in_degree() * v(x))), wide);
};
static_assert(pass::reorder(pass::cse(pass::aggregate_first(pass::cse(pass::order(trace(scaled)))))) ==
              pass::reorder(pass::cse(pass::order(trace(scaled_first)))));

constexpr auto narrowing = [](auto v) { return sum(v.in_edges().src(matmul(v(x), narrow))); };
static_assert(pass::aggregate_first(pass::order(trace(narrowing))) == pass::order(trace(narrowing)), "left as written");
constexpr auto square = parameter<"square", 4, 4>;
constexpr auto trained = trainable(vertex_feature<"x", 4>);
constexpr auto keeping = [](auto v) { return sum(v.in_edges().src(matmul(v(x), square))); };
constexpr auto keeping_first = [](auto v) { return matmul(sum(v.in_edges().src(v(x))), square); };
constexpr auto of_trained = [](auto v) { return sum(v.in_edges().src(matmul(v(trained), square))); };
static_assert(pass::reorder(pass::aggregate_first(pass::order(trace(keeping)))) == pass::order(trace(keeping_first)));
static_assert(pass::aggregate_first(pass::order(trace(of_trained))) == pass::order(trace(of_trained)),
              "its gradient has a sweep either way");
constexpr auto used_twice = [](auto v) {
  auto y = matmul(v(x), wide);
  return sum(v.in_edges().src(y)) + y;
};
static_assert(pass::aggregate_first(pass::cse(pass::order(trace(used_twice)))) ==
                  pass::cse(pass::order(trace(used_twice))),
              "needed anyway");

/// Sweeps over edges in a plan.
template <class P> constexpr int edge_sweeps() {
  int n = 0;
  for (int u = 0; u < P::plan.unit_count; ++u) n += P::plan.units[u].side != pass::sweep_side::none;
  return n;
}
constexpr auto widening_layer = [](auto v) { return nn::gcn_conv(v, v(x), wide); };
using widening = differentiated<ref<widening_layer>, provided<0>, required<>>;
static_assert(edge_sweeps<executable<widening::forward>>() == 1);
static_assert(edge_sweeps<executable<widening::gradient>>() == 0,
              "a layer whose input needs no gradient has none backward");

}  // namespace
}  // namespace stg
