// A plan with the kernels that are compiled for it. Everything else that a call does is compiled once, in the library:
// it reads the plan as data.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/cpu/sweep_part.hpp>  // sweep_function
#include <stg/codegen/plan_data.hpp>       // plan_data
#include <stg/codegen/plan_view.hpp>       // launch
#include <stg/codegen/scan.hpp>            // step_program

namespace stg::cpu {

using codegen::launch;
using codegen::plan_data;

/// Which of a unit's sweeps a call runs: that of the chosen instruction set, and of rows that fit its registers.
using choose_sweep = sweep_function (*)(const launch&);

/// What the numbers of a unit's form (form.hpp) stand for in the plan that the unit belongs to.
struct unit_names {
  const plan_data* form = nullptr;       // a plan of this unit alone; null where its steps are calls of the library
  const ir::value_id* values = nullptr;  // by value of the form
  int value_count = 0;
  const int* extents = nullptr;  // by extent of the form: entries of the program's table
  int extent_count = 0;
  const std::int64_t* sites = nullptr;  // by mask of the form
};

/// Room for what a unit reads of a call, by the numbers of its form.
struct form_places {
  std::byte** memory;     // of every value
  std::int64_t* offsets;  // 2 · size + 1 (scratch.hpp)
  std::int64_t* extents;

  /// The room behind that of a unit.
  form_places after(const unit_names& unit) const {
    return {memory + unit.value_count, offsets + 2 * unit.value_count + 1, extents + unit.extent_count};
  }
};

/// A call as a unit's form sees it, of which `places` hold the addresses and extents.
inline launch seen_by_form(const unit_names& unit, const launch& l, const form_places& places) {
  launch mine = l;
  mine.memory = l.memory == nullptr ? nullptr : places.memory;  // none yet where sizes are asked for
  mine.extents = places.extents;
  mine.sites = unit.sites;
  return mine;
}
/// The same, after it has put them there.
launch as_form(const unit_names& unit, const launch& l, const form_places& places);

/// One call's view of a plan. What is as long as the program lies with the caller, so that a call allocates nothing.
struct compiled_plan {
  const plan_data& data;
  const choose_sweep* sweeps;  // of every unit; null where its steps are calls of the library
  const unit_names* units;
  const codegen::step_program* steps;  // of scans
  form_places forms;                   // room for a unit, or all of a chain's
  std::int64_t* offsets;  // room for 2 · size + 1 numbers: where values of a chain lie in scratch (scratch.hpp)
  std::byte** memory;     // room for size addresses: of a round's values (rounds.hpp)
};

/// Runs all units.
void run(const compiled_plan& plan, const launch& l);

/// Bytes of workspace that a call with these sizes needs: of the launch only vertices, edges, adjacencies, extents and
/// threads are read, and no sweeps.
std::int64_t workspace(const compiled_plan& plan, const launch& l);

}  // namespace stg::cpu
