// transform: a copy of a program in which a function decides the fate of each statement.
#pragma once

#include <stg/base/sequence.hpp>      // sequence
#include <stg/examine/numbering.hpp>  // repeats
#include <stg/ir/callees.hpp>         // take_extents
#include <stg/ir/program.hpp>         // program
#include <stg/ir/rewriting.hpp>       // rewriting
#include <stg/pass/rule_context.hpp>  // rule_context, value

namespace stg::examine {

/// A statement on its way into the copy: its operands are values of the copy, and it can write others with the language
/// of gradient rules (pass/value.hpp, pass/rule_context.hpp).
class copied : public pass::rule_context {
 public:
  constexpr copied(ir::program& into, const ir::statement& original, const sequence<ir::value_id>& copies,
                   ir::value_id from, bool is_repeated)
      : rule_context(into, ir::renamed(original, copies)),
        to(&into),
        places(&copies),
        at(from),
        repeated(is_repeated) {}

  /// The statement as it is. It stays apart from equal statements before it, as in the program.
  constexpr pass::value same() const {
    return pass::value{to, repeated ? to->append(statement()) : to->emit(statement())};
  }
  /// The statement in the original program.
  constexpr ir::value_id from() const { return at; }
  /// The copy of an earlier value.
  constexpr pass::value copy_of(ir::value_id earlier) const { return pass::value{to, (*places)[earlier]}; }
  constexpr ir::opcode code() const { return statement().code; }
  constexpr ir::program& into() const { return *to; }

 private:
  ir::program* to;
  const sequence<ir::value_id>* places;
  ir::value_id at;
  bool repeated;
};

/// A copy of p in which each statement is the value that f(copied) gives for it, in program order; outputs, names and
/// checks go along. If f gives c.same() for all, the copy equals p. Values without readers stay: dce drops them. The
/// steps of scans are left as they are.
///
///   // x / y as x · (1 / y)
///   examine::transform(p, [](const examine::copied& c) {
///     if (c.code() != ir::opcode::div) return c.same();
///     return c.operand(0) * (c.one() / c.operand(1));
///   });
template <class F> constexpr ir::program transform(const ir::program& p, F&& f) {
  ir::rewriting all(p);
  all.q.scopes_apart = p.scopes_apart;
  all.q.wrong = p.wrong;
  const ir::flags repeated = repeats(p);
  return all.run([&](ir::rewriting& r, ir::value_id i) {
    const int before = r.q.size();
    const ir::value_id made = f(copied(r.q, p[i], r.at, i, repeated[i])).id;
    for (ir::value_id k = before; k < r.q.size(); ++k)
      r.q.statements[k].scopes = r.q.joined_scopes(r.q[k].scopes, p[i].scopes);
    return made;
  });
}

/// Transforms the program and the steps of its scans. f must keep the spaces, shapes and types of inputs and outputs of
/// a step (verify finds violations).
template <class F> constexpr ir::program transform_with_steps(const ir::program& p, F&& f) {
  ir::program q = transform(p, f);
  for (int k = 0; k < q.callees.size(); ++k) {
    ir::program step = q.callees[k];
    step.extents = q.extents;
    step = transform_with_steps(step, f);
    q.extents = step.extents;
    q.callees[k] = step;
  }
  for (ir::program& c : q.callees) ir::take_extents(c, q);
  return q;
}

}  // namespace stg::examine
