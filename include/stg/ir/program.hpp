// A program: statements in SSA order with their inputs, outputs, scopes and names. Passes map programs to programs.
#pragma once

#include <cstdint>  // int64_t, uint32_t

#include <stg/base/sequence.hpp>  // sequence
#include <stg/base/text.hpp>      // text
#include <stg/ir/decision.hpp>    // decision
#include <stg/ir/extent.hpp>      // polynomial
#include <stg/ir/fields.hpp>      // members_of
#include <stg/ir/keeping.hpp>     // keeping
#include <stg/ir/mistake.hpp>     // mistake
#include <stg/ir/start.hpp>       // start
#include <stg/ir/statement.hpp>   // statement, value_id

namespace stg::ir {

/// One mark per statement. (clang 14 cannot use vector<bool> in constant evaluation.)
using flags = sequence<unsigned char>;

/// An input's name, whether it has a gradient by default, and whether its tensor is a sparse one.
struct input {
  text name{};
  bool trainable = false;
  bool sparse = false;
  start begins{};  // of a parameter
  /// Equality ignores the start of parameters.
  constexpr bool operator==(const input& x) const {
    return name == x.name && trainable == x.trainable && sparse == x.sparse;
  }
};

/// An output value; the name is empty for outputs that are told apart by position.
struct output {
  value_id at = no_value;
  text name{};
  constexpr bool operator==(const output&) const = default;
};

/// A set of scopes that statements were written in together: the last of them, by their order in the program, and the
/// set of the others. Set number n is scope_sets[n - 1]; number 0 has no scopes.
struct scope_set {
  int last = 0, others = 0;
  constexpr bool operator==(const scope_set&) const = default;
};

/// The name that named<"…">(x) gave to a value, with the scopes around it: "conv1/score".
struct label {
  text name{};
  value_id at = no_value;
  constexpr bool operator==(const label&) const = default;
};

/// A tag of a value, or of an axis of it, from tag<"…">(x). Passes carry tags along; two values that become one merge
/// their tags.
struct tag {
  static constexpr int whole = -1;  // the value; 0, 1, …: a feature axis
  static constexpr int rows = -2;   // one row per vertex or edge
  static constexpr int steps = -3;  // a value for each step of a scan
  text name{};
  value_id at = no_value;
  int axis = whole;
  constexpr bool operator==(const tag&) const = default;
};

/// A check of an input's numbers before the program runs: class ids lie in [0, classes) wherever the mask is set.
/// Labels that are boolean are a mask themselves, and name a vertex at least.
struct label_range {
  value_id labels = no_value;
  value_id mask = no_value;  // no_value: everywhere
  extent classes{};
  constexpr bool operator==(const label_range&) const = default;
};

/// A vertex set or a relation of a program, by its name. A relation has the numbers of the sets that its edges start
/// and end in.
struct kind {
  static constexpr int no_set = -1;
  text name{};
  int source = no_set, destination = no_set;

  constexpr bool is_relation() const { return source != no_set; }
  constexpr bool operator==(const kind&) const = default;
};

/// Kinds of an array elsewhere: a std::span would be a hundred classes more in every file.
struct kind_list {
  const kind* first = nullptr;
  int count = 0;

  constexpr const kind* begin() const { return first; }
  constexpr const kind* end() const { return first + count; }
  constexpr const kind& operator[](int at) const { return first[at]; }
};

/// Statements are hash-consed: emitting an equal statement twice gives the same value. So two programs with the same
/// computations in the same order are equal, and no order depends on addresses. While a lambda is traced, statements of
/// different scopes are kept apart, so that a layer keeps its identity; afterwards they merge and keep both scopes.
struct STG_NODISCARD(STG_PROGRAM_IS_NOT_USED) program {
  sequence<statement> statements{};
  sequence<input> inputs{};
  sequence<polynomial> extents{};  // run-time extents; an extent with code -1 - i is extents[i]
  sequence<output> outputs{};
  sequence<text> scopes{};
  sequence<scope_set> scope_sets{};
  sequence<label> names{};
  sequence<tag> tags{};
  sequence<decision> decisions{};
  sequence<label_range> checks{};
  sequence<kind> kinds{};       // vertex sets and relations: number n is kinds[n - 1]; a plain program has none
  sequence<program> callees{};  // the steps of scans, whose extents are the first ones of this program's
  int forward_outputs = 0;      // of the step of a gradient: the number of its last outputs that it gives forwards
  bool scopes_apart = false;
  mistake wrong = mistake::none;  // the first one while the lambda was traced

