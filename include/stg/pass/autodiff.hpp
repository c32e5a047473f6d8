// autodiff: reverse-mode differentiation of a program, as statements of the same language.
//
// The result holds the forward statements first, unchanged and in order, then the gradient's. What is saved between the
// two halves is decided later (save.hpp), so that every pass between sees both and shares what they have in common.
// Runs after cse and fold. A gradient is again a program: it can be differentiated again.
#pragma once

#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/ir/program.hpp>  // program
#include <stg/op/list.hpp>     // visit
#include <stg/pass/value.hpp>  // value

namespace stg::pass {

/// Thrown: a value is asked for whose gradient does not exist, because no provided output depends on it differentiably.
struct input_has_no_gradient {};
/// Thrown: an output whose cotangent is provided is not a real value.
struct output_is_not_differentiable {};

/// Thrown: a gradient would have to pass through an operation that has none, such as floor.
struct operation_has_no_gradient {};

/// A program and its gradient in one list of statements.
struct joint_program {
  ir::program program{};                   // outputs: the forward program's, then the gradients in the order required
  int forward_size = 0;                    // statements before this one are the forward program
  int forward_outputs = 0;                 // outputs before this one are the forward program's
  std::vector<ir::value_id> cotangents{};  // inputs of the gradient, one per provided output, in the order provided
};

/// What a gradient rule sees: the statement, the cotangent of its result, and the language.
class adjoint {
 public:
  constexpr adjoint(ir::program& p, std::vector<ir::value_id>& gradients, const ir::flags& wanted, ir::value_id at)
      : p(&p), gradients(&gradients), wanted(&wanted), at(at), s(p[at]) {}

  constexpr const ir::statement& statement() const { return s; }
  constexpr value result() const { return value{p, at}; }
  constexpr value operand(int k) const { return value{p, s.operands[k]}; }
  constexpr value cotangent() const { return value{p, (*gradients)[static_cast<std::size_t>(at)]}; }
  constexpr bool wants(int k) const { return (*wanted)[static_cast<std::size_t>(s.operands[k])]; }

  /// Adds d to the gradient of operand k, summed down to the operand's space and shape.
  constexpr void add(int k, value d) {
    if (!wants(k)) return;
    const value x = operand(k);
    d = sum_to(d, x.where(), x.dims());
    ir::value_id& sum = (*gradients)[static_cast<std::size_t>(x.id)];
    sum = sum == ir::no_value ? d.id : (value{p, sum} + d).id;
  }

  constexpr value number(double x) const { return constant(*p, s.type, x); }
  constexpr value zero() const { return number(0); }
  constexpr value one() const { return number(1); }
  constexpr value exp(value x) const { return apply(ir::opcode::exp, x); }
  constexpr value log(value x) const { return apply(ir::opcode::log, x); }
  constexpr value rsqrt(value x) const { return apply(ir::opcode::rsqrt, x); }
  constexpr value sin(value x) const { return apply(ir::opcode::sin, x); }
  constexpr value cos(value x) const { return apply(ir::opcode::cos, x); }
  constexpr value sinh(value x) const { return apply(ir::opcode::sinh, x); }
  constexpr value cosh(value x) const { return apply(ir::opcode::cosh, x); }
  constexpr value pow(value x, value y) const { return apply(ir::opcode::pow, x, y); }
  constexpr value select(value c, value a, value b) const { return apply(ir::opcode::select, c, a, b); }
  constexpr value cast(value x, scalar_type to) const { return pass::cast(x, to); }
  constexpr value broadcast_like(value x, value like) const { return pass::broadcast(x, like.where(), like.dims()); }
  constexpr value reshape_like(value x, value like) const { return pass::reshape(x, like.dims()); }
  constexpr value reduce_sum(value x, std::int64_t axes) const { return reduce(ir::opcode::reduce_sum, x, axes); }
  constexpr value slice(value x, int axis, ir::extent begin, ir::shape dims) const {
    return part(ir::opcode::slice, x, axis, begin, dims);
  }
  constexpr value pad(value x, int axis, ir::extent begin, ir::shape dims) const {
    return part(ir::opcode::pad, x, axis, begin, dims);
  }
  constexpr value sum_edges(value x, ir::direction side) const { return aggregate(ir::opcode::sum_edges, x, side); }
  constexpr value first_max_edge(value x, ir::direction side) const {
    return aggregate(ir::opcode::first_max_edge, x, side);
  }
  constexpr value edge_index() const { return source(*p, ir::opcode::edge_index, ir::space::edge, scalar_type::i32); }
  constexpr value sum_vertices(value x) const { return apply(ir::opcode::sum_vertices, x); }
  constexpr value matmul(value x, value w, bool transposed) const { return pass::matmul(x, w, transposed); }
  constexpr value reduced_matmul(value x, value g) const { return apply(ir::opcode::reduced_matmul, x, g); }
  constexpr value sparse_matmul(value x, value w, value mask) const {
    return apply(ir::opcode::sparse_matmul, x, w, mask);
  }
  constexpr value sparse_reduced_matmul(value x, value g, value mask) const {
    return apply(ir::opcode::sparse_reduced_matmul, x, g, mask);
  }
  /// An aggregate's value at each of the edges that it was taken over.
  constexpr value gather_owner(value x) const {
    return apply(s.side() == ir::direction::in ? ir::opcode::gather_dst : ir::opcode::gather_src, x);
  }
  /// A cotangent of an edge value as one per edge.
  constexpr value on_edges(value x) const { return pass::broadcast(x, ir::space::edge, x.dims()); }

