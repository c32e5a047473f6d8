// Hashes that go with equality: of whole programs as operator== compares them, and of single values by their statements
// and inputs. Both are the same in every run and with every compiler.
#pragma once

#include <cstdint>  // uint64_t

#include <stg/base/hash.hpp>        // hash_state
#include <stg/base/name_table.hpp>  // name_table
#include <stg/base/sequence.hpp>    // sequence
#include <stg/examine/walk.hpp>     // fold, node_of
#include <stg/ir/callees.hpp>       // intern_extents, recode, callee_number
#include <stg/ir/program.hpp>       // program

namespace stg::examine {

namespace detail {

using stg::detail::hash_state;

constexpr void add(hash_state& h, const ir::polynomial& e) {
  h.add_number(e.count);
  for (int t = 0; t < e.count; ++t) {
    h.add_number(e.terms[t].coefficient);
    h.add_number(e.terms[t].degree);
    for (int f = 0; f < e.terms[t].degree; ++f) h.add(e.terms[t].factors[f].view());
  }
}

/// All fields of a statement in a comparison, except operands, extents and the attribute's referent.
constexpr void add_plain(hash_state& h, const ir::statement& s) {
  h.add_number(static_cast<int>(s.code));
  h.add_number(static_cast<int>(s.where.kind));
  h.add_number(static_cast<int>(s.type));
  h.add(s.bits());
  h.add_number(s.dims.rank);
}

/// A vertex set by its name, a relation by its name and the sets that it joins.
constexpr void add(hash_state& h, const ir::program& p, int kind) {
  if (kind == 0) return h.add_number(0);
  const ir::kind& k = p.kinds[kind - 1];
  h.add(k.name.view());
  if (!k.is_relation()) return;
  add(h, p, k.source);
  add(h, p, k.destination);
}

}  // namespace detail

/// A number that equal programs share: of everything operator== looks at, of nothing else. Linear.
constexpr std::uint64_t hash_of(const ir::program& p) {
  detail::hash_state h;
  h.add_number(p.size());
  for (const ir::statement& s : p.statements) {
    detail::add_plain(h, s);
    h.add_number(s.where.set);
    h.add_number(ir::held(s, ir::member::axis));
    for (int a = 0; a < s.dims.rank; ++a) h.add_number(s.dims.axes[a].code);
    h.add_number(s.over.code);
    h.add_number(ir::held(s, ir::member::attribute));
    for (const ir::value_id operand : s.operands) h.add_number(operand);
  }
  for (const ir::input& in : p.inputs) {
    h.add(in.name.view());
    h.add_number((in.trainable ? 1 : 0) + (in.sparse ? 2 : 0));
  }
  for (const ir::polynomial& e : p.extents) detail::add(h, e);
  for (const ir::output& o : p.outputs) {
    h.add_number(o.at);
    h.add(o.name.view());
  }
  for (const ir::label_range& c : p.checks) {
    h.add_number(c.labels);
    h.add_number(c.mask);
    h.add_number(c.classes.code);
  }
  for (const ir::kind& k : p.kinds) {
    h.add(k.name.view());
    h.add_number(k.source);
    h.add_number(k.destination);
  }
  for (const ir::program& c : p.callees) h.add(hash_of(c));
  return h.state;
}

/// For each value a number shared by equal values, in any program and at any place: by operation, shape and the hashes
/// of operands; inputs, vertex sets and relations by their names. Every statement is hashed once.
constexpr sequence<std::uint64_t> hashes_of(const ir::program& p) {
  sequence<std::uint64_t> step_hashes;
  for (const ir::program& c : p.callees) {  // by their results: extents are numbered in each program by itself
    const sequence<std::uint64_t> inside = hashes_of(c);
    detail::hash_state h;
    h.add_number(c.inputs.size());
    for (const ir::output& o : c.outputs) h.add(inside[o.at]);
    step_hashes.push_back(h.state);
  }
  return fold<std::uint64_t>(p, [&](node n, const auto& below) {
    const ir::statement& s = n.statement();
    detail::hash_state h;
    detail::add_plain(h, s);
    detail::add(h, p, s.where.set);
    for (int a = 0; a < s.dims.rank; ++a) detail::add(h, p.polynomial_of(s.dims.axes[a]));
    detail::add(h, p.polynomial_of(s.over));
    ir::each_field(s, [&](const ir::field& f) {
      const std::int64_t value = f.what == ir::field_kind::number ? 0 : f.get(s);  // its bits are hashed
      if (f.what == ir::field_kind::extent) detail::add(h, p.polynomial_of(ir::extent(value)));
      else if (f.what == ir::field_kind::kind) detail::add(h, p, static_cast<int>(value));
      else if (f.what == ir::field_kind::callee && value >= 0) h.add(step_hashes[value]);
      else if (f.what == ir::field_kind::entry && p.inputs[value].name.length > 0) h.add(p.inputs[value].name.view());
      else h.add_number(value);
    });
    for (int k = 0; k < below.size(); ++k) h.add(below[k]);
    return h.state;
  });
}

namespace detail {

/// Statements of several programs as statements of one; equal statements become one.
class common_program {
 public:
  constexpr ir::value_id add(const ir::program& p, ir::value_id value) {
    if (all.size() == 0) all.reserve(p.size());
    sequence<ir::value_id> at(p.size(), ir::no_value);
    sequence<int> step_number(p.callees.size(), -1);
    walk(
        p, sequence<ir::value_id>{value}, [](node) { return true; },
        [&](node n) {
          ir::statement s = ir::renamed(n.statement(), at);
          s.scopes = 0;
          ir::intern_extents(s, p, all);
          if (!p.kinds.empty()) ir::renumber_kinds(s, [&](int kind) { return kind_of(p, kind); });
          if (s.code == ir::opcode::input) s.set_entry(entry_of(p.inputs[s.entry()], s.entry()));
          if (ir::has_callee(s)) {
            int& number = step_number[s.callee()];
            if (number < 0) number = number_of(p.callees[s.callee()]);
            s.set_callee(number);
          }
          at[n.at] = all.emit(s);
        });
    return at[value];
  }

