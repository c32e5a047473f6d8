// A program with its plan as data: what compiled code reads of any of them, whatever its size.
#pragma once

#include <cstdint>  // int64_t

#include <stg/ir/program.hpp>  // statement
#include <stg/pass/plan.hpp>   // planned_unit, planned_loop

namespace stg::codegen {

struct plan_data {
  int size = 0;  // statements
  int unit_count = 0;
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

  pass::edge_mode mode(int loop, int i) const {
    return pass::mode_among(modes + loops[loop].first_mode, modes + loops[loop].last_mode, i);
  }
  /// The value that a statement is another view of, or itself.
  constexpr int root(int i) const {
    while (statements[i].code == ir::opcode::reshape) i = statements[i].operands[0];
    return i;
  }
};

/// P: a type with `program` (frozen_program) and `plan` (frozen_plan).
template <class P>
inline constexpr plan_data data_of{
    .size = P::program.size,
    .unit_count = P::plan.unit_count,
    .statements = P::program.statements,
    .units = P::plan.units,
    .steps = P::plan.steps,
    .loops = P::plan.loops,
    .loop_statements = P::plan.loop_statements,
    .loop_results = P::plan.loop_results,
    .modes = P::plan.modes,
    .stored = P::plan.stored,
    .in_block = P::plan.in_block,
    .joined = P::plan.joined,
    .lifetimes = P::plan.lifetimes,
    .overwrites = P::plan.overwrites,
    .outputs = P::program.outputs,
    .output_count = P::program.output_count,
};

/// The product of axes [from, to) of statement i.
std::int64_t axes_product(const plan_data& plan, int i, int from, int to, const std::int64_t* extents);

/// Bytes of a row of statement i.
std::int64_t bytes_of_row(const plan_data& plan, int i, const std::int64_t* extents);

}  // namespace stg::codegen
