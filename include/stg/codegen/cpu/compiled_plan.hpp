// A plan with its compiled kernels. The rest of a call is compiled once, in the library: it reads the plan as data.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/cpu/sweep_part.hpp>  // sweep_function
#include <stg/codegen/plan_data.hpp>       // plan_data
#include <stg/codegen/launch.hpp>          // launch
#include <stg/codegen/scan.hpp>            // step_calls, step_program

namespace stg::cpu {

using codegen::launch;
using codegen::plan_data;

/// Chooses a unit's sweep for a call: by instruction set, and by whether rows fit its registers.
using choose_sweep = sweep_function (*)(const launch&);

/// The meaning of the numbers of a unit's form (form.hpp) in the unit's plan.
struct unit_names {
  const plan_data* form = nullptr;       // a plan of this unit alone; null if its steps are calls of the library
  const ir::value_id* values = nullptr;  // by value of the form
  int value_count = 0;
  const int* extents = nullptr;  // by extent of the form: entries of the program's table
  int extent_count = 0;
  const std::int64_t* sites = nullptr;  // by mask of the form
};

/// A plan with its kernels.
struct compiled_plan {
  const plan_data& data;
  const choose_sweep* sweeps;  // of every unit; null if its steps are calls of the library, and all if nothing runs
  const unit_names* units;
  const codegen::step_program* steps;  // of scans
};

/// Runs all units.
void run(const compiled_plan& plan, const launch& l);

/// Runs them once for each step of a scan. Everything equal for all steps is laid out once.
void run_steps(const compiled_plan& plan, codegen::step_calls& steps);

/// Bytes of workspace that a call with these sizes needs: of the launch only vertices, edges, adjacencies, extents and
/// threads are read, and no sweeps.
std::int64_t workspace(const compiled_plan& plan, const launch& l);

}  // namespace stg::cpu
