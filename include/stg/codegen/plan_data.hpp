// A program with its plan as data: what compiled code reads of any of them, whatever its size.
#pragma once

#include <cstdint>   // int64_t
#include <iterator>  // size

#include <stg/base/sequence.hpp>     // first_of
#include <stg/ir/program.hpp>        // statement
#include <stg/analysis/choices.hpp>  // choices_of
#include <stg/pass/plan.hpp>         // planned_unit, planned_loop

namespace stg::codegen {

struct plan_data {
  int size = 0;  // statements
  int unit_count = 0;
  int loop_count = 0;
  const ir::statement* statements = nullptr;
  const pass::planned_unit* units = nullptr;
  const pass::step* steps = nullptr;
  const pass::planned_loop* loops = nullptr;
  const pass::planned_value* loop_statements = nullptr;
  const pass::planned_result* loop_results = nullptr;
  const pass::value_mode* modes = nullptr;
  const unsigned char* stored = nullptr;
  const unsigned char* in_block = nullptr;
  const unsigned char* joined = nullptr;
  const pass::lifetime* lifetimes = nullptr;
  const int* overwrites = nullptr;
  const ir::output* outputs = nullptr;
  int output_count = 0;
  pass::choices by{};                       // numbers of the program, for executors
  const ir::decision* decisions = nullptr;  // tables of the program; behind them there may be elements that say nothing
  int decision_count = 0;
  const text* scopes = nullptr;
  int scope_count = 0;
  const ir::scope_set* scope_sets = nullptr;

  pass::edge_mode mode(int loop, int i) const {
    return pass::mode_among(modes + loops[loop].first_mode, modes + loops[loop].last_mode, i);
  }
  /// The value that a statement is another view of, or itself.
  constexpr int root(int i) const { return ir::root_of(statements, i); }
};

/// A program and its plan, both constants of fixed size or both as passes make them.
template <class Program, class Plan>
constexpr plan_data data_over(const Program& program, const Plan& plan, const pass::plan_sizes& sizes, int outputs) {
  return {
      .size = sizes.statements,
      .unit_count = sizes.units,
      .loop_count = sizes.loops,
      .statements = first_of(program.statements),
      .units = first_of(plan.units),
      .steps = first_of(plan.steps),
      .loops = first_of(plan.loops),
      .loop_statements = first_of(plan.loop_statements),
      .loop_results = first_of(plan.loop_results),
      .modes = first_of(plan.modes),
      .stored = first_of(plan.stored),
      .in_block = first_of(plan.in_block),
      .joined = first_of(plan.joined),
      .lifetimes = first_of(plan.lifetimes),
      .overwrites = first_of(plan.overwrites),
      .outputs = first_of(program.outputs),
      .output_count = outputs,
      .by = pass::choices_of(program),
      .decisions = first_of(program.decisions),
      .decision_count = static_cast<int>(std::size(program.decisions)),
      .scopes = first_of(program.scopes),
      .scope_count = static_cast<int>(std::size(program.scopes)),
      .scope_sets = first_of(program.scope_sets),
  };
}

/// P: a type with `program` (frozen_program) and `plan` (frozen_plan).
template <class P>
inline constexpr plan_data data_of = data_over(
    P::program, P::plan, {.statements = P::program.size, .units = P::plan.unit_count, .loops = P::plan.loop_count},
    P::program.room.outputs);

/// Calls body(loop) for the first loop of a unit over each relation, on each side.
template <class Body> void for_each_relation(const plan_data& plan, int unit, const Body& body) {
  const pass::planned_unit& u = plan.units[unit];
  const auto edges = [&](int k) { return plan.steps[k].is_loop ? plan.loops[plan.steps[k].index].edges() : -1; };
  for (int k = u.first_step; k < u.last_step; ++k) {
    if (!plan.steps[k].is_loop) continue;
    int first = u.first_step;
    while (edges(first) != edges(k)) ++first;
    if (first == k) body(plan.steps[k].index);
    if (edges(k) == 0) return;  // as in all programs of one kind: they are the unit's
  }
}

/// An extent by its code, which may be an integer's or that of one of the call's.
constexpr std::int64_t extent_of(std::int64_t code, const std::int64_t* extents) {
  return code >= 0 ? code : extents[-1 - code];
}

/// The product of axes [from, to) of statement i.
std::int64_t axes_product(const plan_data& plan, int i, int from, int to, const std::int64_t* extents);

/// Bytes of a row of statement i.
std::int64_t bytes_of_row(const plan_data& plan, int i, const std::int64_t* extents);

}  // namespace stg::codegen
