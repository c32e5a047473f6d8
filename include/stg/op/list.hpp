// All operations as one list, and what a pass asks of an operation it knows by its code.
#pragma once

#include <cstdint>      // int64_t
#include <type_traits>  // remove_pointer_t, type_identity

#include <stg/op/aggregate.hpp>
#include <stg/op/arithmetic.hpp>
#include <stg/op/call.hpp>
#include <stg/op/compare.hpp>
#include <stg/op/composed.hpp>
#include <stg/op/dense.hpp>
#include <stg/op/elementary.hpp>
#include <stg/op/elementwise.hpp>
#include <stg/op/feature.hpp>
#include <stg/op/fill.hpp>
#include <stg/op/loss.hpp>
#include <stg/op/message.hpp>
#include <stg/op/own_gradient.hpp>
#include <stg/op/pick.hpp>
#include <stg/op/reduction.hpp>
#include <stg/op/reshape.hpp>
#include <stg/op/rounding.hpp>
#include <stg/op/scan.hpp>
#include <stg/op/source.hpp>
#include <stg/op/sparse.hpp>
#include <stg/op/statistics.hpp>
#include <stg/op/tag.hpp>
#include <stg/op/training.hpp>
#include <stg/op/trigonometry.hpp>

namespace stg::op {

/// What is known of an operation without its type. `infer` completes a statement or throws rule_is_broken.
struct info {
  category kind{};
  int arity = 0;
  operands types{};  // of a pointwise operation
  bool commutative = false;
  bool differentiable = false;
  int refused_operands = 0;
  int passive_operands = 0;
  bool compares = false;
  bool expands = false;
  bool finite = false;
  bool elementwise = false;  // an aggregate that takes messages element by element
  movement moves{};
  bool brings_shape = false;
  effect effects{};
  int cost = 0;
  void (*infer)(const ir::program&, ir::statement&) = nullptr;
  rule (*wrong_operands)(const ir::program&, const ir::statement&) = &nothing_wrong;
  rule (*wrong_shape)(const ir::program&, const ir::statement&) = &nothing_wrong;
  runs (*along)(const ir::statement&, const ir::statement&, const ir::statement&) = nullptr;  // where it moves runs
};

/// Whether an operation that refuses gradients carries the sentence that says so.
template <class Op> inline constexpr bool refuses_in_words = Op::refused_operands == 0 || Op::says_what_it_refuses;
template <class Op> inline constexpr bool checks_operands = requires { &Op::wrong_operands; };
template <class Op> inline constexpr bool checks_shape = requires { &Op::wrong_shape; };
template <class Op> inline constexpr bool has_domain = requires { Op::domain; };
template <class Op> inline constexpr bool has_rule_in_words = requires { Op::in_words; };

template <class Op> constexpr info info_of() {
  static_assert(
      refuses_in_words<Op>,
      "stg internal: an operation refuses a gradient without a sentence; add STG_REFUSES_GRADIENT to its struct");
  static_assert(has_domain<Op>, "stg internal: an operation does not say where it is defined; add op::domain domain");
  static_assert(has_rule_in_words<Op>,
                "stg internal: an operation has no rule in words; add std::string_view in_words");
  info i;
  i.kind = Op::kind;
  i.arity = Op::arity;
  i.types = Op::operands < Op::domain.types ? Op::domain.types : Op::operands;
  i.commutative = Op::commutative;
  i.differentiable = Op::differentiable;
  i.refused_operands = Op::refused_operands;
  i.passive_operands = Op::passive_operands;
  i.compares = Op::compares;
  i.expands = Op::expands;
  i.finite = Op::finite;
  i.elementwise = ElementwiseAggregate<Op>;
  i.moves = Op::moves;
  i.brings_shape = Op::brings_shape;
  i.effects = Op::effect;
  i.cost = Op::cost;
  i.infer = &Op::infer;
  if constexpr (checks_operands<Op>) i.wrong_operands = &Op::wrong_operands;
  if constexpr (checks_shape<Op>) i.wrong_shape = &Op::wrong_shape;
  if constexpr (Op::moves == movement::runs) i.along = &Op::along;
  return i;
}

namespace detail {
#define STG_INFO(word) info_of<word>(),
inline constexpr info infos[] = {STG_OPERATIONS(STG_INFO)};
#undef STG_INFO
}  // namespace detail

constexpr const info& info_of(ir::opcode code) { return detail::infos[static_cast<int>(code)]; }

/// Whether the result is the operands one behind the other.
constexpr bool joins(ir::opcode code) { return info_of(code).moves == movement::runs && info_of(code).arity == 2; }
/// The runs that a statement moves. Statements: has them by their number.
template <class Statements> constexpr runs runs_of(const Statements& all, const ir::statement& s) {
  return info_of(s.code).along(s, all[s.operands[0]], all[s.operands[s.arity() - 1]]);
}

/// Calls f with std::type_identity<the struct of the operation>.
template <class F> constexpr void visit(ir::opcode code, F&& f) {
  switch (code) {
#define STG_CASE(word)                 \
  case ir::opcode::word:               \
    f(std::type_identity<op::word>()); \
    break;
    STG_OPERATIONS(STG_CASE)
#undef STG_CASE
  }
}

/// Whether an operation occurs in scans and calls alone, or is a message: these have programs of their own in tests
/// (tests/run/scan_test.cpp, messages_test.cpp).
constexpr bool has_own_programs(ir::opcode code) {
  const category kind = info_of(code).kind;
  return kind == category::call || kind == category::message || code == ir::opcode::arguments;
}

template <ir::opcode Code> struct of_code;
#define STG_OF_CODE(word) \
  template <> struct of_code<ir::opcode::word> { using type = op::word; };
STG_OPERATIONS(STG_OF_CODE)
#undef STG_OF_CODE

/// The struct of an operation: of_code_t<ir::opcode::add> is op::add.
template <ir::opcode Code> using of_code_t = typename of_code<Code>::type;

/// Where the function of a pointwise statement stands: in its operation's struct, of a user's in theirs.
template <ir::opcode Code, std::int64_t Attribute, bool IsOwn = ir::applies_own(Code)> struct function_of_statement {
  using type = of_code_t<Code>;
};
template <ir::opcode Code, std::int64_t Attribute> struct function_of_statement<Code, Attribute, true> {
  using type = std::remove_pointer_t<decltype(operation_named(named_operation<Attribute>()))>;
};
template <ir::opcode Code, std::int64_t Attribute>
using function_of_t = typename function_of_statement<Code, Attribute>::type;

}  // namespace stg::op
