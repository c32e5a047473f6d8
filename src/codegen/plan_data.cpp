// Sizes of a plan's rows.
#include <stg/codegen/plan_data.hpp>

namespace stg::codegen {

std::int64_t axes_product(const plan_data& plan, int i, int from, int to, const std::int64_t* extents) {
  const ir::shape& dims = plan.statements[i].dims;
  std::int64_t n = 1;
  for (int a = from; a < to; ++a) n *= extent_of(dims.axes[a].code, extents);
  return n;
}

std::int64_t bytes_of_row(const plan_data& plan, int i, const std::int64_t* extents) {
  const ir::statement& s = plan.statements[i];
  return bytes_of(s.type) * axes_product(plan, i, 0, s.dims.rank, extents);
}

}  // namespace stg::codegen
