// autodiff: reverse-mode differentiation of a program, as statements of the same language.
//
// The result holds the forward statements first, unchanged and in order, then the gradient's. What is saved between the
// two halves is decided later (save.hpp), so that every pass between sees both and shares what they have in common.
// Runs after cse and fold. A gradient is again a program: it can be differentiated again.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>       // sequence
#include <stg/ir/program.hpp>          // program
#include <stg/op/list.hpp>             // visit
#include <stg/pass/rule_context.hpp>   // rule_context
#include <stg/pass/scan_gradient.hpp>  // differentiate_scan
#include <stg/pass/value.hpp>          // value, sum_to

namespace stg::pass {

/// Thrown: a value is asked for whose gradient does not exist, because no provided output depends on it differentiably.
struct input_has_no_gradient {};
/// Thrown: an output whose cotangent is provided is not a real value.
struct output_is_not_differentiable {};

/// Thrown: a gradient would have to pass through an operation that has none, such as floor.
struct operation_has_no_gradient {};

/// A program and its gradient in one list of statements.
struct joint_program {
  ir::program program{};                // outputs: the forward program's, then the gradients in the order required
  int forward_size = 0;                 // statements before this one are the forward program
  int forward_outputs = 0;              // outputs before this one are the forward program's
  sequence<ir::value_id> cotangents{};  // inputs of the gradient, one per provided output, in the order provided
};

/// What a gradient rule sees: its statement, the cotangent of the result, and the language.
class adjoint : public rule_context {
 public:
  constexpr adjoint(ir::program& into, sequence<ir::value_id>& found, const ir::flags& asked, ir::value_id of)
      : rule_context(into, into[of]), p(&into), gradients(&found), wanted(&asked), at(of) {}

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

 private:
  ir::program* p;
  sequence<ir::value_id>* gradients;
  const ir::flags* wanted;
  ir::value_id at;
};

/// Inputs that training changes: the default of what gradients are made for.
constexpr sequence<ir::value_id> trainable_inputs(const ir::program& p) {
  sequence<ir::value_id> found;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && p.inputs[p[i].attribute].trainable) found.push_back(i);
  return found;
}

/// The inputs of these entries, in their order.
constexpr sequence<ir::value_id> inputs_at(const ir::program& p, const sequence<int>& entries) {
  sequence<ir::value_id> at(p.inputs.size(), ir::no_value), found;
  for (ir::value_id i = p.size() - 1; i >= 0; --i)
    if (p[i].code == ir::opcode::input) at[p[i].attribute] = i;
  for (int e : entries)
    if (at[e] != ir::no_value) found.push_back(at[e]);
  return found;
}

namespace detail {
constexpr ir::flags depends_on(const ir::program& p, const sequence<ir::value_id>& required);

/// Of a scan, the outputs of its step that depend differentiably on what it reads of these values, by way of what is
/// carried, too.
constexpr ir::flags outputs_that_depend(const ir::program& p, const ir::statement& scan, const ir::flags& wanted) {
  const ir::program& step = p.callees[scan.attribute];
  const sequence<ir::value_id> reads = ir::arguments_of(p, scan), input = inputs_by_entry(step);
  const int carried = static_cast<int>(scan.number);
  ir::flags asked(reads.size(), 0), found(step.outputs.size(), 0);
  for (int e = 0; e < reads.size(); ++e) asked[e] = input[e] != ir::no_value && wanted[reads[e]];
  for (bool grows = true; grows;) {
    grows = false;
    sequence<ir::value_id> required;
    for (int e = 0; e < reads.size(); ++e)
      if (asked[e]) required.push_back(input[e]);
    const ir::flags depends = depends_on(step, required);
    for (int k = 0; k < found.size(); ++k) {
      found[k] = depends[step.outputs[k].at];
      if (k >= carried || !found[k] || asked[k] || input[k] == ir::no_value) continue;
      asked[k] = 1;
      grows = true;
    }
  }
  for (int k = 0; k < carried; ++k)  // without a step it is the first value
    if (wanted[reads[k]] && input[k] != ir::no_value) found[k] = 1;
  return found;
}

/// Values on a differentiable path from a required one: all others get no gradient.
constexpr ir::flags depends_on(const ir::program& p, const sequence<ir::value_id>& required) {
  ir::flags wanted(p.statements.size(), false);
  sequence<ir::flags> of_steps;
  sequence<int> slot;
  for (ir::value_id r : required) wanted[r] = true;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const op::info& known = op::info_of(p[i].code);
    if (ir::is_scan(p[i].code)) {
      if (slot.empty()) slot.assign(p.size(), -1);
      slot[i] = of_steps.size();
      of_steps.push_back(outputs_that_depend(p, p[i], wanted));
    } else if (p[i].code == ir::opcode::result) {
      wanted[i] = wanted[i] || (is_differentiable(p[i].type) && of_steps[slot[p[i].operands[0]]][p[i].attribute]);
      continue;
    }
    if (!known.differentiable || !is_differentiable(p[i].type)) continue;
    for (int k = 0; k < p[i].arity(); ++k)
      if (!(known.passive_operands >> k & 1) && wanted[p[i].operands[k]]) wanted[i] = true;
  }
  return wanted;
}
constexpr ir::flags reached_from(const ir::program& p, const sequence<int>& provided);

