// Pointwise operations on registers of operands, by their code and the types of operands and result.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/cpu/lanes.hpp>  // lanes_t, convert, truth, choose
#include <stg/op/list.hpp>            // function_of_t

namespace stg::cpu {

/// Operation Code of one operand, of type From, with result To. Attribute and number: the statement's.
template <ir::opcode Code, std::int64_t Attribute, scalar_type To, scalar_type From, int L>
STG_INLINE void apply_unary(lanes_t<To, L>& r, [[maybe_unused]] double number, const lanes_t<From, L>& a) {
  using Op = op::function_of_t<Code, Attribute>;
  if constexpr (Code == ir::opcode::cast) convert<To, From, L>(r, a);
  else if constexpr (Op::takes_number) r = Op::apply(number, a);
  else r = Op::apply(a);
}
template <ir::opcode Code, std::int64_t Attribute, scalar_type To, scalar_type From, int L>
STG_INLINE void apply_binary(lanes_t<To, L>& r, const lanes_t<From, L>& a, const lanes_t<From, L>& b) {
  using Op = op::function_of_t<Code, Attribute>;
  if constexpr (To == scalar_type::boolean) {
    lanes_t<From, L> apart;
    take_apart<L>(apart, a);
    if constexpr (From == scalar_type::boolean && L > 1) truth<L>(r, Op::apply(-apart, -b));  // true is -1 in a lane
    else truth<L>(r, Op::apply(apart, b));
  } else if constexpr (Code == ir::opcode::div && To == scalar_type::i32 && L > 1) {
    divide_integers<L>(r, a, b);
  } else {
    r = Op::apply(a, b);
  }
}
/// Operand A is of a type of its own where it chooses among the others.
template <ir::opcode Code, std::int64_t Attribute, scalar_type To, int L, class A>
STG_INLINE void apply_ternary(lanes_t<To, L>& r, const A& a, const lanes_t<To, L>& b, const lanes_t<To, L>& d) {
  if constexpr (Code == ir::opcode::select) choose<To, L>(r, a, b, d);
  else r = op::function_of_t<Code, Attribute>::apply(a, b, d);
}

}  // namespace stg::cpu
