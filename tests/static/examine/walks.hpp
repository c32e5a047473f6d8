// Walks, folds, visitors and copies: functions that are true, in constant evaluation and at run time.
#pragma once

#include "models.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/examine/transform.hpp>
#include <stg/examine/visitor.hpp>
#include <stg/examine/walk.hpp>

namespace stg::examined {

using examine::node;

constexpr bool statements_come_in_their_order() {
  const ir::program p = canonical(attention);
  int next = 0;
  bool right = true;
  examine::each(p, [&](node n) { right = right && n.at == next++ && n.in == &p; });
  return right && next == p.size();
}

constexpr bool steps_come_after_the_program() {
  const ir::program p = canonical(repeated);
  int statements = 0, programs = 0, matmuls = 0;
  examine::each_program(p, [&](const ir::program&) { ++programs; });
  examine::each_with_steps(p, [&](node n) {
    ++statements;
    matmuls += n.code() == ir::opcode::matmul;
  });
  return programs == 2 && statements == p.total_size() && matmuls == 1 && count_of(p, ir::opcode::matmul) == 0;
}

constexpr bool each_statement_is_entered_and_left_once() {
  const ir::program p = canonical(attention);
  sequence<int> entered(p.size(), 0), left(p.size(), 0);
  bool operands_first = true;
  examine::walk(
      p, [&](node n) { return ++entered[n.at] == 1; },
      [&](node n) {
        ++left[n.at];
        for (int k = 0; k < n.arity(); ++k) operands_first = operands_first && left[n.operand(k).at] == 1;
      });
  const sequence<int> once(p.size(), 1);
  return entered == once && left == once && operands_first;
}

constexpr bool what_is_not_entered_is_left_alone() {
  const ir::program p = canonical(attention);
  int entered = 0;
  examine::walk(
      p,
      [&](node n) {
        ++entered;
        return n.code() != ir::opcode::matmul;
      },
      [](node) {});
  return entered < p.size() && entered > count_of(p, ir::opcode::matmul);
}

constexpr bool unread_statements_are_not_walked() {
  ir::program p = canonical(two_losses);
  const int all = examine::topological_order(p).size();
  p.outputs = {p.outputs[1]};
  p.checks.clear();
  const sequence<ir::value_id> order = examine::topological_order(p);
  ir::flags seen(p.size(), 0);
  for (const ir::value_id i : order) {
    for (int k = 0; k < p[i].arity(); ++k)
      if (!seen[p[i].operands[k]]) return false;
    seen[i] = 1;
  }
  return all == p.size() && order.size() == 5 && order.back() == p.outputs[0].at && seen == pass::reachable(p);
}

constexpr bool a_walk_is_linear_where_ways_are_not() {
  const ir::program p = chain(100);
  return examine::topological_order(p).size() == p.size() && p.size() == 303;
}

constexpr int depth_of(const ir::program& p) {
  return examine::fold<int>(p, [](node n, const auto& below) {
    int d = n.step() == nullptr ? 0 : 100 * depth_of(*n.step());
    for (int k = 0; k < below.size(); ++k) d = d > below[k] ? d : below[k] + 1;
    return d;
  })[p.outputs[0].at];
}
constexpr bool a_fold_makes_one_of_the_operands_of_each() {
  return depth_of(chain(7)) == 14 && depth_of(canonical(repeated)) > 100;
}

/// 2 for what reads neighbours, 1 for sums, 0 for all else.
constexpr examine::visitor kinds{[](op::add, node) { return 1; },
                                 [](examine::any_of<op::category::gather>, node) { return 2; },
                                 [](examine::any_other, node) { return 0; }};
constexpr bool an_operation_goes_before_its_category_and_that_before_all_others() {
  const ir::program p = canonical(attention);
  const auto kind = [&](ir::opcode code) { return examine::visit<int>(kinds, node{&p, first_of(p, code)}); };
  return kind(ir::opcode::add) == 1 && kind(ir::opcode::gather_src) == 2 && kind(ir::opcode::gather_dst) == 2 &&
         kind(ir::opcode::matmul) == 0;
}
constexpr bool a_visitor_may_give_nothing() {
  const ir::program p = canonical(attention);
  int products = 0, others = 0;
  const examine::visitor count{[&](op::matmul, node) { ++products; }, [&](examine::any_other, node) { ++others; }};
  examine::each(p, [&](node n) { examine::visit(count, n); });
  return products == 2 && others == p.size() - 2;
}

constexpr auto unchanged = [](const examine::copied& c) { return c.same(); };
constexpr bool is_copied_as_it_is(const ir::program& p) {
  const ir::program q = examine::transform(p, unchanged), r = examine::transform_with_steps(p, unchanged);
  return q == p && r == p && q.names == p.names && q.scopes == p.scopes;
}
constexpr bool a_copy_that_changes_nothing_is_equal() {
  return is_copied_as_it_is(canonical(attention)) && is_copied_as_it_is(canonical(two_losses)) &&
         is_copied_as_it_is(canonical(repeated)) && is_copied_as_it_is(trace(twice)) &&
         trace(twice).size() > canonical(twice).size();
}
constexpr bool statements_that_stand_twice_are_copied_twice() {
  ir::program p = canonical(attention);
  const ir::statement again = p[first_of(p, ir::opcode::matmul)];
  p.append(again);
  return is_copied_as_it_is(p) && examine::transform(p, unchanged).size() == p.size();
}

/// x / y as x · (1 / y).
constexpr auto by_reciprocals = [](const examine::copied& c) {
  if (c.code() != ir::opcode::div || c.operand(0).statement().code == ir::opcode::constant) return c.same();
  return c.operand(0) * (c.one() / c.operand(1));
};
constexpr bool a_copy_is_what_the_function_writes() {
  const ir::program p = canonical(repeated), q = examine::transform(p, by_reciprocals),
                    r = examine::transform_with_steps(p, by_reciprocals);
  const ir::opcode div = ir::opcode::div, mul = ir::opcode::mul;
  return count_of(p, div) == 1 && count_of(q, mul) == count_of(p, mul) + 1 && q.callees == p.callees &&
         count_of(r.callees[0], mul) == count_of(p.callees[0], mul) + 1 && pass::verify(q) == pass::finding() &&
         pass::verify(r) == pass::finding() && examine::transform_with_steps(r, unchanged) == r;
}
constexpr bool scopes_go_along() {
  const ir::program p = trace(twice);
  const auto squared = [](const examine::copied& c) {
    return c.code() == ir::opcode::mul ? c.operand(0) * c.operand(1) + c.zero() : c.same();
  };
  const ir::program q = examine::transform(p, squared);
  for (const ir::statement& s : q.statements)
    if (s.scopes == 0 && s.code != ir::opcode::add) return false;
  return q.size() > p.size();
}

}  // namespace stg::examined
