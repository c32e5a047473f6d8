// order: statements in the order in which the outputs read them.
//
// C++ leaves the order of evaluation of f(a) * g(b) open, and compilers differ, so a trace numbers statements, inputs,
// run-time extents, scopes and random sites differently from compiler to compiler. This pass numbers them anew by
// walking from the outputs through operands as they were written, so that one lambda is one program everywhere: the
// same random numbers, the same order of parameters, the same plan on host and device.
//
//   order     runs before everything else and renumbers all of these, and vertex sets and relations; unread inputs
//             come last. In the steps of scans, too: inputs are numbered as they are read, behind the carried ones,
//             and in a gradient's step behind the inputs of the step that it repeats
//   reorder   runs after passes written with operators themselves; renumbers statements only, since inputs,
//             extents and sites are known outside by then
//   reorder_deepest_first
//             the same, long chains first and short ones just before they are read
//
// Drops statements that no output needs, unless they are promised to be stored.
#pragma once

#include <cstdint>  // int64_t, uint64_t

#include <stg/base/sequence.hpp>   // sequence
#include <stg/ir/attachments.hpp>  // sorted_by_value, carry_attachments
#include <stg/ir/callees.hpp>    // extent_in, intern_extents, take_extents, arguments_of, emit_arguments, callee_number
#include <stg/ir/program.hpp>    // program
#include <stg/ir/decisions.hpp>  // each_output
#include <stg/ir/sites.hpp>      // site_count

namespace stg::pass {

namespace detail {

/// Sites of a program and of the steps of its scans, numbered as they are met: equal draws stay equal. Calls that began
/// at one site, as a gradient's call and the one before it, do so again.
struct site_numbers {
  struct called_sites;

  sequence<int> at{};  // by site as it was: as it is now; -1: not met
  sequence<called_sites> calls{};
  int count = 0;

  constexpr int anew(std::int64_t site) {
    while (at.size() <= site) at.push_back(-1);
    int& now = at[static_cast<int>(site)];
    if (now < 0) now = count++;
    return now;
  }
  constexpr called_sites& of_call(const ir::statement& call);
};
struct site_numbers::called_sites {
  int was = 0, first = -1;  // the first site as it was, and as it is, once the call is written
  site_numbers inside{};
};
constexpr site_numbers::called_sites& site_numbers::of_call(const ir::statement& call) {
  int k = 0;
  while (k < calls.size() && calls[k].was != ir::first_site(call)) ++k;
  if (k == calls.size()) calls.push_back(called_sites{ir::first_site(call)});
  return calls[k];
}

class ordering {
 public:
  constexpr ordering(const ir::program& of, bool only_statements)
      : p(of),
        statements_only(only_statements),
        at(p.statements.size(), ir::no_value),
        callee_at(p.callees.size(), -1),
        input_at(p.inputs.size(), -1),
        scope_at(p.scopes.size(), -1),
        set_at(p.scope_sets.size() + 1, 0) {}

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
    q.callees.clear();
    q.scopes_apart = p.scopes_apart;
    q.forward_outputs = p.forward_outputs;
    walk_all();
    if (!statements_only)
      for (ir::program& c : q.callees) ir::take_extents(c, q);
    return q;
  }
  /// Of the step of a scan, which numbers its sites on, or of a called program, which has numbers of its own; extents
  /// are the ones of `around`. `entries`: the remaining inputs, by their old numbers: first the inputs with known
  /// places, read or not, then the other read ones.
  constexpr ir::program run_step(ir::program& around, site_numbers& numbers, sequence<int>& entries) {
    table = &around;
    sites = &numbers;
    q.scopes_apart = p.scopes_apart;
    q.forward_outputs = p.forward_outputs;
    is_step = true;
    for (int e : entries) number_input(e);
    step_entries = &entries;
    walk_all();
    return q;
  }

 private:
  constexpr void walk_all() {
    ir::each_output(p, [this](ir::value_id i) { walk(i); });
    for (const ir::label_range& c : p.checks) {
      walk(c.labels);
      if (c.mask != ir::no_value) walk(c.mask);
    }
    for (ir::value_id i = 0; i < p.size() && !statements_only && !is_step; ++i)  // nothing needs it: still to be bound
      if (p[i].code == ir::opcode::input && input_at[p[i].entry()] < 0) walk(i);
    attach();
  }

