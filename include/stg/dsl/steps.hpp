// Steps of scans while they are traced: values of the programs around one, and inputs that have a value for each.
#pragma once

#include <cstdint>  // uint64_t

#include <stg/dsl/expr.hpp>    // tracer
#include <stg/ir/callees.hpp>  // intern_extents

namespace stg::detail {

/// A value of the program around a scan, in the program of its step: a further input of the step. each: for a value
/// with steps, the step's own.
constexpr ir::value_id brought_in(tracer& t, ir::value_id outside, bool each) {
  const ir::program& from = t.outer->program;
  ir::statement in = ir::input_like(from[outside], 0);
  if (each) in.over = ir::extent(0);
  ir::intern_extents(in, from, t.program);
  ir::input entry;
  entry.name.append(each ? '@' : '%');
  entry.name.append_number(static_cast<std::uint64_t>(outside));
  in.set_entry(t.entry_of(entry));
  t.stands_for[in.entry()] = outside;
  t.each_step[in.entry()] = each;
  return t.emit(in);
}
/// The same from any of the programs around it. A step's values do not exist outside of it.
constexpr ir::value_id brought_in(tracer& t, const tracer* from, ir::value_id at) {
  if (&t == from) return at;
  if (t.outer == nullptr) {
    t.note(ir::mistake::value_of_an_inner_step);
    return 0;
  }
  return brought_in(t, brought_in(*t.outer, from, at), false);
}

/// The innermost scan around a place that goes through so many steps, no further out than `last`; null: there is none.
constexpr tracer* scan_over(tracer* t, const ir::polynomial& steps, int last = 1) {
  while (t != nullptr && t->depth >= last && !(t->steps == steps)) t = t->outer;
  return t != nullptr && t->depth >= last ? t : nullptr;
}
constexpr void note_no_step(tracer& t, const text& input = text("a value of all steps")) {
  t.note(t.depth > 0 ? ir::mistake::steps_of_another_scan : ir::mistake::steps_read_outside, input);
}

/// The step of the scan with so many steps around t. Without one: t, after noting a mistake at the input.
constexpr tracer& reader_of_steps(tracer& t, const ir::polynomial& steps, const text& input) {
  if (tracer* const at = scan_over(&t, steps); at != nullptr) return *at;
  note_no_step(t, input);
  return t;
}
/// An input that has a value for each step of a scan, read in t: s is the step's own, in its program `at`.
constexpr ir::value_id read_step(tracer& t, tracer& at, const ir::input& in, ir::statement s) {
  s.set_entry(at.entry_of(in));
  at.each_step[s.entry()] = 1;
  return brought_in(t, &at, at.emit(s));
}

}  // namespace stg::detail
