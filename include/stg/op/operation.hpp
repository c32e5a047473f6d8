// What one operation knows of itself, and the defaults of each category.
#pragma once

#include <string_view>  // string_view

#include <stg/ir/program.hpp>   // program, statement
#include <stg/ir/scalar.hpp>    // scalar_type
#include <stg/op/movement.hpp>  // movement

namespace stg::op {

/// How a backend meets an operation. One loop nest serves a whole category.
enum class category : int {
  source,     // no operands
  pointwise,  // apply(…) per feature, operands broadcast
  feature,    // along the feature axes of one value
  gather,     // vertex → edge
  aggregate,  // edge → vertex
  reduction,  // vertex → graph
  dense,      // rows × parameter, rowsᵀ × rows; of sparse rows too: the result is dense
  call,       // runs another program, or is part of what such a call reads and gives back
  message     // between ranks
};

/// The types that a pointwise operation takes: each word stands for those before it as well.
enum class operands : int { reals, numbers, values, stored };  // f32 and f64; i32; conditions; bf16 and f16

constexpr bool takes(operands those, scalar_type s) {
  if (is_real(s)) return true;
  if (is_storage(s)) return those == operands::stored;
  return those >= (s == scalar_type::i32 ? operands::numbers : operands::values);
}

/// Numbers, but for those below `hole` in size.
struct interval {
  static constexpr double most = 1e3;  // in size
  double low = -most, high = most;
  double hole = 0;

  constexpr bool contains(double x) const { return low <= x && x <= high && (x < 0 ? -x : x) >= hole; }
};

/// Where an operation jumps or its slope does: at a number of operand 0; where two operands, or their ratio and a whole
/// number, are equal; where the largest of several is.
enum class kink : int { none, zero, whole, half, equal, ratio, ties };

/// Where an operation is defined and bounded, and from what numbers to keep away: there random programs use it, and
/// programs that add in another order agree.
struct domain {
  operands types = operands::reals;
  kink at = kink::none;
  interval first{}, second{};  // of its operands

