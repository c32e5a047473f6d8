// A plan with the kernels that are compiled for it. Everything else that a call does is compiled once, in the library:
// it reads the plan as data.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/cpu/equal_units.hpp>  // equal_units
#include <stg/codegen/cpu/sweep_part.hpp>   // sweep_function
#include <stg/codegen/plan_data.hpp>        // plan_data
#include <stg/codegen/plan_view.hpp>        // launch
#include <stg/codegen/scan.hpp>             // step_program

namespace stg::cpu {

using codegen::launch;
using codegen::plan_data;

/// Which of a unit's sweeps a call runs: that of the chosen instruction set, and of rows that fit its registers.
using choose_sweep = sweep_function (*)(const launch&);

/// One call's view of a plan. What is as long as the program lies with the caller, so that a call allocates nothing.
struct compiled_plan {
  const plan_data& data;
  const choose_sweep* sweeps;          // of every unit; null where its steps are calls of the library
  equal_units same;                    // the unit that a unit runs as
  const codegen::step_program* steps;  // of scans
  std::int64_t* offsets;  // room for 2 · size + 1 numbers: where a unit's values lie in scratch (scratch.hpp)
  std::byte** memory;     // room for size addresses: of a round's values (rounds.hpp)
  std::byte** renamed;    // the same: of a unit's values under the names of the unit that it runs as
};

/// Parts of a sweep: many, so that one with hubs, or a processor that others use, too, keeps no thread waiting in the
/// end; of a large graph longer ones, each of which begins with rows that were not fetched ahead. A small graph is one
/// part: too little work to wake a thread for.
std::int64_t sweep_parts(const launch& call);

/// Runs all units.
void run(const compiled_plan& plan, const launch& l);

/// Bytes of workspace that a call with these sizes needs: of the launch only vertices, edges, adjacencies, extents and
/// threads are read, and no sweeps.
std::int64_t workspace(const compiled_plan& plan, const launch& l);

}  // namespace stg::cpu
