// factor_ahead and factor: which sums are taken apart, what the forward program sums for the gradient, and what must
// stop it.
#include "symbols.hpp"

#include <stg/pass/algebra.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/factor.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/save.hpp>
#include <stg/pass/verify.hpp>

namespace stg {

using pass::cse;
using pass::dce;

constexpr auto h = vertex_feature<"h", 4>;
constexpr auto heads = trainable(edge_feature<"heads", 2, 1>);
constexpr auto wide = vertex_feature<"wide", 2, 4>;
constexpr auto moved = trainable(vertex_feature<"moved", 2, 4>);
constexpr auto el = trainable(vertex_feature<"el", 2, 1>);
constexpr auto er = trainable(vertex_feature<"er", 2, 1>);

constexpr ir::program ahead(auto program) {
  const ir::program p = cse(trace(program));
  const ir::program joint = pass::fold(pass::autodiff(p, {0}, pass::trainable_inputs(p)).program);
  return dce(pass::factor_ahead(pass::algebra(joint), 1, p.inputs.size()));
}
constexpr pass::differentiated halves(auto program) {
  pass::differentiated d = pass::split(ahead(program), 1, {0}, cse(trace(program)).inputs.size());
  d.forward = dce(pass::factor(d.forward));
  d.gradient = dce(pass::factor(d.gradient));
  return d;
}
constexpr bool keeps_the_rules(auto program) {
  const pass::differentiated d = halves(program);
  return pass::verify(d.forward).what == op::rule::none && pass::verify(d.gradient).what == op::rule::none;
}
/// Sums over edges of one direction.
constexpr int sums(const ir::program& p, ir::direction side) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == ir::opcode::sum_edges && s.side() == side;
  return n;
}
constexpr int sums_in_gradient(auto program) {
  return keeps_the_rules(program) ? count_of(ahead(program), ir::opcode::sum_edges) - 1 : -1;
}

// The inner sum of a softmax's gradient is ⟨d out, out⟩: no aggregate of its own, also behind a mask.
static_assert(sums_in_gradient([](auto v) {
                auto e = v.in_edges();
                return sum(softmax(e(w)) * e.src(h));
              }) == 0);
static_assert(sums_in_gradient([](auto v) {
                auto e = v.in_edges();
                return sum(softmax(e(heads)) * e.src(wide));
              }) == 0);
static_assert(sums_in_gradient([](auto v) {
                auto e = v.in_edges();
                return sum(dropout(softmax(e(w)), 0.5) * e.src(h));
              }) == 0);
static_assert(sums_in_gradient([](auto v) {
                auto e = v.in_edges();
                return sum(softmax(e(w)) * e.src(x));
              }) == 1,
              "that of x");
static_assert(count_of(dce(pass::factor_ahead(cse(trace([](auto v) {
                                                auto e = v.in_edges();
                                                auto known = sum(e(w) * e.src(x));
                                                return known +
                                                       v(y) * sum(e(w) * stg::sum(e.dst(y) * e.src(x), axis<0>));
                                              })),
                                              1, 9)),
                       ir::opcode::sum_edges) == 1,
              "without a cotangent, what is left must be known");

// Attention's gradient has no sweep along in-edges: what er needs is summed where h is summed, and along out-edges rows
// are summed, not multiplied edge by edge.
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(el) + v(er), 0.2)) * e.src(moved));
};
constexpr auto with_dropout = [](auto v) {
  auto e = v.in_edges();
  return sum(dropout(softmax(leaky_relu(e.src(el) + v(er), 0.2)), 0.5) * e.src(moved));
};
static_assert(keeps_the_rules(attention) && keeps_the_rules(with_dropout));
static_assert(sums(halves(attention).forward, ir::direction::in) == 3 &&
              sums(halves(with_dropout).forward, ir::direction::in) == 3);
static_assert(sums(halves(attention).gradient, ir::direction::in) == 0 &&
              sums(halves(with_dropout).gradient, ir::direction::in) == 0);
constexpr bool reduces_no_edge(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::reduce_sum && s.where == ir::space::edge) return false;
  return true;
}
static_assert(reduces_no_edge(halves(attention).gradient) && reduces_no_edge(halves(with_dropout).gradient));

// Not where the forward program's sweeps do not read the same: a maximum is compared once it is known.
constexpr auto greatest = [](auto v) { return max(v.in_edges().src(x)); };
static_assert(halves(greatest).forward.outputs.size() <= 2 &&
              count_of(halves(greatest).forward, ir::opcode::sum_edges) == 0);
// Nor where what is left needs the cotangent: a gate of both ends has one row per edge and feature.
constexpr auto outer = [](auto v) {
  auto e = v.in_edges();
  return sum(stg::sum(stg::tanh(e.src(x) + v(y)) * e.src(h), axis<0>) * e.src(h));
};
static_assert(keeps_the_rules(outer) && sums(halves(outer).gradient, ir::direction::in) == 1);

// Nor where it would take many sums: what a message reads again and again has a term each time.
template <int N>
constexpr auto again_and_again = [](auto v) {
  auto e = v.in_edges();
  const auto grown = [&](const auto& self, auto s, auto left) {
    if constexpr (left == 0) return s;
    else return self(self, s + s * e(w), std::integral_constant<int, left - 1>());
  };
  return sum(grown(grown, (v(x) + e.src(y)) * e(w), std::integral_constant<int, N>()));
};
static_assert(count_of(ahead(again_and_again<8>), ir::opcode::sum_edges) < 12);

// A product that somebody else reads is made for each edge anyway.
constexpr ir::program alone(auto program) { return dce(pass::factor(cse(trace(program)))); }
static_assert(reduces_no_edge(alone([](auto v) {
  auto e = v.in_edges();
  return sum(e(w) * stg::sum(v(x) * e.src(y), axis<0>));
})));
static_assert(!reduces_no_edge(alone([](auto v) {
  auto e = v.in_edges();
  auto product = stg::sum(v(x) * e.src(y), axis<0>);
  return sum(e(w) * product) + max(product);
})));
static_assert(reduces_no_edge(alone([](auto v) {
  auto e = v.in_edges();
  return sum(e.src(y) - e(w) * stg::sum(v(x) * e.src(y), axis<0>));
})));
static_assert(!reduces_no_edge(alone([](auto v) {
  auto e = v.in_edges();
  return sum(e.src(y) * stg::sum(v(x) * e.src(y), axis<0>));
})),
              "a weight for each feature would make it a row of rows");

}  // namespace stg