  constexpr int size() const { return statements.size(); }
  constexpr const statement& operator[](value_id at) const { return statements.first[at]; }
  /// Operand k of a statement.
  constexpr const statement& operand(const statement& s, int k) const { return statements.first[s.operands[k]]; }

  constexpr value_id emit(const statement& s) {
    make_room();
    int& entry = table.first[slot(s)];
    if (entry != 0) {
      int& scopes_there = statements.first[entry - 1].scopes;
      if (scopes_there != s.scopes) scopes_there = joined_scopes(scopes_there, s.scopes);
      return entry - 1;
    }
    statements.push_back(s);
    entry = statements.size();
    return entry - 1;
  }
  /// Writes a statement whether or not an equal one is there.
  constexpr value_id append(const statement& s) {
    make_room();
    statements.push_back(s);
    table[slot(s)] = size();
    return size() - 1;
  }
  /// Makes room for n statements at once: growing bit by bit moves and hashes the old ones again and again.
  constexpr void reserve(int n) {
    statements.reserve(n);
    int slots = 64;
    while (slots < 2 * n) slots *= 2;
    table = sequence<int>(slots);
    for (value_id i = 0; i < size(); ++i) table[slot(statements[i])] = i + 1;
  }
  /// The value of an equal statement, or no_value.
  constexpr value_id find(const statement& s) {
    make_room();
    return table[slot(s)] - 1;
  }

  constexpr extent intern(const polynomial& p) {
    if (p.is_integer()) return extent(p.integer());
    if (!p.fits()) throw polynomial::too_large();
    std::int64_t at = 0;
    for (const polynomial& known : extents) {
      if (known == p) return extent(-1 - at);
      ++at;
    }
    extents.push_back(p);
    return extent(-1 - at);
  }
  constexpr polynomial polynomial_of(extent e) const {
    return e.is_static() ? polynomial(e.code) : extents[-1 - e.code];
  }
  /// The number of a scope; it is there once.
  constexpr int scope_number(const text& name) {
    int at = 0;
    while (at < scopes.size() && !(scopes[at] == name)) ++at;
    if (at == scopes.size()) scopes.push_back(name);
    return at;
  }
  /// The number of the set with one scope more.
  constexpr int set_with(int set, int scope) {
    scope_set wanted{scope, set};
    if (set != 0) {
      const scope_set here = scope_sets[set - 1];
      if (here.last == scope) return set;
      if (here.last > scope) wanted = {here.last, set_with(here.others, scope)};
      if (wanted == here) return set;
    }
    int at = 0;
    while (at < scope_sets.size() && !(scope_sets[at] == wanted)) ++at;
    if (at == scope_sets.size()) scope_sets.push_back(wanted);
    return at + 1;
  }
  /// The set with the scopes of both.
  constexpr int joined_scopes(int a, int b) {
    for (int at = b; at != 0 && at != a; at = scope_sets[at - 1].others) a = set_with(a, scope_sets[at - 1].last);
    return a;
  }
  /// Writes a decision, once.
  constexpr void decide(const decision& d) {
    for (const decision& known : decisions)
      if (known == d) return;
    decisions.push_back(d);
  }
  /// The vertex set that the edges of a relation start, or end, in.
  constexpr int source_set(int relation) const { return relation == 0 ? 0 : kinds[relation - 1].source; }
  constexpr int destination_set(int relation) const { return relation == 0 ? 0 : kinds[relation - 1].destination; }
  /// The vertex set that owns the edges of a relation on a side.
  constexpr int owner_set(int relation, direction side) const {
    return side == direction::in ? destination_set(relation) : source_set(relation);
  }
  /// Statements of this program and of all that it calls.
  constexpr int total_size() const {
    int n = size();
    for (const program& c : callees) n += c.total_size();
    return n;
  }
  /// Number of elements of a shape.
  constexpr polynomial size_of(const shape& dims) const {
    polynomial n(1);
    for (int i = 0; i < dims.rank; ++i)
      if (!dims.axes[i].is_one()) n = n * polynomial_of(dims.axes[i]);
    return n;
  }

