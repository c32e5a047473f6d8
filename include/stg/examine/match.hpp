// Finds the value of a small program, the pattern, in a larger program: matches by data flow.
//
// A pattern's inputs are wildcards, which stand for any value within their limits, and symbols, which stand for the
// input of their name. Operations, operands, constants and attributes are compared. Spaces, shapes and scalar types are
// compared only if the pattern states them: for wildcards, gathers, and statements that bring their own shape.
#pragma once

#include <string_view>  // string_view
#include <utility>      // move

#include <stg/base/sequence.hpp>   // sequence
#include <stg/examine/walk.hpp>    // node, roots_of
#include <stg/ir/program.hpp>      // program
#include <stg/op/list.hpp>         // info_of
#include <stg/analysis/users.hpp>  // reachable

namespace stg::examine {

/// The values that a wildcard stands for. If a limit is false, the statement of its input decides.
struct wildcard_limits {
  bool everywhere = true;  // in any space, otherwise in the statement's
  bool any_shape = true;   // otherwise the statement's; names of extents in it are wildcards themselves
  bool any_real = true;    // f32 or f64, otherwise the statement's type
  int made_by = any_code;  // an operation
  static constexpr int any_code = -1;
  constexpr bool operator==(const wildcard_limits&) const = default;
};

/// A program with one output; its first statements and inputs are wildcards, in their order. A run-time extent named in
/// it stands for any extent, the same at each mention; a plain relation for any relation, likewise.
struct pattern {
  ir::program program{};
  sequence<wildcard_limits> wildcards{};

  constexpr ir::value_id root() const { return program.outputs[0].at; }
  /// Marks a value that may be read outside of the match: it is computed as before.
  static constexpr std::string_view kept = "?kept";
};

/// The verdict on a place that fits the pattern.
enum class verdict : int {
  taken,
  not_chosen,    // the rule's condition did not hold
  used_outside,  // a value on the way from the wildcards to the result is read by others, and not kept
  overlaps       // a statement of it belongs to an earlier match that was taken
};

/// A place that fits the pattern.
class match {
 public:
  constexpr match() = default;
  constexpr match(const ir::program& of, const pattern& by) : in(&of), found(by.program.size(), ir::no_value) {
    root_ = by.root();
    names = by.program.names;
    wildcard_count = by.wildcards.size();
  }

  /// The statement with the pattern's value.
  constexpr node root() const { return {in, found[root_]}; }
  /// The number of wildcards, and the node for wildcard k; no_value if the pattern does not read it.
  constexpr int size() const { return wildcard_count; }
  constexpr node operator[](int k) const { return {in, found[k]}; }
  /// The node that the pattern calls by a name: named<"score">(…). A node without a program if there is no such name.
  constexpr node operator[](std::string_view name) const {
    for (const ir::label& l : names)
      if (l.name.view() == name) return {in, found[l.at]};
    return {};
  }
  verdict what = verdict::taken;

  // ---- for rules ----

  const ir::program* in = nullptr;
  sequence<ir::value_id> found{};  // of each statement of the pattern
  sequence<text> extent_names{};   // of the pattern, and the extents that they stand for
  sequence<ir::extent> extents{};
  int relation = any_relation;  // for the pattern's edges
  static constexpr int any_relation = -1;

