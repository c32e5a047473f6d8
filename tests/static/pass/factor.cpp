// factor_early and factor: which sums are taken apart, what the forward program sums for the gradient, and what must
// stop it.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/pass/algebra.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/factor.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/order.hpp>
#include <stg/pass/save.hpp>

namespace stg {

using pass::cse;
using pass::dce;

constexpr auto h = vertex_feature<"h", 4>;
constexpr auto heads = trainable(edge_feature<"heads", 2, 1>);
constexpr auto wide = vertex_feature<"wide", 2, 4>;
constexpr auto moved = trainable(vertex_feature<"moved", 2, 4>);
constexpr auto el = trainable(vertex_feature<"el", 2, 1>);
constexpr auto er = trainable(vertex_feature<"er", 2, 1>);

constexpr ir::program factored_early(auto program) {
  const ir::program p = cse(trace(program));
  const ir::program joint = pass::fold(pass::autodiff(p, {0}, pass::trainable_inputs(p)).program);
  return dce(pass::factor_early(pass::algebra(joint), 1, p.inputs.size()));
}
constexpr pass::differentiated halves(auto program) {
  pass::differentiated d = pass::split(factored_early(program), 1, {0}, cse(trace(program)).inputs.size());
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
  return keeps_the_rules(program) ? count_of(factored_early(program), ir::opcode::sum_edges) - 1 : -1;
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
static_assert(count_of(dce(pass::factor_early(cse(trace([](auto v) {
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
static_assert(count_of(factored_early(again_and_again<8>), ir::opcode::sum_edges) < 12);

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

// ---- what is an inner product of the owner, and what is linear in one ----

constexpr auto z = vertex_feature<"z", 4>;
constexpr auto one = vertex_feature<"one">;
constexpr auto other = trainable(edge_feature<"other">);
constexpr auto six = edge_feature<"six", 6>;
constexpr auto cube = vertex_feature<"cube", 2, 3, 4>;
/// Reductions that are left on edges.
constexpr int on_edges(const ir::program& p) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == ir::opcode::reduce_sum && s.where == ir::space::edge;
  return n;
}
constexpr int left(auto program) { return on_edges(alone(program)); }

static_assert(left([](auto v) {
                auto e = v.in_edges();
                return sum(stg::exp(stg::sum(v(x) * e.src(y), axis<0>)) * stg::sum(v(x) * e.src(z), axis<0>));
              }) == 1,
              "what is not linear in one is a weight");
static_assert(left([](auto v) {
                auto e = v.in_edges();
                return sum(stg::sum(v(x) * e.src(y), axis<0>) * stg::sum(v(x) * e.src(z), axis<0>));
              }) == 2,
              "a product of two is linear in neither");
static_assert(left([](auto v) {
                auto e = v.in_edges();
                return sum(stg::sum(v(x) * (e.src(y) * stg::sum(v(x) * e.src(z), axis<0>)), axis<0>));
              }) == 2,
              "nor is one within the other");
static_assert(left([](auto v) {
                auto e = v.in_edges();
                return sum(e(w) * stg::sum(v(one) * e.src(y), axis<0>));
              }) == 1,
              "one number of the owner is no row");
static_assert(left([](auto v) {
                auto e = v.in_edges();
                return sum(reshape<6>(stg::sum(v(cube) * e.src(cube), axis<2>, keepdim)) * e(six));
              }) == 1,
              "under another shape a weight is of other numbers");
static_assert(left([](auto v) {
                auto e = v.in_edges();
                return sum(reshape<1, 1, 1>(stg::sum(v(x) * e.src(y), axis<0>, keepdim)));
              }) == 1,
              "under one of more axes");

// Four terms are taken apart, five are not.
constexpr auto inner(const auto& e, const auto& mine, const auto& theirs) {
  return stg::sum(mine * e.src(theirs), axis<0>);
}
constexpr auto four_terms = [](auto v) {
  auto e = v.in_edges();
  return inner(e, v(x), y) + inner(e, v(x), z) + inner(e, v(x), h) + inner(e, v(z), y);
};
static_assert(left([](auto v) { return sum(four_terms(v)); }) == 0);
static_assert(left([](auto v) { return sum(four_terms(v) + inner(v.in_edges(), v(z), z)); }) == 5);

// The owner of a row of edges is who sums it.
constexpr auto row = edge_feature<"row", 4>;
static_assert(left([](auto v) { return sum(stg::sum(v(x) * v.in_edges()(row), axis<0>)); }) == 0);
static_assert(left([](auto v) {
                auto e = v.out_edges();
                return sum(stg::sum(v(x) * e(row), axis<0>));
              }) == 0);

// Terms come out with their signs.
constexpr bool has(const ir::program& p, int negations, int differences) {
  return count_of(p, ir::opcode::negate) == negations && count_of(p, ir::opcode::sub) == differences;
}
static_assert(has(alone([](auto v) {
                    auto e = v.in_edges();
                    return sum(e(w) - stg::sum(v(x) * e.src(y), axis<0>));
                  }),
                  0, 1));
static_assert(has(alone([](auto v) {
                    auto e = v.in_edges();
                    return sum(-(e(w) * stg::sum(v(x) * e.src(y), axis<0>)) - stg::sum(v(x) * e.src(z), axis<0>));
                  }),
                  1, 1));

// Without a cotangent: known sums, along either side, and no weight is lost on the way to one.
constexpr int known_sums(auto program) {
  return count_of(dce(pass::factor_early(cse(pass::order(trace(program))), 1, 9)), ir::opcode::sum_edges);
}
static_assert(known_sums([](auto v) {
                auto e = v.out_edges();
                return sum(e(w) * e.dst(x)) + v(y) * sum(e(w) * stg::sum(e.src(y) * e.dst(x), axis<0>));
              }) == 1);
static_assert(known_sums([](auto v) {
                auto e = v.out_edges();
                return sum(e(w) * e(row)) + v(y) * sum(e(w) * stg::sum(e.src(y) * e(row), axis<0>));
              }) == 1);
static_assert(known_sums([](auto v) {
                auto e = v.in_edges();
                return sum(e.src(x)) + v(y) * sum(e(w) * (e(other) * stg::sum(e.dst(y) * e.src(x), axis<0>)));
              }) == 2);

// A term that is the owner's alone, or its product with one number, has no sum: degrees are not what a sweep reads.
constexpr ir::program before_algebra(auto program) {
  const ir::program p = cse(trace(program));
  return dce(
      pass::factor_early(pass::fold(pass::autodiff(p, {0}, pass::trainable_inputs(p)).program), 1, p.inputs.size()));
}
constexpr auto twice_and_weighted = [](auto v) {
  auto e = v.in_edges();
  return sum(e.dst(y) * 2.0 + e.dst(y) * e(w));
};
constexpr auto once_and_weighted = [](auto v) {
  auto e = v.in_edges();
  return sum(e.dst(y) + e.dst(y) * e(w));
};
static_assert(pass::verify(before_algebra(twice_and_weighted)).what == op::rule::none);
static_assert(pass::verify(before_algebra(once_and_weighted)).what == op::rule::none);
// What is taken apart keeps the scope of the sum.
constexpr bool keeps_the_scope() {
  const ir::program p = alone([](auto v) {
    return scope<"layer">(v, [](auto v) { return sum(stg::sum(v(x) * v.in_edges().src(y), axis<0>)); });
  });
  for (const ir::statement& s : p.statements)
    if (s.code != ir::opcode::input && s.scopes != 1) return false;
  return p.scopes.size() == 1;
}
static_assert(keeps_the_scope());

}  // namespace stg