/// What a scan reads, and its results that are reached depend on.
constexpr void reach_through_steps(const ir::program& p, ir::value_id scan, ir::flags& reached) {
  const ir::program& step = p.callees[p[scan].attribute];
  const sequence<ir::value_id> reads = ir::arguments_of(p, p[scan]), input = inputs_by_entry(step);
  const int carried = static_cast<int>(p[scan].number);
  ir::flags from(step.outputs.size(), 0), found(step.size(), 0);
  for (ir::value_id i = scan + 1; i < p.size(); ++i)
    if (reached[i] && p[i].code == ir::opcode::result && p[i].operands[0] == scan) from[p[i].attribute] = 1;
  for (bool grows = true; grows;) {
    grows = false;
    sequence<int> provided;
    for (int k = 0; k < from.size(); ++k)
      if (from[k]) provided.push_back(k);
    found = reached_from(step, provided);
    for (int k = 0; k < carried; ++k) {
      if (from[k] || input[k] == ir::no_value || !found[input[k]]) continue;
      from[k] = 1;
      grows = true;
    }
  }
  for (int e = 0; e < reads.size(); ++e)
    if (input[e] != ir::no_value && (found[input[e]] || (e < carried && from[e]))) reached[reads[e]] = 1;
}

/// The same seen from the other end: the values on which one of these outputs depends differentiably.
constexpr ir::flags reached_from(const ir::program& p, const sequence<int>& provided) {
  ir::flags reached(p.statements.size(), false);
  for (int k : provided) reached[p.outputs[k].at] = true;
  for (ir::value_id i = p.size() - 1; i >= 0; --i) {
    const op::info& known = op::info_of(p[i].code);
    if (ir::is_scan(p[i].code)) reach_through_steps(p, i, reached);
    if (known.kind == op::category::call) continue;
    if (!reached[i] || !known.differentiable || !is_differentiable(p[i].type)) continue;
    for (int k = 0; k < p[i].arity(); ++k)
      if (!(known.passive_operands >> k & 1)) reached[p[i].operands[k]] = true;
  }
  return reached;
}
}  // namespace detail

constexpr ir::value_id refused_from(const ir::program& p, ir::flags asked, const sequence<ir::value_id>& required);

namespace detail {
/// Whether a gradient that goes through the steps of a scan cannot, whichever of their results it comes from.
constexpr bool step_refuses(const ir::program& p, ir::value_id scan, const ir::flags& wanted) {
  const ir::program& step = p.callees[p[scan].attribute];
  const sequence<ir::value_id> reads = ir::arguments_of(p, p[scan]);
  ir::flags asked(step.size(), false);
  for (int k = 0; k < step.outputs.size() - step.forward_outputs; ++k)
    if (is_differentiable(step[step.outputs[k].at].type)) asked[step.outputs[k].at] = true;
  sequence<ir::value_id> required;
  const int carried = static_cast<int>(p[scan].number);
  for (ir::value_id i = 0; i < step.size(); ++i)
    if (step[i].code == ir::opcode::input && (step[i].attribute < carried || wanted[reads[step[i].attribute]]))
      required.push_back(i);
  return refused_from(step, asked, required) != ir::no_value;
}
}  // namespace detail