  /// A scan's step in order, and its operands.
  struct ordered_step {
    ir::program program{};
    sequence<int> entries{};         // old entry of each input, by new entry
    sequence<ir::value_id> reads{};  // the same as values of p
  };
  constexpr const ordered_step& step_of(ir::value_id scan) {
    if (step_at.empty()) step_at.assign(p.statements.size(), -1);
    if (step_at[scan] < 0) {
      const ir::statement& s = p[scan];
      const int carried = s.carried();
      ordered_step made;
      made.entries = first_numbers(carried);
      if (s.code == ir::opcode::scan_gradient)  // first its scan, to number its sites as without a gradient
        for (int e : step_of(s.operands[1]).entries) made.entries.push_back(carried + e);
      site_numbers& numbers = ir::is_call(s) ? sites->of_call(s).inside : *sites;
      made.program = ordering(p.callees[s.callee()], false).run_step(*table, numbers, made.entries);
      const sequence<ir::value_id> values = ir::arguments_of(p, s);
      for (int e : made.entries) made.reads.push_back(values[e]);
      step_at[scan] = steps.size();
      steps.push_back(made);
    }
    return steps[step_at[scan]];
  }
  /// The first value that a statement still waits for.
  constexpr ir::value_id waits_for(ir::value_id i) {
    const ir::statement& s = p[i];
    ir::value_id next = ir::no_value;
    if (ir::is_scan(s.code) && !statements_only) {
      for (ir::value_id x : step_of(i).reads)
        if (at.first[x] == ir::no_value) return x;
      return s.code == ir::opcode::scan_gradient && at.first[s.operands[1]] == ir::no_value ? s.operands[1] : next;
    }
    for (int k = 0; k < ir::statement::max_operands && s.operands[k] != ir::no_value; ++k)
      if (at.first[s.operands[k]] == ir::no_value && (next == ir::no_value || goes_before(s.operands[k], next)))
        next = s.operands[k];
    return next;
  }
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
      const ir::value_id next = waits_for(i);
      if (next != ir::no_value) {
        pending.push_back(next);
      } else {
        if (p[i].code == ir::opcode::own_gradient) at[i] = emit_own_gradient(i);
        else at[i] = ir::is_scan(p[i].code) ? emit_scan(i) : q.emit(numbered_anew(p[i]));
        pending.pop_back();
      }
    }
  }

  constexpr ir::value_id emit_scan(ir::value_id i) {
    ir::statement s = p[i];
    if (statements_only) {
      s = ir::renamed(s, at);
      s.set_callee(reordered_callee(s.callee()));
      return q.emit(s);
    }
    const ordered_step& step = step_of(i);
    sequence<ir::value_id> reads;
    for (ir::value_id x : step.reads) reads.push_back(at[x]);
    s.operands[0] = ir::emit_arguments(q, reads);
    if (s.code == ir::opcode::scan_gradient) s.operands[1] = at[s.operands[1]];
    s.set_callee(ir::callee_number(q, step.program));
    if (ir::is_call(s)) s.set_first_site(first_site_of(s, step.program));
    s.over = ir::extent_in(s.over, p, *table);
    number_scopes(s);
    return q.emit(s);
  }

  /// The number of a step, put in order once for all its calls.
  constexpr int reordered_callee(int callee) {
    if (callee_at[callee] < 0) callee_at[callee] = ir::callee_number(q, ordering(p.callees[callee], true).run());
    return callee_at[callee];
  }

  /// The program of the gradient keeps its inputs: their places tell them apart.
  constexpr ir::value_id emit_own_gradient(ir::value_id i) {
    ir::statement s = ir::renamed(p[i], at);
    if (!statements_only) number_scopes(s);
    if (s.callee() < 0) return q.emit(s);
    if (statements_only) {
      s.set_callee(reordered_callee(s.callee()));
      return q.emit(s);
    }
    const ir::program& gradient = p.callees[s.callee()];
    sequence<int> entries = first_numbers(gradient.inputs.size());
    s.set_callee(ir::callee_number(q, ordering(gradient, false).run_step(*table, *sites, entries)));
    return q.emit(s);
  }

  /// First site of a call, behind all sites met before it.
  constexpr int first_site_of(const ir::statement& call, const ir::program& called) {
    if (ir::site_count(called) == 0) return 0;
    site_numbers::called_sites& of = sites->of_call(call);
    if (of.first < 0) {
      of.first = sites->count;
      sites->count += of.inside.count;
    }
    return of.first;
  }

  constexpr bool goes_before(ir::value_id x, ir::value_id other) const {
    return !depth.empty() && depth[x] > depth[other];
  }

  constexpr ir::statement numbered_anew(const ir::statement& original) {
    ir::statement s = ir::renamed(original, at);
    if (statements_only) return s;
    ir::intern_extents(s, p, *table);
    if (!p.kinds.empty()) ir::renumber_kinds(s, [this](int number) { return kind_anew(number); });
    if (s.code == ir::opcode::keep_mask) s.set_site(sites->anew(s.site()));
    if (s.code == ir::opcode::input) {
      if (input_at[s.entry()] < 0) {
        if (is_step) step_entries->push_back(s.entry());
        number_input(s.entry());
      }
      s.set_entry(input_at[s.entry()]);
    }
    number_scopes(s);
    return s;
  }
  constexpr void number_input(int entry) {
    input_at[entry] = q.inputs.size();
    q.inputs.push_back(p.inputs[entry]);
    text& name = q.inputs.back().name;
    if (is_step && name.length > 0 && (name.letters[0] == '%' || name.letters[0] == '@')) name = text();  // as traced
  }
  static constexpr sequence<int> first_numbers(int count) {
    sequence<int> all;
    for (int k = 0; k < count; ++k) all.push_back(k);
    return all;
  }
  /// A relation's number comes after its sets' numbers.
  constexpr int kind_anew(int number) {
    ir::kind k = p.kinds[number - 1];
    if (k.is_relation()) {
      k.source = kind_anew(k.source);
      k.destination = kind_anew(k.destination);
    }
    return ir::kind_number(*table, k);
  }
  constexpr void number_scopes(ir::statement& s) {
    const int original = s.scopes;
    if (original == 0) return;
    if (set_at[original] == 0)
      ir::each_scope_of_set(p, original,
                            [&](int scope) { set_at[original] = q.set_with(set_at[original], scope_anew(scope)); });
    s.scopes = set_at[original];
  }
  constexpr int scope_anew(int scope) {
    if (scope_at[scope] < 0) {
      scope_at[scope] = q.scopes.size();
      q.scopes.push_back(p.scopes[scope]);
    }
    return scope_at[scope];
  }

  /// Outputs, names, tags, decisions and checks, all but outputs in the order of the values they belong to.
  constexpr void attach() {
    ir::program attached;
    ir::carry_attachments(p, attached, at);
    q.outputs = attached.outputs;
    q.names = ir::sorted_by_value(attached.names, &ir::label::at, q.size());
    q.tags = ir::sorted_by_value(attached.tags, &ir::tag::at, q.size());
    q.checks = ir::sorted_by_value(attached.checks, &ir::label_range::labels, q.size());
    if (!p.decisions.empty()) attach_decisions(attached);
    for (ir::label_range& c : q.checks) c.classes = ir::extent_in(c.classes, p, *table);
  }

  /// Decisions about the whole and about scopes come first, as in p.
  constexpr void attach_decisions(const ir::program& attached) {
    q.decisions.clear();
    for (ir::decision d : p.decisions) {
      if (d.is_of_values()) continue;
      if (d.whom == ir::decided_of::scope && !statements_only) d.at = scope_anew(d.at);
      q.decide(d);
    }
    for (const ir::decision& d : ir::sorted_by_value(attached.decisions, &ir::decision::at, q.size()))
      q.decisions.push_back(d);
  }

  const ir::program& p;
  bool statements_only;
  ir::program q{};
  ir::program* table = &q;  // its extents and kinds are those of q
  bool is_step = false;
  sequence<int>* step_entries = nullptr;
  sequence<ordered_step> steps{};
  sequence<int> step_at{};
  sequence<ir::value_id> at;
  sequence<int> callee_at;  // of a step as it was, its number once it is put in order; -1: it is not
  sequence<int> input_at, scope_at, set_at, depth{};
  site_numbers own_sites{};
  site_numbers* sites = &own_sites;
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
