// loose_expr<Shape, Scalar>: a value made of parameters, scalars and numbers alone, which no traced value has met yet.
#pragma once

#include <stg/base/sequence.hpp>   // sequence
#include <stg/dsl/expr.hpp>        // expr, tracer
#include <stg/dsl/steps.hpp>       // reader_of_steps, read_step
#include <stg/ir/attachments.hpp>  // carry_tags, carry_decisions
#include <stg/ir/callees.hpp>      // extent_in, intern_extents, recode, take_extents, callee_number

namespace stg {

/// A value of the graph in a program of its own: `relu(b)`, `1.0 + s`, `S[0]`. Parameters and scalars do not say which
/// lambda is being traced; the first traced value that this one meets does, and its program takes this one over.
template <class Shape, scalar_type T> struct STG_NODISCARD(STG_IS_NOT_USED) loose_expr : without_methods {
  ir::program program{};
  ir::value_id id = ir::no_value;
  mistaken_place wrong{};

  constexpr loose_expr() = default;
  constexpr loose_expr(const ir::program& of, ir::value_id at, const mistaken_place& mistake = {})
      : program(of), id(at), wrong(mistake) {}

  constexpr explicit operator bool() const {
    static_assert(Shape::rank < 0,
                  "stg: if and ? cannot look at a value, programs have no branches; write select(a > b, x, y)");
    return false;
  }
  template <class Index>
    requires(!std::is_integral_v<Index>)
  constexpr auto operator[](Index index) const { return pick(*this, index); }
  template <class Entry = loose_expr> constexpr auto operator[](written_index i) const {
    return pick_entry(Entry(*this), i);
  }
};

namespace detail {
template <class X> inline constexpr bool is_loose = false;
template <class Sh, scalar_type T> inline constexpr bool is_loose<loose_expr<Sh, T>> = true;

/// The number in the traced program of another program's callee.
constexpr int take_callee(tracer& t, ir::program callee) {
  ir::recode(callee, t.program);
  ir::take_extents(callee, t.program);
  return ir::callee_number(t.program, callee, true);
}

/// Writes the statements of a program into the traced one, at the open scope: value i becomes [i]. Existing statements
/// are not written twice. A mistake in it has its place beside it.
constexpr sequence<ir::value_id> take_over(tracer& t, const ir::program& p, const mistaken_place& wrong = {}) {
  sequence<ir::value_id> at;
  at.reserve(p.statements.size());
  for (const ir::statement& original : p.statements) {
    ir::statement s = ir::renamed(original, at);
    if (s.code == ir::opcode::input && s.is_sequence() && !t.is_loose) {  // of the step that reads it
      tracer& step = reader_of_steps(t, p.polynomial_of(s.over), p.inputs[s.entry()].name);
      s.over = ir::extent(0);
      ir::intern_extents(s, p, step.program);
      at.push_back(read_step(t, step, p.inputs[s.entry()], s));
      continue;
    }
    ir::intern_extents(s, p, t.program);
    if (s.code == ir::opcode::input) s.set_entry(t.entry_of(p.inputs[s.entry()]));
    if (ir::has_callee(s)) s.set_callee(take_callee(t, p.callees[s.callee()]));
    at.push_back(t.emit(s));
  }
  if (p.wrong != ir::mistake::none && wrong.what == p.wrong) t.note(p.wrong, wrong.word, wrong.line);
  else if (p.wrong != ir::mistake::none) t.note(p.wrong);
  for (const ir::label& l : p.names) t.name(l.name.view(), at[static_cast<std::size_t>(l.at)]);
  ir::carry_tags(p, t.program, at);
  ir::carry_decisions(p, t.program, at);
  for (ir::label_range c : p.checks) {
    c.labels = at[static_cast<std::size_t>(c.labels)];
    if (c.mask != ir::no_value) c.mask = at[static_cast<std::size_t>(c.mask)];
    c.classes = ir::extent_in(c.classes, p, t.program);
    t.check(c);
  }
  return at;
}

/// The value in the traced program.
template <class Sh, scalar_type T> constexpr expr<space::graph, Sh, T> tied(tracer* t, const loose_expr<Sh, T>& x) {
  return expr<space::graph, Sh, T>{t, take_over(*t, x.program, x.wrong)[static_cast<std::size_t>(x.id)]};
}
/// A value written into a program of its own.
template <class Sh, scalar_type T> constexpr loose_expr<Sh, T> loosened(const tracer& t, expr<space::graph, Sh, T> x) {
  return loose_expr<Sh, T>{t.program, x.id, t.first_mistake};
}
constexpr mistake loosened(const tracer&, mistake) { return mistake(); }
}  // namespace detail

}  // namespace stg
