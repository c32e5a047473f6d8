// aggregate_first: where a product widens its rows, they are aggregated before it, and no sweep is left backward.
#include <stg/compile.hpp>               // differentiated, executable
#include <stg/dsl/trace.hpp>             // trace
#include <stg/nn/conv.hpp>               // gcn_conv
#include <stg/pass/aggregate_first.hpp>  // aggregate_first

#include <string_view>  // string_view

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

// What is left as it was written: rows of several axes, extents of run time, what is trained between rows of a width.
constexpr bool is_left(auto program) {
  const ir::program p = pass::cse(pass::order(trace(program)));
  return pass::aggregate_first(p) == p;
}
constexpr auto heads = vertex_feature<"heads", 2, 4>;
constexpr auto w_of_vertex = vertex_feature<"w_of_vertex">;
constexpr auto any = vertex_feature<"any", extent<"F">>;
constexpr auto from_any = parameter<"from_any", extent<"F">, 16>;
constexpr auto to_any = parameter<"to_any", 4, extent<"F">>;
constexpr auto trained_weight = trainable(edge_feature<"trained_weight">);
constexpr auto trained_factor = trainable(vertex_feature<"trained_factor">);
static_assert(is_left([](auto v) { return sum(v.in_edges().src(matmul(v(heads), wide))); }));
static_assert(is_left([](auto v) { return sum(v.in_edges().src(matmul(v(any), from_any))); }));
static_assert(is_left([](auto v) { return sum(v.in_edges().src(matmul(v(x), to_any))); }));
static_assert(is_left([](auto v) {
  auto e = v.in_edges();
  return sum(e(trained_weight) * e.src(matmul(v(x), square)));
}));
static_assert(is_left([](auto v) { return sum(v.in_edges().src(v(trained_factor) * matmul(v(x), square))); }));
static_assert(is_left([](auto v) { return sum(v.in_edges().src(v(x) * matmul(v(x), square))); }),
              "a factor per feature");
static_assert(is_left([](auto v) { return sum(v.in_edges().src(x) * v.in_edges().src(matmul(v(x), square))); }));
constexpr auto weights = edge_feature<"weights", 4>;
static_assert(is_left([](auto v) { return sum(v.in_edges()(weights) * v.in_edges().src(matmul(v(x), square))); }));
static_assert(is_left([](auto v) { return max(v.in_edges().src(matmul(v(x), wide))); }));

// What somebody else reads is needed anyway: the product scaled, gathered or weighted.
static_assert(is_left([](auto v) {
  auto y = v(w_of_vertex) * matmul(v(x), wide);
  return sum(v.in_edges().src(y)) + y;
}));
static_assert(is_left([](auto v) {
  auto m = v.in_edges().src(matmul(v(x), wide));
  return sum(m) + max(m);
}));
static_assert(is_left([](auto v) {
  auto e = v.in_edges();
  auto m = e(w) * e.src(matmul(v(x), wide));
  return sum(m) + max(m);
}));
// A function of an edge's product is no gathered product.
constexpr auto of_edges = edge_feature<"of_edges", 4>;
static_assert(is_left([](auto v) {
  auto e = v.in_edges();
  return sum(e(w) * relu(matmul(e(of_edges), wide)));
}));
// Either end of an edge; the weight and the factor before what they scale, and after it.
constexpr bool sums_first(auto program) {
  const ir::program p = pass::dce(pass::aggregate_first(pass::cse(pass::order(trace(program)))));
  const ir::statement& last = p[p.outputs[0].at];
  return last.code == ir::opcode::matmul && p.operand(last, 0).code == ir::opcode::sum_edges;
}
static_assert(sums_first([](auto v) { return sum(v.in_edges().dst(matmul(v(x), wide))); }));
static_assert(sums_first([](auto v) { return sum(v.out_edges().dst(matmul(v(x), wide))); }));
static_assert(sums_first([](auto v) {
  auto e = v.in_edges();
  auto weight = e(w);
  return sum(weight * e.src(matmul(v(x), wide)));
}));
static_assert(sums_first([](auto v) {
  auto e = v.in_edges();
  auto message = e.src(matmul(v(x), wide));
  return sum(message * e(w));
}));
static_assert(sums_first([](auto v) {
  auto factor = v(w_of_vertex);
  return sum(v.in_edges().src(factor * matmul(v(x), wide)));
}));
static_assert(sums_first([](auto v) {
  auto y = matmul(v(x), wide);
  return sum(v.in_edges().src(y * v(w_of_vertex)));
}));

// Where all that is aggregated is fixed, whatever the widths.
constexpr bool is_left_with(std::string_view fixed, auto program) {
  const ir::program p = pass::cse(pass::order(trace(program)));
  sequence<int> entries;
  for (int k = 0; k < p.inputs.size(); ++k)
    if (fixed.find(p.inputs[k].name.view()) != fixed.npos) entries.push_back(static_cast<int>(k));
  return pass::aggregate_first(p, entries) == p;
}
constexpr auto factor = vertex_feature<"n">;
constexpr auto narrowed = [](auto v) {
  auto e = v.in_edges();
  return sum(e(w) * e.src(v(factor) * matmul(v(x), narrow)));
};
static_assert(!is_left_with("x w n", narrowed));
static_assert(is_left_with("w n", narrowed) && is_left_with("x n", narrowed) && is_left_with("x w", narrowed));
// n · (x W) as (n · x) W: one number per vertex, before a product of fixed and computed rows that nothing else reads.
constexpr auto factors = vertex_feature<"factors", 2>;
constexpr auto of_graph = scalar<"g">;
constexpr auto scaled_after = [](auto v) { return v(factor) * matmul(sum(v.in_edges().src(x)), narrow); };
static_assert(!is_left_with("x n", scaled_after));
static_assert(is_left_with("x", scaled_after) && is_left_with("n", scaled_after));
static_assert(is_left_with("x factors", [](auto v) { return v(factors) * matmul(sum(v.in_edges().src(x)), narrow); }));
static_assert(is_left_with("x g", [](auto v) { return v(of_graph) * matmul(sum(v.in_edges().src(x)), narrow); }));
static_assert(is_left_with("x n", [](auto v) { return v(factor) * matmul(v(x), narrow); }), "a copy of x takes memory");
static_assert(is_left_with("heads n", [](auto v) { return v(factor) * matmul(sum(v.in_edges().src(heads)), narrow); }));
static_assert(is_left_with("x n", [](auto v) {
  auto y = matmul(sum(v.in_edges().src(x)), narrow);
  return v(factor) * y + y;
}));
static_assert(!is_left_with("x", narrowing) && is_left_with("narrow", narrowing));

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
