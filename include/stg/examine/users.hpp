// Readers and ingredients of a value: operands, users, and both through any number of steps.
//
// A statement with a value as two operands, x * x, is one user that uses it twice. A scan reads its list, and a list
// reads its bound values: both count as users.
#pragma once

#include <stg/base/sequence.hpp>      // sequence
#include <stg/examine/mistakes.hpp>   // value_is_unknown
#include <stg/examine/walk.hpp>       // node_of
#include <stg/ir/program.hpp>         // program
#include <stg/analysis/readings.hpp>  // reading, sorted_readings

namespace stg::examine {

/// The operands of a statement, in their order; a repeated operand is listed each time. Throws value_is_unknown.
constexpr sequence<ir::value_id> operands_of(const ir::program& p, ir::value_id at) {
  const node n = node_of(p, at);
  sequence<ir::value_id> found;
  for (int k = 0; k < n.arity(); ++k) found.push_back(n.operand(k).at);
  return found;
}
/// The same, each value once.
constexpr sequence<ir::value_id> distinct_operands_of(const ir::program& p, ir::value_id at) {
  sequence<ir::value_id> found;
  for (const ir::value_id operand : operands_of(p, at)) {
    bool known = false;
    for (const ir::value_id other : found) known = known || other == operand;
    if (!known) found.push_back(operand);
  }
  return found;
}

/// Users of all values of a program, found once. An output is none.
///
///   const examine::users readers(p);
///   for (const ir::value_id reader : readers.of(x)) …
class users {
 public:
  constexpr explicit users(const ir::program& of)
      : statements(of.size()), readings(all_of(of), &pass::reading::made, of.size()) {}

  /// How often a value is an operand. Throws value_is_unknown, as all of these.
  constexpr int uses(ir::value_id at) const { return of_value(at).size(); }
  /// Statements that read a value, in program order, one for each operand that it is.
  constexpr sequence<ir::value_id> with_multiplicity(ir::value_id at) const {
    sequence<ir::value_id> found;
    for (const pass::reading& r : of_value(at)) found.push_back(r.reader);
    return found;
  }
  /// The same, each statement once.
  constexpr sequence<ir::value_id> of(ir::value_id at) const {
    sequence<ir::value_id> found;
    for (const pass::reading& r : of_value(at))
      if (found.empty() || found.back() != r.reader) found.push_back(r.reader);
    return found;
  }

 private:
  static constexpr sequence<pass::reading> all_of(const ir::program& p) {
    sequence<pass::reading> all;
    all.reserve(2 * p.size());
    for (ir::value_id i = 0; i < p.size(); ++i)
      for (int k = 0; k < p[i].arity(); ++k) all.push_back({i, p[i].operands[k]});
    return all;
  }

  constexpr pass::reading_range of_value(ir::value_id at) const {
    if (at < 0 || at >= statements) throw value_is_unknown(at, statements);
    return readings[at];
  }

  int statements;
  pass::sorted_readings readings;
};

/// Statements that a value goes into, through any number of steps, in program order; with_multiplicity: as often as
/// operands of theirs lead back to it. Linear. Throws value_is_unknown.
constexpr sequence<ir::value_id> all_users_of(const ir::program& p, ir::value_id at, bool with_multiplicity = false) {
  ir::flags reached(p.size(), 0);
  reached[node_of(p, at).at] = 1;
  sequence<ir::value_id> found;
  for (ir::value_id i = at + 1; i < p.size(); ++i)
    for (int k = 0; k < p[i].arity(); ++k) {
      if (!reached[p[i].operands[k]]) continue;
      if (with_multiplicity || !reached[i]) found.push_back(i);
      reached[i] = 1;
    }
  return found;
}

}  // namespace stg::examine
