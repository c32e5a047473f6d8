// Operands of steps that read whole arrays: where they lie and how large they are.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/plan_view.hpp>       // launch, root_of
#include <stg/runtime/sparse_product.hpp>  // entry_dropout, sparse_view

namespace stg::codegen {

/// Rows of a dense operand: vertices or edges × its leading axes.
template <class P, int I> std::int64_t dense_rows(const launch& l) {
  const std::int64_t rows = P::program.statements[I].where == ir::space::edge ? l.edges : l.vertices;
  return rows * axes_product<P, I, 0, P::program.statements[I].dims.rank - 1>(l);
}
template <class P, int I> std::int64_t last_extent(const launch& l) {
  return extent_value<P::program.statements[I].dims.axes[P::program.statements[I].dims.rank - 1].code>(l);
}
template <class P, int I> element<P, I>* stored_at(const launch& l) {
  return reinterpret_cast<element<P, I>*>(l.memory[root_of<P>(I)]);
}

/// What a sparse input is bound to.
template <class P, int I> const sparse_view<element<P, I>>& sparse_at(const launch& l) {
  return *reinterpret_cast<const sparse_view<element<P, I>>*>(l.memory[I]);
}
/// What a mask drops of a sparse input; the constant 1 drops nothing.
template <class P, int I> entry_dropout dropout_of(const launch& l) {
  constexpr ir::statement s = P::program.statements[I];
  if constexpr (s.code == ir::opcode::keep_mask) return {l.seed, l.number, s.attribute, s.number};
  else return {};
}

}  // namespace stg::codegen
