// Laying out a chain: dense products and sweeps without loops over edges. They take one block of rows after the other,
// so that the rows one leaves for the next are still in a cache.
//
// Rows are computed by themselves in products and sweeps alike: bits depend neither on blocks nor on threads.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/cpu/compiled_plan.hpp>  // compiled_plan
#include <stg/codegen/cpu/scratch.hpp>        // scratch_sizes

namespace stg::cpu {

/// How the rows of a chain are divided, and what lies in the workspace: the products' parameters laid out anew, then
/// the scratch of every thread that takes part.
struct chain_layout {
  std::int64_t rows = 0, blocks = 0, threads = 1;  // rows of a block
  std::int64_t packed = 0;                         // bytes of the parameters
  scratch_sizes scratch;
  std::int64_t widening = 0;              // in the scratch: room in which a product widens rows of two bytes a number
  const std::int64_t* offsets = nullptr;  // where the plan's values lie in it (scratch.hpp)

  chain_layout() = default;
  /// Of the chain that begins with unit `first`. offsets: room for 2 · size + 1 numbers, to outlive this.
  chain_layout(const compiled_plan& plan, int first, const launch& l, std::int64_t* offsets);
  std::int64_t bytes() const { return packed + threads * scratch.bytes; }
};

}  // namespace stg::cpu
