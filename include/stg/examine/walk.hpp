// Walks over a program: in its order, from its outputs, and from operands to results; with the steps of its scans too.
#pragma once

#include <utility>  // forward, move

#include <stg/base/sequence.hpp>     // sequence
#include <stg/examine/mistakes.hpp>  // value_is_unknown
#include <stg/ir/program.hpp>        // program

namespace stg::examine {

/// A statement in its program: the argument of visiting functions.
struct node {
  const ir::program* in = nullptr;
  ir::value_id at = ir::no_value;

  constexpr const ir::statement& statement() const { return (*in)[at]; }
  constexpr ir::opcode code() const { return statement().code; }
  constexpr int arity() const { return statement().arity(); }
  constexpr node operand(int k) const { return {in, statement().operands[k]}; }
  /// The program that a scan repeats; null for all other statements.
  constexpr const ir::program* step() const {
    return ir::is_scan(code()) ? &in->callees[statement().callee()] : nullptr;
  }
};

/// A value of a program. Throws value_is_unknown.
constexpr node node_of(const ir::program& p, ir::value_id at) {
  if (at < 0 || at >= p.size()) throw value_is_unknown(at, p.size());
  return {&p, at};
}

/// Calls f(node) for every statement in the order of the program: operands come before their readers.
template <class F> constexpr void each(const ir::program& p, F&& f) {
  for (ir::value_id i = 0; i < p.size(); ++i) f(node{&p, i});
}

/// Calls f(program) for the program and all its callees, each before its own callees.
template <class F> constexpr void each_program(const ir::program& p, F&& f) {
  f(p);
  for (const ir::program& c : p.callees) each_program(c, f);
}

/// The same as each, in the program and then in the steps of its scans.
template <class F> constexpr void each_with_steps(const ir::program& p, F&& f) {
  each_program(p, [&](const ir::program& q) { each(q, f); });
}

/// The results of a program for its caller: outputs in their order, then labels and masks that are checked before it
/// runs.
constexpr sequence<ir::value_id> roots_of(const ir::program& p) {
  sequence<ir::value_id> roots;
  for (const ir::output& o : p.outputs) roots.push_back(o.at);
  for (const ir::label_range& c : p.checks) {
    roots.push_back(c.labels);
    if (c.mask != ir::no_value) roots.push_back(c.mask);
  }
  return roots;
}

/// Walks from some values through operands, the first operand first, and visits each statement once: visit(node) before
/// its operands, leave(node) after them. If visit gives false, the node's operands are left alone unless a different
/// way leads there. A stack replaces recursion, since compilers limit its depth. Throws value_is_unknown.
template <class Visit, class Leave>
constexpr void walk(const ir::program& p, const sequence<ir::value_id>& from, Visit&& visit, Leave&& leave) {
  sequence<int> next(p.size(), -1);  // the operand to go to next; -1: not come to yet
  sequence<ir::value_id> path;
  const auto enter = [&](ir::value_id i) {
    next[i] = visit(node{&p, i}) ? 0 : ir::statement::max_operands;
    path.push_back(i);
  };
  for (const ir::value_id root : from) {
    if (next[node_of(p, root).at] < 0) enter(root);
    while (!path.empty()) {
      const ir::value_id i = path.back();
      if (next[i] >= p[i].arity()) {
        path.pop_back();
        leave(node{&p, i});
        continue;
      }
      const ir::value_id operand = p[i].operands[next[i]++];
      if (next[operand] < 0) enter(operand);
    }
  }
}

/// Walks from all results of the program for its caller.
template <class Visit, class Leave> constexpr void walk(const ir::program& p, Visit&& visit, Leave&& leave) {
  walk(p, roots_of(p), std::forward<Visit>(visit), std::forward<Leave>(leave));
}
/// The same in the program and then in the steps of its scans.
template <class Visit, class Leave> constexpr void walk_with_steps(const ir::program& p, Visit&& visit, Leave&& leave) {
  each_program(p, [&](const ir::program& q) { walk(q, visit, leave); });
}

/// Statements that the outputs need, operands before their readers, each once: the order in which walk leaves them.
constexpr sequence<ir::value_id> topological_order(const ir::program& p, const sequence<ir::value_id>& from) {
  sequence<ir::value_id> order;
  walk(
      p, from, [](node) { return true; }, [&](node n) { order.push_back(n.at); });
  return order;
}
constexpr sequence<ir::value_id> topological_order(const ir::program& p) { return topological_order(p, roots_of(p)); }

/// The results for the operands of a statement.
template <class T> struct folded_operands {
  const ir::statement* of = nullptr;
  const sequence<T>* found = nullptr;
  constexpr int size() const { return of->arity(); }
  constexpr const T& operator[](int k) const { return (*found)[of->operands[k]]; }
};

/// For every value the result of f(node, operands), given the operands' results; f is called once for each statement.
///
///   sequence<int> depth = examine::fold<int>(p, [](examine::node, const auto& below) {
///     int d = 0;
///     for (int k = 0; k < below.size(); ++k) d = d > below[k] ? d : below[k] + 1;
///     return d;
///   });
///
/// Of a scan the step is at hand, node.step(), and can be folded in turn.
template <class T, class F> constexpr sequence<T> fold(const ir::program& p, F&& f) {
  sequence<T> found;
  found.reserve(p.size());
  for (ir::value_id i = 0; i < p.size(); ++i) {
    T made = f(node{&p, i}, folded_operands<T>{&p[i], &found});
    found.push_back(std::move(made));
  }
  return found;
}

}  // namespace stg::examine
