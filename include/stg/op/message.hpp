// Messages between ranks, by hand: send, receive, the sum of a value at one rank, and one rank's value at all.
//
// A message has a name, the rank that it goes to or comes from, and an effect on that rank: it is never dropped or
// repeated, and messages keep their order. So each has the message before it as its last operand, or a constant if it
// is the first one, and passes keep the order by data flow. The gradient of a message goes the other way. Functions of
// the language: stg/dsl/messages.hpp.
#pragma once

#include <string_view>  // string_view

#include <stg/op/operation.hpp>  // operation

namespace stg::op {

template <ir::opcode Code, int Arity> struct message : operation<Code, category::message, Arity> {
  static constexpr op::effect effect = op::effect::ordered;
  static constexpr op::domain domain{operands::values};
  static constexpr int passive_operands = 1 << (Arity - 1);  // the message before
  static constexpr int cost = 1000;
  static constexpr std::string_view source = "MPI 4.1, chapters 3 and 6";
};

/// A value goes to another rank. The result is no number that means anything: the next message has it as an operand.
struct send : message<ir::opcode::send, 2> {
  static constexpr std::string_view in_words = "a of the graph, behind message b; a condition, ()";
  static constexpr bool differentiable = false;
  static constexpr void infer(const ir::program&, ir::statement& s) {
    s.where = ir::space::graph;
    s.type = scalar_type::boolean;
    s.dims = ir::shape();
  }
  /// The other rank's gradient of the value.
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.answer(ir::opcode::receive, d.operand(0)));
  }
};

/// A value that another rank sends: the statement says its type and shape.
struct receive : message<ir::opcode::receive, 1> {
  static constexpr std::string_view in_words = "graph, any shape, behind message a";
  static constexpr bool brings_shape = true;
  static constexpr void infer(const ir::program&, ir::statement& s) { s.where = ir::space::graph; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.answer(ir::opcode::send, d.result()); }
};

template <ir::opcode Code> struct shared_message : message<Code, 2> {
  static constexpr std::string_view in_words = "graph, as a, behind message b";
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& x = p.operand(s, 0);
    s.where = ir::space::graph;
    s.type = x.type;
    s.dims = x.dims;
  }
};
/// The values of all ranks added up at one; zeros at the others.
struct sum_at_rank : shared_message<ir::opcode::sum_at_rank> {
  static constexpr op::domain domain{operands::numbers};
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.answer(ir::opcode::value_of_rank, d.result()));
  }
};
/// The value of one rank at all.
struct value_of_rank : shared_message<ir::opcode::value_of_rank> {
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.answer(ir::opcode::sum_at_rank, d.result()));
  }
};

}  // namespace stg::op
