// Operands of steps that read whole arrays: where they lie and how large they are.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/plan_data.hpp>       // plan_data, axes_product
#include <stg/codegen/launch.hpp>          // launch
#include <stg/runtime/sparse_product.hpp>  // entry_dropout, sparse_view

namespace stg::codegen {

/// Elements of a row of statement i.
inline std::int64_t width_of(const plan_data& plan, int i, const launch& l) {
  return axes_product(plan, i, 0, plan.statements[i].dims.rank, l.extents);
}
/// Rows of a dense operand: vertices or edges × its leading axes.
inline std::int64_t dense_rows(const plan_data& plan, int i, const launch& l) {
  const ir::statement& s = plan.statements[i];
  return l.graph.rows_of(s.where) * axes_product(plan, i, 0, s.dims.rank - 1, l.extents);
}
inline std::int64_t first_extent(const plan_data& plan, int i, const launch& l) {
  return axes_product(plan, i, 0, 1, l.extents);
}
inline std::int64_t last_extent(const plan_data& plan, int i, const launch& l) {
  const int rank = plan.statements[i].dims.rank;
  return axes_product(plan, i, rank - 1, rank, l.extents);
}
template <class T> T* stored_at(const plan_data& plan, int i, const launch& l) {
  return reinterpret_cast<T*>(l.memory[plan.root(i)]);
}

/// What a sparse input is bound to.
template <class T> const sparse_view<T>& sparse_at(int i, const launch& l) {
  return *reinterpret_cast<const sparse_view<T>*>(l.memory[i]);
}
/// What a mask drops of a sparse input; the constant 1 drops nothing.
inline entry_dropout dropout_of(const plan_data& plan, int i, const launch& l) {
  const ir::statement& s = plan.statements[i];
  if (s.code != ir::opcode::keep_mask) return {};
  const adjacency& rows = s.where.set == 0 ? l.graph.in : l.graph.kinds[s.where.set].in;
  return {l.draws.seed, l.draws.number, l.draws.first_site + s.site(), s.drop_probability(), rows.global_rows()};
}

}  // namespace stg::codegen