 private:
  ir::value_id root_ = ir::no_value;
  int wildcard_count = 0;
  sequence<ir::label> names{};
};

namespace detail {

/// An extent of a pattern with its names replaced; does not fit if a name stands for nothing.
constexpr ir::polynomial substituted(const ir::polynomial& e, const match& m) {
  ir::polynomial sum;
  for (int t = 0; t < e.count; ++t) {
    ir::polynomial product(e.terms[t].coefficient);
    for (int f = 0; f < e.terms[t].degree; ++f) {
      int k = 0;
      while (k < m.extent_names.size() && !(m.extent_names[k] == e.terms[t].factors[f])) ++k;
      if (k == m.extent_names.size()) product.spoil();
      else product = product * m.in->polynomial_of(m.extents[k]);
    }
    sum = sum + product;
  }
  return sum;
}

/// The number of a pattern's vertex set or relation in a program; -1: it has none of this name.
constexpr int number_in(const ir::program& p, const ir::program& pattern, int number) {
  const ir::kind& wanted = pattern.kinds[number - 1];
  for (int k = 0; k < p.kinds.size(); ++k)
    if (p.kinds[k].name == wanted.name && p.kinds[k].is_relation() == wanted.is_relation()) return k + 1;
  return -1;
}

/// Whether a statement brings its space, or the relation, itself.
constexpr bool brings_place(const ir::statement& s) {
  return op::info_of(s.code).kind == op::category::gather || s.code == ir::opcode::broadcast_to ||
         (s.arity() == 0 && s.code != ir::opcode::constant);
}

/// Pairs a pattern's statements with statements of the program, from the output on: each pair binds its operands, in
/// both orders if the operation is commutative, until all agree. A pattern is small, so the number of orders is, too.
template <class Accept> class matcher {
 public:
  constexpr matcher(const ir::program& of, const pattern& by, Accept& accept)
      : p(of), f(by), accepts(accept), m(of, by) {}

  /// Whether the pattern's value is the value of a statement, and the match is accepted.
  constexpr bool is_at(ir::value_id root) {
    m.found.assign(m.found.size(), ir::no_value);
    back_to({0, match::any_relation});
    m.found[f.root()] = root;
    return solve(f.root());
  }
  constexpr const match& found() const { return m; }

 private:
  struct mark {
    int extents, relation;
  };
  constexpr mark here() const { return {m.extents.size(), m.relation}; }
  constexpr bool back_to(const mark& before) {
    while (m.extents.size() > before.extents) {
      m.extents.pop_back();
      m.extent_names.pop_back();
    }
    m.relation = before.relation;
    return false;
  }

  /// Statements of the pattern from k down. Statements needed by the output are bound before their turn comes.
  constexpr bool solve(int k) {
    while (k >= 0 && m.found[k] == ir::no_value) --k;
    if (k < 0) return extents_agree() && accepts(m);
    const ir::statement &s = f.program[k], &t = p[m.found[k]];
    const mark before = here();
    if (!agree(k, s, t)) return back_to(before);
    if (s.arity() == 0) return solve(k - 1) || back_to(before);
    const int orders = op::info_of(s.code).commutative && t.operands[0] != t.operands[1] ? 2 : 1;
    for (int order = 0; order < orders; ++order) {
      ir::value_id bound[ir::statement::max_operands] = {ir::no_value, ir::no_value, ir::no_value};
      bool fits = true;
      for (int n = 0; fits && n < s.arity(); ++n) {
        ir::value_id& known = m.found[s.operands[n]];
        const ir::value_id operand = t.operands[order == 1 ? 1 - n : n];
        if (known == ir::no_value) {
          known = operand;
          bound[n] = s.operands[n];
        }
        fits = known == operand;
      }
      if (fits && solve(k - 1)) return true;
      for (const ir::value_id undone : bound)
        if (undone != ir::no_value) m.found[undone] = ir::no_value;
    }
    return back_to(before);
  }

  constexpr bool agree(int k, const ir::statement& s, const ir::statement& t) {
    if (k < f.wildcards.size()) return stands_for(f.wildcards[k], s, t);
    if (s.code != t.code || s.arity() != t.arity() || t.is_sequence() || s.bits() != t.bits()) return false;
    if (s.code == ir::opcode::input)
      return f.program.inputs[s.entry()].name == p.inputs[t.entry()].name && same_place(s.where, t.where);
    if (s.code == ir::opcode::cast && s.type != t.type) return false;
    for (const ir::field& of : ir::fields_of(s.code))
      if (!is_looked_at(of, s) && of.get(s) != of.get(t)) return false;
    if (s.code == ir::opcode::degree && !same_relation(s.relation(), t.relation())) return false;
    if (s.code == ir::opcode::vertex_count && s.counted_set() != 0)
      return number_in(p, f.program, s.counted_set()) == t.counted_set();
    return !brings_place(s) || same_place(s.where, t.where);
  }

  /// Whether a field is compared by its meaning elsewhere, or does not matter: any mask stands for any other.
  static constexpr bool is_looked_at(const ir::field& of, const ir::statement& s) {
    return of.what == ir::field_kind::number || of.what == ir::field_kind::extent || of.what == ir::field_kind::kind ||
           s.code == ir::opcode::keep_mask;
  }

  constexpr bool stands_for(const wildcard_limits& limits, const ir::statement& s, const ir::statement& t) {
    if (ir::is_part_of_scan(t.code) || t.code == ir::opcode::arguments || t.is_sequence()) return false;
    if (t.code == ir::opcode::input && p.inputs[t.entry()].sparse) return false;
    if (limits.made_by != wildcard_limits::any_code && limits.made_by != static_cast<int>(t.code)) return false;
    if (limits.any_real ? !is_real(t.type) : s.type != t.type) return false;
    if (!limits.everywhere && !same_place(s.where, t.where)) return false;
    if (limits.any_shape) return true;
    if (s.dims.rank != t.dims.rank) return false;
    for (int a = 0; a < s.dims.rank; ++a)
      if (!same_extent(s.dims.axes[a], t.dims.axes[a])) return false;
    return true;
  }

  /// A name stands for the first extent that it meets; integers and extents made of names are compared.
  constexpr bool same_extent(ir::extent e, ir::extent other) {
    if (e.is_static()) return e == other;
    const ir::polynomial& named = f.program.extents[-1 - e.code];
    const bool is_name = named.count == 1 && named.terms[0].degree == 1 && named.terms[0].coefficient == 1;
    if (!is_name) return true;  // when all names are known
    for (int k = 0; k < m.extent_names.size(); ++k)
      if (m.extent_names[k] == named.terms[0].factors[0]) return m.extents[k] == other;
    m.extent_names.push_back(named.terms[0].factors[0]);
    m.extents.push_back(other);
    return true;
  }
  constexpr bool is(ir::extent e, ir::extent other) const {
    const ir::polynomial known = substituted(f.program.polynomial_of(e), m);
    return known.fits() && known == p.polynomial_of(other);
  }
  /// Extents that follow from names, once the wildcards have bound the names.
  constexpr bool extents_agree() const {
    for (int k = 0; k < m.found.size(); ++k) {
      if (m.found[k] == ir::no_value) continue;
      const ir::statement &s = f.program[k], &t = p[m.found[k]];
      const bool is_wildcard = k < f.wildcards.size();
      if (is_wildcard ? !f.wildcards[k].any_shape : op::info_of(s.code).brings_shape) {
        if (s.dims.rank != t.dims.rank) return false;
        for (int a = 0; a < s.dims.rank; ++a)
          if (!is(s.dims.axes[a], t.dims.axes[a])) return false;
      }
      if (!is_wildcard && ir::attribute_is_extent(s.code) && !is(ir::extent_of(s), ir::extent_of(t))) return false;
    }
    return true;
  }

  constexpr bool same_place(const ir::domain& s, const ir::domain& t) {
    if (s.kind != t.kind) return false;
    if (s.kind == ir::space::edge) return same_relation(s.set, t.set);
    return s.set == 0 || number_in(p, f.program, s.set) == t.set;
  }
  constexpr bool same_relation(int wanted, int relation) {
    if (wanted != 0) return number_in(p, f.program, wanted) == relation;
    if (m.relation == match::any_relation) m.relation = relation;
    return m.relation == relation;
  }

  const ir::program& p;
  const pattern& f;
  Accept& accepts;
  match m;
};

/// Gives the verdict on each match: whether it can be replaced, and is apart from earlier matches.
class judge {
 public:
  constexpr judge(const ir::program& of, const pattern& by)
      : p(of), f(by), uses(pass::uses_of(of)), is_kept(by.program.size(), 0), taken(of.size(), 0) {
    for (const ir::label_range& c : p.checks) {
      ++uses[c.labels];
      if (c.mask != ir::no_value) ++uses[c.mask];
    }
    for (const ir::label& l : f.program.names)
      if (l.name.view() == pattern::kept) is_kept[l.at] = 1;
  }

