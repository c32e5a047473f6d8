// Running a plan without kernels of its own: by those that the library holds, statement by statement.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/plan_data.hpp>  // plan_data
#include <stg/codegen/plan_view.hpp>  // launch

namespace stg::drafts {

/// A plan without chains, and room for what a call knows of its values.
struct drafted_plan {
  const codegen::plan_data& data;
  std::int64_t* widths;   // room for size numbers: elements of a row
  std::int64_t* offsets;  // the same: where a value's rows lie in a thread's scratch, in the unit at hand
  std::int64_t most_rows = 512, most_edges = 1024;  // at a time; fewer where they would not stay in a cache
};

/// Runs all units.
void run(const drafted_plan& plan, const codegen::launch& l);

/// Bytes of workspace that a call needs; of the launch vertices, edges, extents and threads are read.
std::int64_t workspace(const drafted_plan& plan, const codegen::launch& l);

}  // namespace stg::drafts
