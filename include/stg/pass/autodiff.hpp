// autodiff: reverse-mode differentiation of a program, as statements of the same language.
//
// The result holds the forward statements first, unchanged and in order, then the gradient's. save.hpp decides later
// what is saved between the two halves, so that every pass between sees both and shares their common work. Runs after
// cse and fold. A gradient is again a program: it can be differentiated again.
#pragma once

#include <cstdint>  // int64_t
#include <string>   // string

#include <stg/base/error.hpp>           // error
#include <stg/base/sequence.hpp>        // sequence
#include <stg/base/taken_names.hpp>     // taken_names
#include <stg/ir/callees.hpp>           // arguments_of
#include <stg/ir/messages.hpp>          // last_message
#include <stg/ir/program.hpp>           // program
#include <stg/op/list.hpp>              // visit
#include <stg/analysis/dependence.hpp>  // depends_on, refused_by
#include <stg/analysis/effects.hpp>     // gradients_of_messages, is_answered
#include <stg/pass/inline.hpp>          // emit_inlined
#include <stg/pass/rule_context.hpp>    // rule_context
#include <stg/pass/scan_gradient.hpp>   // differentiate_scan
#include <stg/pass/value.hpp>           // value, sum_to

namespace stg::pass {

/// Thrown: a value is asked for whose gradient does not exist, because no provided output depends on it differentiably.
struct input_has_no_gradient : error {
  input_has_no_gradient()
      : error("a value that is required has no gradient; require one that a provided output depends on") {}
};
/// Thrown: an output whose cotangent is provided is not a real value.
struct output_is_not_differentiable : error {
  output_is_not_differentiable() : error("an output of integers or truth values has no cotangent; leave it out") {}
};

/// Thrown: a gradient would have to pass through an operation that has none, such as floor.
struct operation_has_no_gradient : error {
  explicit operation_has_no_gradient(ir::opcode code)
      : error("a gradient would pass through " + words_of(code) + ", which has none; put detach(x) before it") {}

 private:
  static std::string words_of(ir::opcode code) {
    if (code == ir::opcode::own_gradient) return "a value that is not_differentiable";
    return ir::is_scan(code) ? "an operation in a step" : std::string(ir::name_of(code));
  }
};

/// A program and its gradient in one list of statements.
struct joint_program {
  ir::program program{};                // outputs: the forward program's, then the gradients in the order required
  int forward_size = 0;                 // statements before this one are the forward program
  int forward_outputs = 0;              // outputs before this one are the forward program's
  sequence<ir::value_id> cotangents{};  // inputs of the gradient, one per provided output, in the order provided
  sequence<scan_gradients> scans{};     // of each scan, the gradients of the values its step reads
};

/// The view of a gradient rule: its statement, the cotangent of the result, and the language.
class adjoint : public rule_context {
 public:
  constexpr adjoint(ir::program& into, sequence<ir::value_id>& found, const ir::flags& asked, ir::value_id of,
                    int gradients_of_messages)
      : rule_context(into, into[of]),
        p(&into),
        gradients(&found),
        wanted(&asked),
        at(of),
        message_gradients(gradients_of_messages) {}

  constexpr value result() const { return value{p, at}; }
  constexpr value cotangent() const { return value{p, (*gradients)[at]}; }
  constexpr bool wants(int k) const { return (*wanted)[statement().operands[k]]; }

  /// Adds d to the gradient of operand k, summed down to the operand's space and shape.
  constexpr void add(int k, value d) {
    if (!wants(k)) return;
    const value x = operand(k);
    d = sum_to(d, x.where(), x.dims());
    add_gradient(*p, (*gradients)[x.id], d.id);
  }

  /// Of a message: the gradient's message, which goes the other way and of which both ranks have one, with x's type and
  /// shape. A message that takes a value has the gradient of the result, zeros if no gradient comes of it.
  constexpr value answer(ir::opcode code, value x) {
    ir::statement made = x.statement(), was = statement();
    ir::statement s;
    s.code = code;
    s.type = made.type;
    s.dims = made.dims;
    s.set_message(was.message(), was.rank(), message_gradients);
    const ir::value_id before = ir::last_message(*p);
    if (op::info_of(code).arity == 1) {
      s.operands[0] = before;
    } else {
      s.operands[0] = gradient_of_result();
      s.operands[1] = before;
    }
    return make(*p, s);
  }

 private:
  constexpr ir::value_id gradient_of_result() {
    const ir::value_id d = (*gradients)[at];
    const ir::statement y = (*p)[at];
    return d == ir::no_value ? zeros_like(*p, y) : broadcast(value{p, d}, y.where, y.dims).id;
  }

