// From the type of a value, known as data, to a type.
#pragma once

#include <cstdint>  // int32_t

#include <stg/base/error.hpp>  // error
#include <stg/ir/scalar.hpp>   // scalar_type

namespace stg::codegen {

[[noreturn]] inline void no_such_kernel() { throw error("stg internal: a step has numbers of a type without kernels"); }

/// Calls body(T{}) with the type of numbers that have fractions, as products do.
template <class Body> void with_real_type(scalar_type type, const Body& body) {
  switch (type) {
    case f32:
      return body(float{});
    case f64:
      return body(double{});
    default:
      no_such_kernel();
  }
}
/// The same of rows that products and sums over vertices read: numbers that are computed with, or stored ones.
template <class Body> void with_row_type(scalar_type type, const Body& body) {
  if (type == bf16) body(bfloat16{});
  else if (type == f16) body(float16{});
  else body(float{});
}
/// The same of any numbers.
template <class Body> void with_type(scalar_type type, const Body& body) {
  if (type == i32) body(std::int32_t{});
  else with_real_type(type, body);
}

/// The same of any element, conditions and stored numbers among them.
template <class Body> void with_element(scalar_type type, const Body& body) {
  if (type == boolean) body(bool{});
  else if (type == bf16) body(bfloat16{});
  else if (type == f16) body(float16{});
  else with_type(type, body);
}

}  // namespace stg::codegen