  constexpr verdict of(const match& m) const {
    for (int k = f.wildcards.size(); k < m.found.size(); ++k)
      if (is_inner(m, k) && !is_kept[k] && is_used_outside(m, m.found[k])) return verdict::used_outside;
    for (int k = f.wildcards.size(); k < m.found.size(); ++k)
      if (belongs(m, k) && taken[m.found[k]]) return verdict::overlaps;
    return verdict::taken;
  }
  constexpr void take(const match& m) {
    for (int k = f.wildcards.size(); k < m.found.size(); ++k)
      if (belongs(m, k)) taken[m.found[k]] = 1;
  }

 private:
  /// A statement with operands. Constants, degrees and the like are there for all.
  constexpr bool belongs(const match& m, int k) const {
    return m.found[k] != ir::no_value && (f.program[k].arity() > 0 || k == f.root());
  }
  constexpr bool is_inner(const match& m, int k) const { return belongs(m, k) && k != f.root(); }
  /// By a statement outside the match, by the caller, or by the replacement through a wildcard.
  constexpr bool is_used_outside(const match& m, ir::value_id at) const {
    int within = 0;
    for (int k = 0; k < m.found.size(); ++k) {
      if (k < f.wildcards.size() && m.found[k] == at) return true;
      bool is_first = belongs(m, k);
      for (int before = f.wildcards.size(); is_first && before < k; ++before)
        is_first = !belongs(m, before) || m.found[before] != m.found[k];
      for (int n = 0; is_first && n < p[m.found[k]].arity(); ++n) within += p[m.found[k]].operands[n] == at;
    }
    return within < uses[at];
  }

