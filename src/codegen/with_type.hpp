// From the type of a value, known as data, to a type.
#pragma once

#include <cstdint>  // int32_t

#include <stg/ir/scalar.hpp>  // scalar_type

namespace stg::codegen {

/// Calls body(T{}) with the type of numbers.
template <class Body> void with_type(scalar_type type, const Body& body) {
  if (type == f32) body(float{});
  else if (type == f64) body(double{});
  else body(std::int32_t{});
}
/// The same of numbers that have fractions, as products do.
template <class Body> void with_real_type(scalar_type type, const Body& body) {
  if (type == f32) body(float{});
  else body(double{});
}

}  // namespace stg::codegen