  /// Equality compares computations, inputs and outputs, not scopes, names of values, tags or decisions.
  constexpr bool operator==(const program& o) const {
    if (size() != o.size()) return false;
    for (value_id i = 0; i < size(); ++i)
      if (!(*this)[i].computes_same(o[i])) return false;
    return inputs == o.inputs && outputs == o.outputs && extents == o.extents && checks == o.checks &&
           kinds == o.kinds && forward_outputs == o.forward_outputs && callees == o.callees;
  }

 private:
  // Open addressing over hash(statement), twice as long as there is room: a value plus 1, or 0. After statements were
  // written without it, as by thaw, the first use makes it.
  sequence<int> table{};

  constexpr void make_room() {
    if (2 * statements.size() >= table.size()) reserve(2 * size() + 32);
  }
  constexpr int slot(const statement& s) const {
    const int mask = table.size() - 1;
    int at = static_cast<int>(hash(s) & static_cast<std::uint32_t>(mask));
    while (table.first[at] != 0 && !is_at(table.first[at] - 1, s)) at = (at + 1) & mask;
    return at;
  }
  constexpr bool is_at(value_id at, const statement& s) const {
    return statements.first[at].computes_same(s) && (!scopes_apart || statements.first[at].scopes == s.scopes);
  }
};

constexpr value_id root_of(const program& p, value_id at) { return root_of(p.statements.first, at); }

/// Calls f(number of a scope) for each scope of a set, in their order.
template <class F> constexpr void each_scope_of_set(const program& p, int set, const F& f) {
  if (set == 0) return;
  each_scope_of_set(p, p.scope_sets[set - 1].others, f);
  f(p.scope_sets[set - 1].last);
}
template <class F> constexpr void each_scope(const program& p, const statement& s, const F& f) {
  each_scope_of_set(p, s.scopes, f);
}
/// Gives q the scopes of p, with the decisions about them and about the whole: statements that go from p to q have
/// theirs.
constexpr void take_scopes(program& q, const program& p) {
  q.scopes = p.scopes;
  q.scope_sets = p.scope_sets;
  for (const decision& d : p.decisions)
    if (!d.is_of_values()) q.decide(d);
}

/// A program without statements or outputs that knows the same inputs, extents and kinds: the start of a pass.
constexpr program blank_like(const program& p) {
  program q;
  q.reserve(p.size());
  q.inputs = p.inputs;
  q.extents = p.extents;
  take_scopes(q, p);
  q.kinds = p.kinds;
  q.callees = p.callees;
  q.forward_outputs = p.forward_outputs;
  return q;
}

/// The number of a kind among those of a program; an equal one is there once.
constexpr int kind_number(program& p, const kind& k) {
  int at = 0;
  while (at < p.kinds.size() && !(p.kinds[at] == k)) ++at;
  if (at == p.kinds.size()) p.kinds.push_back(k);
  return at + 1;
}

/// A statement with its operands renamed by at[old].
constexpr statement renamed(statement s, const sequence<value_id>& at) {
  for (int k = 0; k < statement::max_operands && s.operands[k] != no_value; ++k)
    s.operands[k] = at.first[s.operands[k]];
  return s;
}

}  // namespace stg::ir
