// order: statements in the order in which the outputs read them.
//
// C++ leaves open which operand of f(a) * g(b) is evaluated first, and compilers differ, so a trace numbers statements,
// inputs, run-time extents, scopes and random sites differently from compiler to compiler. This pass numbers them anew
// by walking from the outputs through operands as they were written, so that one lambda is one program everywhere: the
// same random numbers, the same order of parameters, the same plan on host and device.
//
//   order     runs before everything else and renumbers all of these; inputs that nothing needs come last
//   reorder   runs after passes that are written with operators themselves; renumbers statements only, since inputs,
//             extents and sites are known outside by then
//   reorder_deepest_first
//             the same for a pass that wants what takes long first, and what is quickly made just before it is read
//
// Statements that no output needs are dropped.
#pragma once

#include <cstdint>  // int64_t, uint64_t

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program

namespace stg::pass {

namespace detail {

class ordering {
 public:
  constexpr ordering(const ir::program& of, bool only_statements)
      : p(of),
        statements_only(only_statements),
        at(p.statements.size(), ir::no_value),
        input_at(p.inputs.size(), -1),
        scope_at(p.scopes.size(), -1) {}

  /// Of two operands, the one with the longer way to an input goes first.
  constexpr void put_deepest_first() {
    for (const ir::statement& s : p.statements) {
      int d = 0;
      for (int k = 0; k < s.arity(); ++k) d = depth[s.operands[k]] < d ? d : depth[s.operands[k]] + 1;
      depth.push_back(d);
    }
  }

  constexpr ir::program run() {
    if (statements_only) q = ir::blank_like(p);
    q.scopes_apart = p.scopes_apart;
    for (const ir::output& o : p.outputs) walk(o.at);
    for (const ir::label_range& c : p.checks) {
      walk(c.labels);
      if (c.mask != ir::no_value) walk(c.mask);
    }
    for (ir::value_id i = 0; i < p.size() && !statements_only; ++i)  // inputs that nothing needs: still to be bound
      if (p[i].code == ir::opcode::input && input_at[static_cast<int>(p[i].attribute)] < 0) walk(i);
    attach();
    return q;
  }

 private:
  /// Emits a value after its operands; a stack instead of recursion, whose depth compilers limit.
  constexpr void walk(ir::value_id from) {
    sequence<ir::value_id> pending;
    pending.push_back(from);
    while (!pending.empty()) {
      const ir::value_id i = pending.back();
      if (at.first[i] != ir::no_value) {
        pending.pop_back();
        continue;
      }
      const ir::statement& s = p[i];
      ir::value_id waits_for = ir::no_value;
      for (int k = 0; k < ir::statement::max_operands && s.operands[k] != ir::no_value; ++k)
        if (at.first[s.operands[k]] == ir::no_value &&
            (waits_for == ir::no_value || goes_before(s.operands[k], waits_for)))
          waits_for = s.operands[k];
      if (waits_for != ir::no_value) {
        pending.push_back(waits_for);
      } else {
        at[i] = q.emit(numbered_anew(s));
        pending.pop_back();
      }
    }
  }

  constexpr bool goes_before(ir::value_id x, ir::value_id other) const {
    return !depth.empty() && depth[x] > depth[other];
  }

  constexpr ir::statement numbered_anew(const ir::statement& original) {
    ir::statement s = ir::renamed(original, at);
    if (statements_only) return s;
    ir::intern_extents(s, p, q);
    if (s.code == ir::opcode::keep_mask) s.attribute = sites++;
    if (s.code == ir::opcode::input) {
      int& entry = input_at[static_cast<int>(s.attribute)];
      if (entry < 0) {
        entry = q.inputs.size();
        q.inputs.push_back(p.inputs[static_cast<int>(s.attribute)]);
      }
      s.attribute = entry;
    }
    s.scopes = 0;
    for (int scope = 0; scope < p.scopes.size(); ++scope) {
      if (!(original.scopes >> scope & 1)) continue;
      if (scope_at[scope] < 0) {
        scope_at[scope] = q.scopes.size();
        q.scopes.push_back(p.scopes[scope]);
      }
      s.scopes |= std::uint64_t(1) << scope_at[scope];
    }
    return s;
  }

  /// Outputs, names and checks, names and checks in the order of the values they belong to.
  constexpr void attach() {
    ir::program attached;
    ir::carry_attachments(p, attached, at);
    q.outputs = attached.outputs;
    for (ir::value_id i = 0; i < q.size(); ++i) {
      for (const ir::label& l : attached.names)
        if (l.at == i) q.names.push_back(l);
      for (ir::label_range c : attached.checks) {
        if (c.labels != i) continue;
        c.classes = q.intern(p.polynomial_of(c.classes));
        q.checks.push_back(c);
      }
    }
  }

  const ir::program& p;
  bool statements_only;
  ir::program q{};
  sequence<ir::value_id> at;
  sequence<int> input_at, scope_at, depth{};
  std::int64_t sites = 0;
};

}  // namespace detail

constexpr ir::program order(const ir::program& p) { return detail::ordering(p, false).run(); }
constexpr ir::program reorder(const ir::program& p) { return detail::ordering(p, true).run(); }
constexpr ir::program reorder_deepest_first(const ir::program& p) {
  detail::ordering o(p, true);
  o.put_deepest_first();
  return o.run();
}

}  // namespace stg::pass