  const ir::program& p;
  const pattern& f;
  sequence<int> uses;  // among statements that outputs need
  ir::flags is_kept;
  ir::flags taken;
};

}  // namespace detail

namespace detail {
/// A condition in one program: a function of a match as it is, or the result of a function of the program.
template <class Condition> constexpr auto condition_in(const ir::program& p, const Condition& c) {
  if constexpr (requires(const match& m) { static_cast<bool>(c(m)); }) return [&c](const match& m) { return c(m); };
  else return c(p);
}
}  // namespace detail

/// All matches of a pattern in a program, in the order of its statements, with the verdict on each. Taken matches are
/// disjoint: no statement between wildcards and result belongs to two of them. Steps of scans are programs of their
/// own. condition(match), or condition(program)(match), chooses; if operands of commutative operations can be taken in
/// several ways, it is called for each until one is taken. Statements that no output needs are skipped. Linear.
///
///   for (const examine::match& m : examine::matches_of(p, distribute.pattern()))
///     std::cout << m.root().at << (m.what == examine::verdict::taken ? " is taken\n" : " is not\n");
template <class Condition>
constexpr sequence<match> matches_of(const ir::program& p, const pattern& f, const Condition& condition) {
  sequence<match> all;
  detail::judge judge(p, f);
  const ir::flags used = pass::reachable(p);
  const ir::opcode code = f.program[f.root()].code;
  const auto chooses = detail::condition_in(p, condition);
  sequence<match> refused;  // for each place, the first match that was not taken
  auto accept = [&](match& m) {
    m.what = chooses(static_cast<const match&>(m)) ? judge.of(m) : verdict::not_chosen;
    if (m.what != verdict::taken && refused.empty()) refused.push_back(m);
    return m.what == verdict::taken;
  };
  detail::matcher search(p, f, accept);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    if (!used[i] || p[i].code != code) continue;
    refused.clear();
    if (search.is_at(i)) {
      all.push_back(search.found());
      judge.take(search.found());
    } else if (!refused.empty()) {
      all.push_back(refused[0]);
    }
  }
  return all;
}
constexpr sequence<match> matches_of(const ir::program& p, const pattern& f) {
  return matches_of(p, f, [](const match&) { return true; });
}

}  // namespace stg::examine