  ir::program* p;
  sequence<ir::value_id>* gradients;
  const ir::flags* wanted;
  ir::value_id at;
  int message_gradients;
};

/// The gradient that a layer was given with, in its place; a result without a cotangent has zeros.
constexpr void write_own_gradient(ir::program& q, ir::value_id own, const ir::flags& wanted,
                                  sequence<ir::value_id>& gradients) {
  const int outputs = q[own].outputs();
  const sequence<ir::value_id> list = ir::arguments_of(q, q[own]), given = detail::given_to(q, own);
  sequence<ir::value_id> cotangent(outputs, ir::no_value), passed;
  bool any = false;
  for (ir::value_id i = own + 1; i < gradients.size(); ++i) {
    if (q[i].operands[0] != own || gradients[i] == ir::no_value) continue;  // results: nothing else reads it
    cotangent[q[i].entry()] = gradients[i];
    any = true;
  }
  if (!any) return;
  for (int k = 0; k < outputs; ++k) {
    if (!is_differentiable(q[list[k]].type)) continue;
    const ir::statement y = q[list[k]];
    if (cotangent[k] == ir::no_value) passed.push_back(zeros_like(q, y));
    else passed.push_back(broadcast(value{&q, cotangent[k]}, y.where, y.dims).id);
  }
  for (int k = outputs; k < list.size(); ++k) passed.push_back(list[k]);
  const ir::program of = q.callees[q[own].callee()];
  const sequence<ir::value_id> found = emit_inlined(q, of, passed);
  for (int k = 0; k < given.size(); ++k)
    if (wanted[given[k]]) add_gradient(q, gradients[given[k]], found[k]);
}

/// Writes the gradients of the wanted values: `gradients` holds the results', by statement, and gets the others, each
/// the sum over every use. A statement's gradient belongs to its scopes. `found`, unless it is null, gets the gradients
/// of scans.
constexpr void differentiate(ir::program& q, const ir::flags& wanted, sequence<ir::value_id>& gradients,
                             sequence<scan_gradients>* found) {
  sequence<detail::called_gradient> calls;
  const int message_gradients = 1 + gradients_of_messages(q);
  for (ir::value_id i = gradients.size() - 1; i >= 0; --i) {
    const bool is_scan = ir::is_scan(q[i].code), is_own = q[i].code == ir::opcode::own_gradient;
    const bool is_met = ((gradients[i] != ir::no_value || is_scan || is_own) && wanted[i]) || is_answered(q, q[i]);
    if (!is_met) continue;
    const int before = q.statements.size();
    if (is_scan) {
      differentiate_scan(q, i, wanted, gradients, calls, found);
    } else if (is_own) {
      write_own_gradient(q, i, wanted, gradients);
    } else {
      adjoint d(q, gradients, wanted, i, message_gradients);
      op::visit(q[i].code, [&](auto operation) { decltype(operation)::type::gradient(d); });
    }
    for (int k = before; k < q.statements.size(); ++k) q.statements[k].scopes = q[i].scopes;
  }
}

/// The gradient of value r, with r's space and shape.
constexpr value gradient_of(ir::program& q, const sequence<ir::value_id>& gradients, ir::value_id r) {
  const ir::value_id g = gradients[r];
  if (g == ir::no_value) throw input_has_no_gradient();
  return broadcast(value{&q, g}, q[r].where, q[r].dims);
}

/// Differentiates the outputs at the positions `provided` for the values `required`. Cotangents become inputs named
/// "d(output k)", "d(output k)_" if an input has this name, in the order provided; the gradients become outputs,
/// exactly the required list in its order. Gradients sum over every use; a provided output that is also used inside is
/// summed too.
constexpr joint_program autodiff(const ir::program& p, const sequence<int>& provided,
                                 const sequence<ir::value_id>& required) {
  joint_program joint;
  joint.program = p;
  joint.forward_size = p.size();
  joint.forward_outputs = p.outputs.size();
  ir::program& q = joint.program;
  q.reserve(4 * p.size());
  if (const ir::value_id at = refused_by(p, provided, required); at != ir::no_value)
    throw operation_has_no_gradient(p[at].code);
  const ir::flags wanted = depends_on(p, required);
  sequence<ir::value_id> gradients(p.statements.size(), ir::no_value);
  taken_names names;
  for (const ir::input& in : p.inputs) names.add(in.name);

  for (int k : provided) {
    const ir::value_id at = p.outputs[k].at;
    if (!is_differentiable(p[at].type)) throw output_is_not_differentiable();
    const value d{&q, emit_input(q, p[at], p[at].over)};
    text name("d(output ");
    name.append_number(static_cast<std::uint64_t>(k));
    name.append(')');
    q.inputs.back().name = names.free(name);
    joint.cotangents.push_back(d.id);
    add_gradient(q, gradients[at], d.id);
  }

  differentiate(q, wanted, gradients, &joint.scans);
  for (ir::value_id r : required) {
    ir::output o;
    o.at = gradient_of(q, gradients, r).id;
    q.outputs.push_back(o);
  }
  return joint;
}

}  // namespace stg::pass
