// Runs a plan without kernels of its own: by the library's kernels, statement by statement.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/draft/made.hpp>  // made_program
#include <stg/codegen/launch.hpp>      // launch

namespace stg::drafts {

/// Rows and edges that a thread takes at a time, at most: fewer where they would not stay in a cache. Tests ask for
/// few.
struct batch_limits {
  std::int64_t rows = 512, edges = 1024;
};

/// Runs all units.
void run(const made_program& program, const codegen::launch& l, const batch_limits& most = {});

/// Bytes of workspace that a call needs; of the launch vertices, edges, extents and threads are read.
std::int64_t workspace(const made_program& program, const codegen::launch& l, const batch_limits& most = {});

}  // namespace stg::drafts