 private:
  /// Inputs without a name are told apart by their entries.
  constexpr int entry_of(ir::input in, std::int64_t entry) {
    if (in.name.length == 0) {
      in.name.append('#');
      in.name.append_number(static_cast<std::uint64_t>(entry));
    }
    const auto name_at = [this](int k) -> const text& { return all.inputs[k].name; };
    const int known = names.find(in.name, name_at);
    if (known >= 0) return known;
    names.add((all.inputs.push_back(in), in.name), name_at);
    return all.inputs.size() - 1;
  }
  constexpr int number_of(ir::program step) {
    ir::recode(step, all);
    renumber_kinds(step, step);
    clear_tables(step);
    clear_words(step);
    return ir::callee_number(all, step);
  }
  constexpr int kind_of(const ir::program& p, int number) {
    ir::kind k = p.kinds[number - 1];
    if (k.is_relation()) {
      k.source = k.source == 0 ? 0 : kind_of(p, k.source);
      k.destination = k.destination == 0 ? 0 : kind_of(p, k.destination);
    }
    return ir::kind_number(all, k);
  }
  /// In a step and its callees: all share the kinds of the program around them.
  constexpr void renumber_kinds(const ir::program& of, ir::program& step) {
    if (of.kinds.empty()) return;
    for (ir::statement& s : step.statements) ir::renumber_kinds(s, [&](int kind) { return kind_of(of, kind); });
    for (ir::program& c : step.callees) renumber_kinds(of, c);
  }
  static constexpr void clear_tables(ir::program& step) {
    step.extents.clear();
    step.kinds.clear();
    for (ir::program& c : step.callees) clear_tables(c);
  }

  /// Clears how values are kept: it does not matter here.
  static constexpr void clear_words(ir::program& step) {
    for (ir::statement& s : step.statements) s.scopes = 0;
    step.names.clear();
    step.tags.clear();
    step.decisions.clear();
    for (ir::program& c : step.callees) clear_words(c);
  }

  ir::program all{};
  name_table names{};
};

}  // namespace detail

/// Whether value i of p and value j of q are made of equal inputs by equal statements, at any places. Linear: a value
/// with several readers is compared once. Throws value_is_unknown.
constexpr bool are_equal(const ir::program& p, ir::value_id i, const ir::program& q, ir::value_id j) {
  detail::common_program both;
  const ir::value_id first = both.add(p, node_of(p, i).at);
  return first == both.add(q, node_of(q, j).at);
}

}  // namespace stg::examine
