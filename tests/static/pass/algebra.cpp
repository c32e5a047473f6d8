// algebra: each of its rules once, and what must stop it.
#include "symbols.hpp"

#include <stg/pass/algebra.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>

namespace stg {

using pass::cse;
using pass::dce;

constexpr ir::program rewritten(auto program) { return dce(pass::algebra(cse(trace(program)))); }
constexpr ir::program written(auto program) { return dce(cse(trace(program))); }

// f(gather(a), gather(b)) → gather(f(a, b)), where both are read from the same end.
static_assert(rewritten([](auto v) {
                auto e = v.in_edges();
                return sum(stg::exp(e.src(x) + e.src(y)));
              }) == written([](auto v) {
                auto e = v.in_edges();
                return sum(e.src(stg::exp(v(x) + v(y))));
              }));
static_assert(count_of(rewritten([](auto v) {
                         auto e = v.in_edges();
                         return sum(stg::exp(e.src(x) + e.dst(y)));
                       }),
                       ir::opcode::gather_src) == 1);

// sum(-m) → -sum(m).
static_assert(rewritten([](auto v) {
                auto e = v.in_edges();
                return sum(-(e.src(x) * e(w)));
              }) == written([](auto v) {
                auto e = v.in_edges();
                return -sum(e.src(x) * e(w));
              }));

// sum(gather_owner(a) · m) → a · sum(m), and 0 where there are no edges, whatever a is.
constexpr bool factors_of_the_owner_leave_the_sum() {
  const ir::program p = rewritten([](auto v) {
    auto e = v.in_edges();
    return sum(e.dst(x) * e.src(y));
  });
  const ir::statement& s = p[p.outputs[0].at];
  const ir::statement& sum = p.operand(s, 0).code == ir::opcode::sum_edges ? p.operand(s, 0) : p.operand(s, 1);
  return s.code == ir::opcode::mul && s.where == ir::space::vertex && sum.code == ir::opcode::sum_edges &&
         p.operand(sum, 0).code == ir::opcode::gather_src && count_of(p, ir::opcode::gather_dst) == 0 &&
         count_of(p, ir::opcode::select) == 1 && count_of(p, ir::opcode::degree) == 1;
}
static_assert(factors_of_the_owner_leave_the_sum());
static_assert(count_of(rewritten([](auto v) {
                         auto e = v.out_edges();
                         return sum(e.dst(x) * e(w));
                       }),
                       ir::opcode::select) == 0,
              "along out-edges the destination is not the owner");

// The owner's value is the second factor, too.
static_assert(count_of(rewritten([](auto v) {
                         auto e = v.in_edges();
                         auto weight = e(w);
                         return sum(weight * e.dst(x));
                       }),
                       ir::opcode::gather_dst) == 1,
              "a weight that is narrower than the sum stays");
static_assert(count_of(rewritten([](auto v) {
                         auto e = v.in_edges();
                         auto weight = e(edge_feature<"weights", 4>);
                         return sum(weight * e.dst(x));
                       }),
                       ir::opcode::gather_dst) == 0);

// What becomes equal by a rule is one value: factors of exp(gather(x)) · w and of w · gather(exp(x)) stand alike.
constexpr auto twice = [](auto v) {
  auto e = v.in_edges();
  auto first = e.src(stg::exp(v(x)));
  auto weight = e(w);
  return outputs(sum(first * weight), max(weight * stg::exp(e.src(x))));
};
static_assert(count_of(written(twice), ir::opcode::mul) == 2 && count_of(rewritten(twice), ir::opcode::mul) == 1);

// Products are left where they are: multiply_first moves them.
constexpr auto product = [](auto v) { return sum(matmul(v.in_edges().src(x), W)); };
static_assert(rewritten(product) == written(product));

// What a rule writes belongs to the scopes of what it was.
constexpr bool scopes_are_kept(auto program) {
  for (const ir::statement& s : rewritten(program).statements)
    if (op::info_of(s.code).kind != op::category::source && s.scopes == 0) return false;
  return true;
}
template <class Layer> struct in_scope {
  constexpr auto operator()(auto v) const { return scope<"layer">(v, Layer()); }
};
constexpr auto of_owner = [](auto v) { return sum(v.in_edges().dst(x) * v.in_edges().src(y)); };
constexpr auto of_both = [](auto v) { return sum(-(v.in_edges().src(x) * v.in_edges().src(y))); };
static_assert(scopes_are_kept(in_scope<decltype(of_owner)>()));
static_assert(scopes_are_kept(in_scope<decltype(of_both)>()));

// f(broadcast(a), b) → f(a, b), where b has the shape of the result.
static_assert([] {
  const ir::program p = cse(trace([](auto v) { return sum(v(x) * v(y), axis<0>); }));
  const ir::program q = pass::fold(pass::autodiff(p, {0}, pass::trainable_inputs(p)).program);
  return count_of(dce(q), ir::opcode::broadcast_to) == 1 &&
         count_of(dce(pass::algebra(q)), ir::opcode::broadcast_to) == 0;
}());

}  // namespace stg