  constexpr const interval& of(int k) const { return k == 0 ? first : second; }
};

/// By how many units in the last place of the exact result an operation's may miss it.
struct ulps {
  double of_floats = 0, of_doubles = 0;
};

/// An operation that says what is exact in more digits than its types have, as a formula of its own, and how near it
/// comes: the oracle goes by it, and tests hold the operation to it.
template <class Op>
concept Exact = requires {
  Op::within, &Op::exact;
};

/// What all operations of a category have in common. The others say it themselves: `domain`, and `in_words`, the rule
/// for space and shape as docs/operations.md has it, of operands a, b and c.
template <category Category, int Arity> struct facts {};
template <int Arity> struct facts<category::source, Arity> { static constexpr op::domain domain{operands::values}; };
template <int Arity> struct facts<category::call, Arity> { static constexpr op::domain domain{operands::values}; };
template <int Arity> struct facts<category::gather, Arity> {
  static constexpr op::domain domain{operands::values};
  static constexpr std::string_view in_words = "vertex → edge, shape as a's";
};
template <int Arity> struct facts<category::pointwise, Arity> {
  static constexpr std::string_view in_words = Arity == 1 ? "as a" : "shapes broadcast, one type";
};
template <int Arity> struct facts<category::feature, Arity> {
  static constexpr std::string_view in_words = "as a, reduced axes become 1";
};
template <int Arity> struct facts<category::aggregate, Arity> {
  static constexpr std::string_view in_words = "edge → vertex, shape as a's";
};
template <int Arity> struct facts<category::reduction, Arity> {
  static constexpr std::string_view in_words = "vertex → graph, shape as a's";
};

/// What an operation does besides computing its result (analysis/effects.hpp).
enum class effect : int {
  none,
  random,  // draws numbers, others in each call: no call keeps them for another
  ordered  // meets other ranks: once, and in the order of the program
};

/// A rule that a statement breaks. Thrown by rules and passes; at compile time the enumerator's name is the message.
enum class rule : int {
  none,
  operand_is_defined_before_use,
  operand_count_is_right,
  spaces_agree,
  shapes_broadcast,
  scalar_types_agree,
  shape_follows_from_operands,
  one_name_has_one_shape,
  one_label_names_one_value,
  sparse_input_is_multiplied,
  output_is_a_value,
  part_lies_within_axis,
  steps_stay_in_scans,
  gradient_repeats_its_scan,
  number_is_of_its_type,
  one_name_has_one_kind,
  tag_is_on_an_axis,
  plain_values_stand_alone,
  member_is_in_range,
  messages_keep_their_order
};
struct rule_is_broken {
  rule what = rule::none;
};

/// Where a result lives: graph values are read from anywhere, other spaces and sets do not mix.
constexpr ir::domain common_domain(const ir::domain& a, const ir::domain& b) {
  if (a == b || b == ir::space::graph) return a;
  if (a == ir::space::graph) return b;
  throw rule_is_broken{rule::spaces_agree};
}

/// Defaults of every operation. `infer` fills space, scalar type and shape of a statement from its operands;
/// what a statement brings itself (a constant's type, an input's shape) it leaves alone.
template <ir::opcode Code, category Category, int Arity> struct operation : facts<Category, Arity> {
  static constexpr ir::opcode code = Code;
  static constexpr op::category kind = Category;
  static constexpr int arity = Arity;
  static constexpr op::operands operands = op::operands::reals;
  static constexpr bool commutative = false;
  static constexpr op::effect effect = op::effect::none;
  static constexpr bool differentiable = true;
  static constexpr int refused_operands = 0;  // bit k: asking for a gradient through operand k is an error
  static constexpr int passive_operands = 0;  // bit k: operand k alone makes nothing differentiable
  static constexpr op::movement moves = op::movement::none;
  static constexpr bool brings_shape = false;  // the statement does; its operands do not tell it
  static constexpr bool compares = false;      // its gradient asks which elements of operand 0 equal the result
  static constexpr bool expands = false;       // `expand` writes it in other operations once gradients are made
  static constexpr bool takes_number = false;  // apply's first argument is the statement's number
  static constexpr bool finite = true;         // no infinity or NaN comes of finite operands, but by sums and products
  static constexpr int cost = 1;               // arithmetic operations per result element
  static constexpr std::string_view source = "elementary";
  static constexpr bool says_what_it_refuses = false;
};

/// What a struct says if it has no wrong_operands, the rule that operands break and `infer` takes for granted, or no
/// wrong_shape, the rule that a shape breaks which the statement brings itself. `verify` asks them, before and behind
/// `infer`. (A free function: a member of `operation` would be instantiated for every operation.)
constexpr rule nothing_wrong(const ir::program&, const ir::statement&) { return rule::none; }

/// What is said where a gradient is asked for through an operand that refuses it: stands in every struct that has such
/// operands, and `info_of` sees to it.
#define STG_REFUSES_GRADIENT(through, instead)                                               \
  static constexpr bool says_what_it_refuses = true;                                         \
  template <bool Asked> struct refusal {                                                     \
    static_assert(!Asked, "stg: a gradient would pass through " through "; write " instead); \
  }

/// Pointwise: operands broadcast and share a scalar type, the result has it too.
template <ir::opcode Code, int Arity> struct pointwise : operation<Code, category::pointwise, Arity> {
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    s.where = p.operand(s, 0).where;
    s.dims = p.operand(s, 0).dims;
    s.type = p.operand(s, 0).type;
    for (int k = 1; k < Arity; ++k) {
      const ir::statement& x = p.operand(s, k);
      s.where = common_domain(s.where, x.where);
      const ir::broadcast_result both = ir::broadcast(s.dims, x.dims);
      if (!both.ok) throw rule_is_broken{rule::shapes_broadcast};
      s.dims = both.dims;
      if (x.type != s.type) throw rule_is_broken{rule::scalar_types_agree};
    }
  }
};

/// Comparisons: as pointwise, and the result is a truth value.
template <ir::opcode Code> struct comparison : pointwise<Code, 2> {
  static constexpr op::operands operands = op::operands::values;
  static constexpr op::domain domain{operands, kink::equal};
  static constexpr std::string_view in_words = "shapes broadcast, one type; a condition";
  static constexpr bool differentiable = false;
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    pointwise<Code, 2>::infer(p, s);
    s.type = scalar_type::boolean;
  }
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}
};

/// A source: a statement brings its own space, shape and type.
template <ir::opcode Code> struct source : operation<Code, category::source, 0> {
  static constexpr bool differentiable = false;
  static constexpr int cost = 0;
  static constexpr void infer(const ir::program&, ir::statement&) {}
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}
};

}  // namespace stg::op
