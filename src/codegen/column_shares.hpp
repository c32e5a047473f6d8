// The columns of a sweep that each rank computes: any share of them by kernels of drafts, whole groups by a program's
// own.
#pragma once

#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/codegen/column_kernels.hpp>     // column_kernels
#include <stg/codegen/column_sweeps.hpp>      // column_sweep, row_pieces
#include <stg/codegen/cpu/column_kernel.hpp>  // column_kernel

namespace stg::codegen {

class column_shares {
 public:
  /// kernels: of the program; null: none. extents: of the call.
  column_shares(const plan_data& plan, const column_sweep& sweep, const std::int64_t* extents,
                const column_kernels* kernels, int ranks);

  const plan_data& plan() const { return plan_; }
  const column_sweep& sweep() const { return sweep_; }
  const std::int64_t* extents() const { return extents_; }
  int ranks() const { return ranks_; }
  std::int64_t columns() const { return columns_; }
  /// The program's kernel of a group; null: those of drafts compute any share.
  const cpu::column_kernel* kernel() const { return kernel_; }

  /// What a rank computes in turn: groups, maybe none, or its share.
  std::vector<column_share> of_rank(int rank) const;
  /// A rank's columns of a value's row, by group; of a value without columns the row, once.
  std::vector<row_pieces> pieces(int value, int rank) const;
  std::int64_t row_bytes(int value, int rank) const;

 private:
  const plan_data& plan_;
  const column_sweep& sweep_;
  const std::int64_t* extents_;
  const cpu::column_kernel* kernel_ = nullptr;
  int groups_ = 0, ranks_;
  std::int64_t columns_;
};

/// A program's own kernel for a group of a sweep's columns, or null.
const cpu::column_kernel* kernel_for(const column_sweep& sweep, const column_kernels* kernels);

}  // namespace stg::codegen
