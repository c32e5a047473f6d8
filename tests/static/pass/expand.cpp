// expand: what only autodiff knows is written in other operations; several aggregates over one row stay one sweep.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/expand.hpp>
#include <stg/pass/fuse.hpp>

namespace stg {

using pass::autodiff;
using pass::cse;

// A detached value is a constant for gradients; once they are written it is the value itself.
constexpr bool detached_values_are_shared() {
  const ir::program p = cse(trace([](auto v) { return v(x) * detach(stg::exp(v(x))); }));
  const pass::joint_program joint = autodiff(p, {0}, {input_named(p, "x")});
  const ir::program q = pass::expand(joint.program);
  return count_of(joint.program, ir::opcode::detach) == 1 && count_of(q, ir::opcode::detach) == 0 &&
         count_of(q, ir::opcode::exp) == 1 && q[q.outputs[1].at].code == ir::opcode::mul &&
         q.operand(q[q.outputs[1].at], 1).code == ir::opcode::exp && pass::verify(q).what == op::rule::none;
}
static_assert(detached_values_are_shared());

constexpr auto product = [](auto v) { return v(x) * v(y); };
static_assert(pass::expand(trace(product)) == trace(product));

// The mean that a variance needs is the mean that the user wrote, and its gradient needs no other sums.
constexpr bool variance_shares_the_mean() {
  const ir::program p = cse(trace([](auto v) {
    auto near = v.in_edges().src(x);
    return outputs(mean(near), var(near));
  }));
  const ir::program q = pass::dce(pass::expand(p));
  const ir::program both = pass::dce(pass::expand(autodiff(p, {1}, {input_named(p, "x")}).program));
  return count_of(q, ir::opcode::var_edges) == 0 && count_of(q, ir::opcode::sum_edges) == 3 &&
         count_of(both, ir::opcode::sub) == 3 && count_of(both, ir::opcode::sum_edges) == 4 &&
         pass::verify(both).what == op::rule::none;
}
static_assert(variance_shares_the_mean());
constexpr bool variance_keeps_its_scope() {
  const ir::program p =
      cse(trace([](auto v) { return scope<"measured">(v, [](auto v) { return var(v.in_edges().src(x)); }); }));
  for (const ir::statement& s : pass::expand(p).statements)
    if (s.code != ir::opcode::input && s.scopes == 0) return false;
  return true;
}
static_assert(variance_keeps_its_scope());

// As principal neighbourhood aggregation: one sweep, a second loop for what is measured from the mean.
constexpr bool many_aggregates_are_one_sweep() {
  const pass::fusion f = pass::fuse(pass::dce(pass::expand(cse(trace([](auto v) {
    auto near = v.in_edges().src(x);
    return concat<axis<0>>(concat<axis<0>>(mean(near), stddev(near)), concat<axis<0>>(max(near), min(near))) +
           concat<axis<0>>(concat<axis<0>>(sum(near), prod(near)), concat<axis<0>>(var(near), v(x)));
  })))));
  return f.units.size() == 1 && f.units[0].side == pass::sweep_side::in && f.units[0].loops.size() == 2;
}
static_assert(many_aggregates_are_one_sweep());

}  // namespace stg