/// The last statement through which a gradient from one of `asked` would have to pass and cannot, or no_value.
constexpr ir::value_id refused_from(const ir::program& p, ir::flags asked, const sequence<ir::value_id>& required) {
  bool any = false;
  for (const ir::statement& s : p.statements)
    any = any || op::info_of(s.code).refused_operands != 0 || ir::is_scan(s.code);
  if (!any) return ir::no_value;
  const ir::flags wanted = detail::depends_on(p, required);
  for (ir::value_id i = p.size() - 1; i >= 0; --i) {
    const op::info& known = op::info_of(p[i].code);
    if (!asked[i]) continue;
    if (ir::is_scan(p[i].code) && detail::step_refuses(p, i, wanted)) return i;
    for (int k = 0; k < p[i].arity(); ++k) {
      const auto operand = p[i].operands[k];
      if ((known.refused_operands >> k & 1) && wanted[operand]) return i;
      if (known.differentiable && !(known.passive_operands >> k & 1)) asked[operand] = true;
    }
  }
  return ir::no_value;
}
/// The same from the outputs whose positions are `provided`.
constexpr ir::value_id refused_by(const ir::program& p, const sequence<int>& provided,
                                  const sequence<ir::value_id>& required) {
  ir::flags asked(p.statements.size(), false);
  for (int k : provided) asked[p.outputs[k].at] = true;
  return refused_from(p, asked, required);
}

/// Writes the gradients of the values that are wanted: `gradients` holds those of the results, by statement, and gets
/// the others, each the sum over every use. What is written for a statement belongs to its scopes.
constexpr void differentiate(ir::program& q, const ir::flags& wanted, sequence<ir::value_id>& gradients) {
  for (ir::value_id i = gradients.size() - 1; i >= 0; --i) {
    const bool is_scan = ir::is_scan(q[i].code);
    if ((gradients[i] == ir::no_value && !is_scan) || !wanted[i]) continue;
    const int before = q.statements.size();
    if (is_scan) {
      differentiate_scan(q, i, wanted, gradients);
    } else {
      adjoint d(q, gradients, wanted, i);
      op::visit(q[i].code, [&](auto operation) { decltype(operation)::type::gradient(d); });
    }
    for (int k = before; k < q.statements.size(); ++k) q.statements[k].scopes = q[i].scopes;
  }
}

/// The gradient of value r, with r's space and shape.
constexpr value gradient_of(ir::program& q, const sequence<ir::value_id>& gradients, ir::value_id r) {
  const ir::value_id g = gradients[r];
  if (g == ir::no_value) throw input_has_no_gradient();
  if (q[g].is_sequence()) return value{&q, g};
  return broadcast(value{&q, g}, q[r].where, q[r].dims);
}

/// Differentiates the outputs whose positions are `provided` for the values `required`.
/// Cotangents become inputs named "d(output k)", in the order provided; the gradients become outputs, exactly the
/// required list in its order. Gradients sum over every use; a provided output that is also used inside is summed too.
constexpr joint_program autodiff(const ir::program& p, const sequence<int>& provided,
                                 const sequence<ir::value_id>& required) {
  joint_program joint;
  joint.program = p;
  joint.forward_size = p.size();
  joint.forward_outputs = p.outputs.size();
  ir::program& q = joint.program;
  q.reserve(4 * p.size());
  if (refused_by(p, provided, required) != ir::no_value) throw operation_has_no_gradient();
  const ir::flags wanted = detail::depends_on(p, required);
  sequence<ir::value_id> gradients(p.statements.size(), ir::no_value);

  for (int k : provided) {
    const ir::value_id at = p.outputs[k].at;
    if (!is_differentiable(p[at].type)) throw output_is_not_differentiable();
    ir::statement s;
    s.code = ir::opcode::input;
    s.where = p[at].where;
    s.type = p[at].type;
    s.dims = p[at].dims;
    s.over = p[at].over;
    s.attribute = static_cast<std::int64_t>(q.inputs.size());
    ir::input in;
    in.name.append("d(output ");
    in.name.append_number(static_cast<std::uint64_t>(k));
    in.name.append(')');
    q.inputs.push_back(in);
    const value d{&q, q.emit(s)};
    joint.cotangents.push_back(d.id);
    add_gradient(q, gradients[at], d.id);
  }

  differentiate(q, wanted, gradients);
  for (ir::value_id r : required) {
    ir::output o;
    o.at = gradient_of(q, gradients, r).id;
    q.outputs.push_back(o);
  }
  return joint;
}

}  // namespace stg::pass
