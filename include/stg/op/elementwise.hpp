// Operations of a user's own: how a program applies one, and where kernels find its function (stg/elementwise.hpp).
//
// A statement holds the operation's name as a number. The struct that stands for it is found by that number: its base
// defines a function that named_operation declares. Its gradient is a program, of which own_gradient.hpp takes care, so
// none of these has one.
#pragma once

#include <cstdint>  // int64_t

#include <stg/op/operation.hpp>  // pointwise

namespace stg::op {

template <ir::opcode Code, int Arity> struct applied : pointwise<Code, Arity> {
  static constexpr op::domain domain{};
  static constexpr bool differentiable = false;
  static constexpr int refused_operands = (1 << Arity) - 1;
  STG_REFUSES_GRADIENT("an operation of yours that has none", "a gradient in its struct");
  static constexpr bool finite = false;
  static constexpr int cost = 12;
  static constexpr std::string_view source = "the user's own";
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}
};
struct elementwise_1 : applied<ir::opcode::elementwise_1, 1> {};
struct elementwise_2 : applied<ir::opcode::elementwise_2, 2> {};
struct elementwise_3 : applied<ir::opcode::elementwise_3, 3> {};

// A function for each number, which is no template: g++ and nvcc ask whether that was meant.
#if defined(__CUDACC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1301
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
/// A user's operation by the number of its name.
template <std::int64_t Number> struct named_operation { friend constexpr auto operation_named(named_operation); };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif

}  // namespace stg::op
