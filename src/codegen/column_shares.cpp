// Which columns a rank has of a sweep.
#include "column_shares.hpp"

namespace stg::codegen {

const cpu::column_kernel* kernel_for(const column_sweep& sweep, const column_kernels* kernels) {
  if (kernels == nullptr || kernels->groups == 0) return nullptr;
  const cpu::column_kernel& mine = kernels->of_unit[sweep.unit];
  return mine.choose != nullptr && mine.columns == sweep.columns ? &mine : nullptr;
}

column_shares::column_shares(const plan_data& plan, const column_sweep& sweep, const std::int64_t* extents,
                             const column_kernels* kernels, int ranks)
    : plan_(plan),
      sweep_(sweep),
      extents_(extents),
      kernel_(kernel_for(sweep, kernels)),
      groups_(kernel_ == nullptr ? 0 : kernels->groups),
      ranks_(ranks),
      columns_(extent_of(sweep.columns, extents)) {}

std::vector<column_share> column_shares::of_rank(int rank) const {
  if (kernel_ == nullptr) return {columns_of_rank(columns_, rank, ranks_)};
  std::vector<column_share> groups;
  const column_share mine = columns_of_rank(groups_, rank, ranks_);
  for (std::int64_t g = mine.first; g < mine.last; ++g)
    groups.push_back(columns_of_rank(columns_, static_cast<int>(g), groups_));
  return groups;
}

std::vector<row_pieces> column_shares::pieces(int value, int rank) const {
  if (!sweep_.has_columns(value)) return {pieces_of(plan_, sweep_, value, {}, extents_)};
  std::vector<row_pieces> all;
  for (const column_share& share : of_rank(rank)) all.push_back(pieces_of(plan_, sweep_, value, share, extents_));
  return all;
}

std::int64_t column_shares::row_bytes(int value, int rank) const {
  std::int64_t bytes = 0;
  for (const row_pieces& of_group : pieces(value, rank)) bytes += of_group.bytes;
  return bytes;
}

}  // namespace stg::codegen
