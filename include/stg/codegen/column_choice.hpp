// The sweeps of a plan that ranks share by columns, where each is cut in the cheapest way.
//
// A sweep by rows costs the rows of other ranks that nobody else needs; by columns its own rows, there and back. Both
// are counted as if every part of the cut were a rank's, so that the number of ranks decides nothing: results have the
// same bits on any.
#pragma once

#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/codegen/column_kernels.hpp>  // column_kernels
#include <stg/codegen/column_sweeps.hpp>   // column_sweep
#include <stg/codegen/plan_data.hpp>       // plan_data
#include <stg/runtime/rank_rows.hpp>       // rank_rows

namespace stg::codegen {

struct step_program;

/// What the choice depends on, beside the plan: the same on all ranks.
struct columns_for {
  const rank_rows* part = nullptr;          // null, or of a part that is cut by rows: no sweep is shared by columns
  const std::int64_t* extents = nullptr;    // of the call
  const column_kernels* kernels = nullptr;  // of the program; null: where sweeps have a choice, they are cut by rows
};

/// The sweeps of a plan that are cut by columns, in order: none, every possible one, or the cheaper ones. there,
/// results, steps: as of exchanges_of.
std::vector<column_sweep> chosen_column_sweeps(const plan_data& plan, const rows_there* there, int results,
                                               const step_program* steps, const columns_for& call);

}  // namespace stg::codegen
