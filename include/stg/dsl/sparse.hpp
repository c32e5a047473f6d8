// sparse_expr<Shape, Scalar>: a sparse feature that was read. It is no value: only a product makes one of it.
#pragma once

#include <stg/dsl/expr.hpp>  // tracer, scalar_type

namespace stg {

namespace space {
/// The space of a sparse feature until it is multiplied: of the vertices, and stored sparsely.
struct sparse {};
}  // namespace space

/// A sparse feature with its changes on the way to its product: dropout, and a scale per vertex. Scaling commutes with
/// the product, so the number waits for the product's result.
template <class Shape, scalar_type T> struct STG_NODISCARD(STG_IS_NOT_USED) sparse_expr {
  tracer* trace;
  ir::value_id id;
  ir::value_id mask = ir::no_value;
  ir::value_id scale = ir::no_value;
};

namespace detail {
template <> inline constexpr ir::space ir_space<space::sparse> = ir::space::vertex;

template <class X> inline constexpr bool is_sparse = false;
template <class Sh, scalar_type T> inline constexpr bool is_sparse<sparse_expr<Sh, T>> = true;
}  // namespace detail

}  // namespace stg