 private:
  ir::program* p;
  std::vector<ir::value_id>* gradients;
  const ir::flags* wanted;
  ir::value_id at;
  ir::statement s;  // a copy: emitting moves the program's statements
};

/// Inputs that training changes: the default of what gradients are made for.
constexpr std::vector<ir::value_id> trainable_inputs(const ir::program& p) {
  std::vector<ir::value_id> found;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && p.inputs[static_cast<std::size_t>(p[i].attribute)].trainable)
      found.push_back(i);
  return found;
}

namespace detail {
/// Values on a differentiable path from a required one: all others get no gradient.
constexpr ir::flags depends_on(const ir::program& p, const std::vector<ir::value_id>& required) {
  ir::flags wanted(p.statements.size(), false);
  for (ir::value_id r : required) wanted[static_cast<std::size_t>(r)] = true;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const op::info& known = op::info_of(p[i].code);
    if (!known.differentiable || !is_real(p[i].type)) continue;
    for (int k = 0; k < p[i].arity(); ++k)
      if (!(known.passive_operands >> k & 1) && wanted[static_cast<std::size_t>(p[i].operands[k])])
        wanted[static_cast<std::size_t>(i)] = true;
  }
  return wanted;
}
}  // namespace detail

/// The last statement through which a gradient would have to pass and cannot, or no_value.
constexpr ir::value_id refused_by(const ir::program& p, const std::vector<int>& provided,
                                  const std::vector<ir::value_id>& required) {
  bool any = false;
  for (const ir::statement& s : p.statements) any = any || op::info_of(s.code).refused_operands != 0;
  if (!any) return ir::no_value;
  const ir::flags wanted = detail::depends_on(p, required);
  ir::flags asked(p.statements.size(), false);
  for (int k : provided) asked[static_cast<std::size_t>(p.outputs[static_cast<std::size_t>(k)].at)] = true;
  for (ir::value_id i = p.size() - 1; i >= 0; --i) {
    const op::info& known = op::info_of(p[i].code);
    if (!asked[static_cast<std::size_t>(i)]) continue;
    for (int k = 0; k < p[i].arity(); ++k) {
      const auto operand = static_cast<std::size_t>(p[i].operands[k]);
      if ((known.refused_operands >> k & 1) && wanted[operand]) return i;
      if (known.differentiable && !(known.passive_operands >> k & 1)) asked[operand] = true;
    }
  }
  return ir::no_value;
}

/// Differentiates the outputs whose positions are `provided` for the values `required`.
/// Cotangents become inputs named "d(output k)", in the order provided; the gradients become outputs, exactly the
/// required list in its order. Gradients sum over every use; a provided output that is also used inside is summed too.
constexpr joint_program autodiff(const ir::program& p, const std::vector<int>& provided,
                                 const std::vector<ir::value_id>& required) {
  joint_program joint;
  joint.program = p;
  joint.forward_size = p.size();
  joint.forward_outputs = static_cast<int>(p.outputs.size());
  ir::program& q = joint.program;
  if (refused_by(p, provided, required) != ir::no_value) throw operation_has_no_gradient();
  const ir::flags wanted = detail::depends_on(p, required);
  std::vector<ir::value_id> gradients(p.statements.size(), ir::no_value);

  for (int k : provided) {
    const ir::value_id at = p.outputs[static_cast<std::size_t>(k)].at;
    if (!is_real(p[at].type)) throw output_is_not_differentiable();
    ir::statement s;
    s.code = ir::opcode::input;
    s.where = p[at].where;
    s.type = p[at].type;
    s.dims = p[at].dims;
    s.attribute = static_cast<std::int64_t>(q.inputs.size());
    ir::input in;
    in.name.append("d(output ");
    if (k >= 10) in.name.append(static_cast<char>('0' + k / 10));
    in.name.append(static_cast<char>('0' + k % 10));
    in.name.append(')');
    q.inputs.push_back(in);
    const value d{&q, q.emit(s)};
    joint.cotangents.push_back(d.id);
    ir::value_id& sum = gradients[static_cast<std::size_t>(at)];
    sum = sum == ir::no_value ? d.id : (value{&q, sum} + d).id;
  }

  for (ir::value_id i = p.size() - 1; i >= 0; --i) {
    if (gradients[static_cast<std::size_t>(i)] == ir::no_value || !wanted[static_cast<std::size_t>(i)]) continue;
    adjoint d(q, gradients, wanted, i);
    op::visit(p[i].code, [&](auto operation) { decltype(operation)::type::gradient(d); });
  }

  for (ir::value_id r : required) {
    ir::value_id g = gradients[static_cast<std::size_t>(r)];
    if (g == ir::no_value) throw input_has_no_gradient();
    ir::output o;
    o.at = broadcast(value{&q, g}, p[r].where, p[r].dims).id;
    q.outputs.push_back(o);
  }
  return joint;
}

}  // namespace stg::pass
