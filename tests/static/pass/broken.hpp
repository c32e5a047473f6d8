// Programs broken by hand, one for each rule that verify knows: also what tests/run/verify_test.cpp walks.
#pragma once

#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/ir/callees.hpp>  // arguments_of
#include <stg/op/scan.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>

namespace stg::broken {

using ir::opcode;
using op::rule;

/// A statement without attributes, for programs that no lambda can write.
constexpr ir::statement statement(opcode code, ir::domain where, scalar_type type, const ir::shape& dims,
                                  ir::value_id a = ir::no_value, ir::value_id b = ir::no_value,
                                  ir::value_id c = ir::no_value) {
  ir::statement s;
  s.code = code;
  s.where = where;
  s.type = type;
  s.dims = dims;
  s.operands[0] = a;
  s.operands[1] = b;
  s.operands[2] = c;
  return s;
}
constexpr ir::shape dims(std::int64_t a) {
  ir::shape s;
  s.push(ir::extent(a));
  return s;
}
constexpr ir::shape dims(std::int64_t a, std::int64_t b) {
  ir::shape s = dims(a);
  s.push(ir::extent(b));
  return s;
}
constexpr ir::shape none = ir::shape();
constexpr ir::domain vertex = ir::space::vertex, edge = ir::space::edge, whole = ir::space::graph;

/// x and y (4) per vertex, w () per edge, W (4, 2), label i32, mask boolean: values 0 to 5.
constexpr ir::program symbols() {
  return trace([](auto v) {
    auto first = v(x);
    auto second = v(y);
    auto weight = v.in_edges()(w);
    auto parameter = v(W);
    auto number = v(label);
    auto truth = v(mask);
    return outputs(first, second, weight, parameter, number, truth);
  });
}
/// A feature (4) of authors and one of papers, values 0 and 1, and a statement more; writes is a relation of the
/// program.
constexpr ir::program with_kinds(const ir::statement& s) {
  ir::program p;
  for (const char* name : {"author", "paper", "writes"}) {
    ir::kind k;
    k.name = text(name);
    if (p.kinds.size() == 2) k.source = 1, k.destination = 2;
    ir::kind_number(p, k);
  }
  for (int set = 1; set < 3; ++set) {
    ir::input in;
    in.name = p.kinds[set - 1].name;
    p.inputs.push_back(in);
    ir::statement x = statement(opcode::input, {ir::space::vertex, set}, f32, dims(4));
    x.set_entry(set - 1);
    p.append(x);
  }
  p.append(s);
  return p;
}
constexpr ir::statement degree_of(int relation, ir::domain where, ir::direction side) {
  ir::statement s = statement(opcode::degree, where, f32, none);
  s.set_side(side);
  s.set_relation(relation);
  return s;
}

/// The symbols with one more statement.
constexpr ir::program with(const ir::statement& s) {
  ir::program p = symbols();
  p.append(s);
  return p;
}
constexpr ir::statement over_steps(ir::statement s) {
  s.over = ir::extent(3);
  return s;
}
constexpr ir::statement with_attribute(ir::statement s, std::int64_t attribute, int axis = 0) {
  s.attribute_ = attribute;
  s.axis_ = axis;
  return s;
}

/// The symbols with x sparse and an output that does not need it, and a statement on x, y, W and a mask, value 6.
constexpr ir::program with_sparse(const ir::statement& mask, const ir::statement& s) {
  ir::program p = with(mask);
  p.inputs[0].sparse = true;
  p.outputs[0].at = 1;
  p.append(s);
  return p;
}
constexpr ir::statement keeps_all = statement(opcode::constant, whole, f32, ir::shape());
constexpr ir::statement number(ir::statement s, double to) {
  s.set_real(to);
  return s;
}

// The step of a gradient has the inputs of its scan's step behind what it carries, in their order, and what that gives
// behind its own results. This one carries the cotangent of h and a sum for gain, and reads h, gain and the step's own
// of `each`: all but the last look alike.
inline constexpr auto each = trainable(over<3>(vertex_feature<"each", 4>));
inline constexpr auto stepped = [](auto v) {
  auto gain = v(y);
  return scan<3>(
      v, [=](auto v, auto h) { return tanh(h * gain * v(each)); }, v(x));
};
constexpr ir::program with_gradient(auto lambda) {
  const ir::program p = pass::cse(trace(lambda));
  return pass::autodiff(p, {0}, pass::trainable_inputs(p)).program;
}
constexpr ir::value_id gradient_in(const ir::program& p) {
  ir::value_id at = 0;
  while (p[at].code != opcode::scan_gradient) ++at;
  return at;
}
inline constexpr ir::value_id gradient_at = gradient_in(with_gradient(stepped));
/// A scan and its gradient, changed by change(the gradient's step, its arguments).
constexpr ir::program with_gradient_changed(auto change) {
  ir::program p = with_gradient(stepped);
  sequence<ir::value_id> reads = ir::arguments_of(p, p[gradient_at]);
  change(p.callees[p[gradient_at].callee()], reads);
  for (ir::value_id list = p[gradient_at].operands[0]; p[list].code == opcode::bind; list = p[list].operands[0]) {
    p.statements[list].operands[1] = reads.back();
    reads.resize(reads.size() - 1);
  }
  return p;
}

struct example {
  rule what = rule::none;
  ir::value_id at = ir::no_value;
  ir::program (*program)() = nullptr;
};

inline constexpr example examples[] = {
    {rule::none, ir::no_value, [] { return symbols(); }},
    {rule::none, ir::no_value, [] { return with(statement(opcode::add, vertex, f32, dims(4), 0, 1)); }},
    // operands
    {rule::operand_is_defined_before_use, 6, [] { return with(statement(opcode::add, vertex, f32, dims(4), 0, 7)); }},
    {rule::operand_is_defined_before_use, 6, [] { return with(statement(opcode::exp, vertex, f32, dims(4), 6)); }},
    {rule::operand_is_defined_before_use, 6, [] { return with(statement(opcode::exp, vertex, f32, dims(4), -7)); }},
    {rule::operand_count_is_right, 6, [] { return with(statement(opcode::add, vertex, f32, dims(4), 0)); }},
    {rule::operand_count_is_right, 6, [] { return with(statement(opcode::exp, vertex, f32, dims(4), 0, 1)); }},
    {rule::operand_count_is_right, 6, [] { return with(statement(opcode::iota, whole, i32, dims(4), 0)); }},
    // spaces
    {rule::spaces_agree, 6, [] { return with(statement(opcode::add, edge, f32, dims(4), 0, 2)); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::add, edge, f32, dims(4), 0, 1)); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::gather_src, edge, f32, dims(4, 2), 3)); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::gather_dst, vertex, f32, dims(4), 0)); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::sum_edges, vertex, f32, dims(4), 0)); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::sum_vertices, whole, f32, ir::shape(), 2)); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::matmul, whole, f32, dims(2), 3, 3)); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::reduced_matmul, whole, f32, dims(4, 2), 0, 3)); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::concat, edge, f32, dims(8), 0, 2)); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::broadcast_to, edge, f32, dims(4), 0)); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::degree, edge, f32, ir::shape())); }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::keep_mask, whole, f32, dims(4))); }},
    // shapes of operands
    {rule::shapes_broadcast, 6, [] { return with(statement(opcode::add, vertex, f32, dims(4, 2), 0, 3)); }},
    {rule::shapes_broadcast, 6, [] { return with(statement(opcode::select, vertex, f32, dims(4, 2), 5, 0, 3)); }},
    {rule::shapes_broadcast, 6, [] { return with(statement(opcode::broadcast_to, vertex, f32, dims(5), 0)); }},
    // scalar types
    {rule::scalar_types_agree, 6, [] { return with(statement(opcode::add, vertex, f32, dims(4), 0, 4)); }},
    {rule::scalar_types_agree, 6, [] { return with(statement(opcode::add, vertex, f64, dims(4), 0, 1)); }},
    {rule::scalar_types_agree, 6, [] { return with(statement(opcode::less, vertex, f32, dims(4), 0, 1)); }},
    {rule::scalar_types_agree, 6, [] { return with(statement(opcode::select, vertex, f32, dims(4), 4, 0, 1)); }},
    {rule::scalar_types_agree, 6, [] { return with(statement(opcode::select, vertex, f32, dims(4), 5, 0, 4)); }},
    {rule::scalar_types_agree, 6, [] { return with(statement(opcode::concat, vertex, f32, dims(8), 0, 4)); }},
    {rule::scalar_types_agree, 6, [] { return with(statement(opcode::first_max_edge, vertex, f32, ir::shape(), 2)); }},
    {rule::scalar_types_agree, 6, [] { return with(statement(opcode::keep_mask, vertex, i32, dims(4))); }},
    // values for each step, and what is no value
    {rule::steps_stay_in_scans, 6, [] { return with(over_steps(statement(opcode::add, vertex, f32, dims(4), 0, 1))); }},
    {rule::steps_stay_in_scans, 6,
     [] { return with(over_steps(statement(opcode::constant, whole, f32, ir::shape()))); }},
    {rule::none, ir::no_value, [] { return with_gradient(stepped); }},
    {rule::gradient_repeats_its_scan, gradient_at,
     [] {
       return with_gradient_changed([](ir::program&, sequence<ir::value_id>& reads) {
         const ir::value_id h = reads[2];
         reads[2] = reads[3];
         reads[3] = h;
       });
     }},
    {rule::gradient_repeats_its_scan, gradient_at,
     [] { return with_gradient_changed([](ir::program&, sequence<ir::value_id>& reads) { reads[3] = reads[1]; }); }},
    {rule::gradient_repeats_its_scan, gradient_at,
     [] {
       return with_gradient_changed([](ir::program& step, sequence<ir::value_id>&) {
         while (step[step.outputs.back().at].where != ir::space::graph) ++step.outputs.back().at;  // a constant
       });
     }},
    {rule::operand_count_is_right, 6, [] { return with(statement(opcode::bind, whole, f32, ir::shape(), 0, 1)); }},
    {rule::operand_count_is_right, 6, [] { return with(statement(opcode::result, whole, f32, ir::shape(), 0)); }},
    // shapes of results
    {rule::shape_follows_from_operands, 6, [] { return with(statement(opcode::add, vertex, f32, dims(8), 0, 1)); }},
    {rule::shape_follows_from_operands, 6, [] { return with(statement(opcode::reshape, vertex, f32, dims(2, 3), 0)); }},
    {rule::shape_follows_from_operands, 6, [] { return with(statement(opcode::concat, vertex, f32, dims(9), 0, 1)); }},
    {rule::shape_follows_from_operands, 6,
     [] { return with(with_attribute(statement(opcode::concat, vertex, f32, dims(8), 0, 1), 0, 1)); }},
    {rule::part_lies_within_axis, 6,
     [] { return with(with_attribute(statement(opcode::slice, vertex, f32, dims(2), 0), 3)); }},
    {rule::shape_follows_from_operands, 6,
     [] { return with(with_attribute(statement(opcode::pad, vertex, f32, dims(5), 0), 2)); }},
    {rule::shape_follows_from_operands, 6, [] { return with(statement(opcode::reduce_sum, vertex, f32, dims(4), 0)); }},
    {rule::shape_follows_from_operands, 6,
     [] { return with(with_attribute(statement(opcode::softmax_axes, vertex, f32, dims(4), 0, 0, 0), 2)); }},
    {rule::shape_follows_from_operands, 6,
     [] { return with(with_attribute(statement(opcode::reduce_sum, vertex, f32, dims(4), 0), 1)); }},
    {rule::shape_follows_from_operands, 6,
     [] { return with(with_attribute(statement(opcode::reduce_max, vertex, f32, dims(4), 0), 2)); }},
    {rule::shape_follows_from_operands, 6,
     [] { return with(with_attribute(statement(opcode::matmul, vertex, f32, dims(4), 0, 3), 1)); }},
    {rule::shape_follows_from_operands, 6, [] { return with(statement(opcode::matmul, vertex, f32, dims(4), 0, 3)); }},
    {rule::shape_follows_from_operands, 6,
     [] { return with(statement(opcode::reduced_matmul, whole, f32, dims(4, 2), 0, 0)); }},
    {rule::shape_follows_from_operands, 6, [] { return with(statement(opcode::iota, whole, i32, ir::shape())); }},
    {rule::shape_follows_from_operands, 6, [] { return with(statement(opcode::exp, vertex, f32, dims(-1), 0)); }},
    // names
    {rule::one_name_has_one_shape, 6, [] { return with(statement(opcode::input, vertex, f32, dims(5))); }},
    {rule::one_name_has_one_shape, 6, [] { return with(statement(opcode::input, edge, f32, dims(4))); }},
    {rule::one_name_has_one_shape, 6, [] { return with(statement(opcode::input, vertex, f64, dims(4))); }},
    {rule::one_name_has_one_shape, 6,
     [] { return with(with_attribute(statement(opcode::input, vertex, f32, dims(4)), 6)); }},
    {rule::one_name_has_one_shape, 1,
     [] {
       ir::program p = symbols();
       p.inputs[1].name = p.inputs[0].name;
       return p;
     }},
    {rule::one_name_has_one_shape, 6,
     [] {
       ir::program p = with(statement(opcode::input, vertex, f32, dims(5)));
       p.inputs[0].name = text();  // told by its entry alone
       return p;
     }},
    {rule::shape_follows_from_operands, 0,
     [] {
       ir::program p = symbols();
       p.inputs[0].sparse = true;
       p.statements[0].dims = dims(4, 2);
       p.outputs[0].at = 1;
       return p;
     }},
    {rule::spaces_agree, 6, [] { return with(statement(opcode::arguments, vertex, f32, none)); }},
    {rule::shape_follows_from_operands, 6, [] { return with(statement(opcode::arguments, whole, f32, dims(4))); }},
    {rule::scalar_types_agree, 4,
     [] {
       ir::program p = symbols();
       p.inputs[4].trainable = true;  // labels
       return p;
     }},
    {rule::sparse_input_is_multiplied, 2,
     [] {
       ir::program p = symbols();
       p.inputs[2].sparse = true;  // of edges
       p.outputs[2].at = 1;
       return p;
     }},
    {rule::one_name_has_one_shape, 1,
     [] {
       return trace([](auto v) {
         auto narrow = v(x);
         return outputs(narrow, v(vertex_feature<"x", 5>));
       });
     }},
    {rule::one_label_names_one_value, 2,
     [] {
       return trace([](auto v) {
         auto first = named<"score">(v(x) * v(x));
         return outputs(first, named<"score">(stg::exp(first)));
       });
     }},
    // sparse inputs
    {rule::none, ir::no_value,
     [] { return with_sparse(number(keeps_all, 1), statement(opcode::sparse_matmul, vertex, f32, dims(2), 0, 3, 6)); }},
    {rule::sparse_input_is_multiplied, 7,
     [] { return with_sparse(keeps_all, statement(opcode::add, vertex, f32, dims(4), 0, 1)); }},
    {rule::sparse_input_is_multiplied, 7,
     [] { return with_sparse(number(keeps_all, 1), statement(opcode::sparse_matmul, vertex, f32, dims(2), 1, 3, 6)); }},
    {rule::sparse_input_is_multiplied, 7,
     [] { return with_sparse(keeps_all, statement(opcode::matmul, vertex, f32, dims(2), 0, 3)); }},
    {rule::sparse_input_is_multiplied, 0,
     [] {
       ir::program p = symbols();
       p.inputs[0].sparse = true;
       return p;
     }},
    {rule::shape_follows_from_operands, 7,
     [] { return with_sparse(number(keeps_all, 2), statement(opcode::sparse_matmul, vertex, f32, dims(2), 0, 3, 6)); }},
    {rule::shape_follows_from_operands, 7,
     [] {
       return with_sparse(statement(opcode::keep_mask, vertex, f32, dims(2)),
                          statement(opcode::sparse_matmul, vertex, f32, dims(2), 0, 3, 6));
     }},
    {rule::spaces_agree, 7,
     [] {
       return with_sparse(number(keeps_all, 1),
                          statement(opcode::sparse_reduced_matmul, whole, f32, dims(4, 2), 0, 3, 6));
     }},
    // numbers that are none of their type
    {rule::number_is_of_its_type, 6, [] { return with(number(statement(opcode::constant, whole, i32, none), 0.5)); }},
    {rule::number_is_of_its_type, 6, [] { return with(number(statement(opcode::constant, whole, i32, none), 3e9)); }},
    {rule::number_is_of_its_type, 6, [] { return with(number(statement(opcode::constant, whole, boolean, none), 2)); }},
    {rule::number_is_of_its_type, 6, [] { return with(number(statement(opcode::constant, whole, f32, none), 1e39)); }},
    {rule::number_is_of_its_type, 6,
     [] { return with(number(statement(opcode::leaky_relu, vertex, f32, dims(4), 0), 1e39)); }},
    // vertex sets and relations: 1 author, 2 paper, 3 writes; values 0 and 1 are features of authors and papers
    {rule::spaces_agree, 2,
     [] {
       return with_kinds(statement(opcode::add, {vertex.kind, 1}, f32, dims(4), 0, 1));
     }},
    {rule::spaces_agree, 2,
     [] {
       return with_kinds(statement(opcode::exp, {vertex.kind, 2}, f32, dims(4), 0));
     }},
    {rule::spaces_agree, 2,
     [] {
       return with_kinds(statement(opcode::exp, {vertex.kind, 3}, f32, dims(4), 0));
     }},
    {rule::spaces_agree, 2,
     [] {
       return with_kinds(statement(opcode::exp, {vertex.kind, 4}, f32, dims(4), 0));
     }},
    {rule::spaces_agree, 2,
     [] {
       return with_kinds(statement(opcode::gather_src, {edge.kind, 3}, f32, dims(4), 1));
     }},
    {rule::spaces_agree, 2,
     [] {
       return with_kinds(statement(opcode::gather_dst, {edge.kind, 3}, f32, dims(4), 0));
     }},
    {rule::spaces_agree, 2,
     [] {
       return with_kinds(statement(opcode::gather_src, {edge.kind, 1}, f32, dims(4), 0));
     }},
    {rule::spaces_agree, 3,
     [] {
       ir::program p = with_kinds(statement(opcode::gather_src, {edge.kind, 3}, f32, dims(4), 0));
       p.append(statement(opcode::sum_edges, {vertex.kind, 1}, f32, dims(4), 2));  // in-edges: of papers
       return p;
     }},
    {rule::spaces_agree, 2,
     [] {
       return with_kinds(degree_of(3, {vertex.kind, 1}, ir::direction::in));
     }},
    {rule::spaces_agree, 2,
     [] {
       return with_kinds(degree_of(2, {vertex.kind, 2}, ir::direction::in));
     }},
    {rule::spaces_agree, 6,
     [] {
       return with(statement(opcode::exp, {vertex.kind, 1}, f32, dims(4), 0));
     }},
    {rule::plain_values_stand_alone, 2, [] { return with_kinds(statement(opcode::input, vertex, f32, dims(4))); }},
    {rule::plain_values_stand_alone, 2, [] { return with_kinds(statement(opcode::vertex_count, whole, f32, none)); }},
    {rule::plain_values_stand_alone, 2, [] { return with_kinds(degree_of(0, vertex, ir::direction::in)); }},
    {rule::one_name_has_one_kind, ir::no_value,
     [] {
       ir::program p = with_kinds(statement(opcode::exp, {vertex.kind, 1}, f32, dims(4), 0));
       p.kinds[2].name = p.kinds[0].name;
       return p;
     }},
    {rule::spaces_agree, ir::no_value,
     [] {
       ir::program p = with_kinds(statement(opcode::exp, {vertex.kind, 1}, f32, dims(4), 0));
       p.kinds[2].destination = 3;  // a relation
       return p;
     }},
    {rule::spaces_agree, ir::no_value,
     [] {
       ir::program p = with_kinds(statement(opcode::exp, {vertex.kind, 1}, f32, dims(4), 0));
       p.kinds[1].destination = 1;  // of a set
       return p;
     }},
    // members that stand for nothing
    {rule::member_is_in_range, 6,
     [] { return with(statement(static_cast<opcode>(ir::opcode_count), vertex, f32, none)); }},
    {rule::member_is_in_range, 6,
     [] { return with(statement(opcode::exp, static_cast<ir::space>(3), f32, dims(4), 0)); }},
    {rule::member_is_in_range, 6, [] { return with(statement(opcode::exp, vertex, scalar_type::real, dims(4), 0)); }},
    {rule::shape_follows_from_operands, 6, [] { return with(statement(opcode::exp, vertex, f32, dims(0), 0)); }},
    {rule::shape_follows_from_operands, 6,
     [] { return with(statement(opcode::exp, vertex, f32, dims(std::int64_t(1) << 41), 0)); }},
    {rule::member_is_in_range, 6,
     [] { return with(with_attribute(statement(opcode::sum_edges, vertex, f32, none, 2), 7)); }},
    {rule::member_is_in_range, 6,
     [] { return with(with_attribute(number(statement(opcode::keep_mask, vertex, f32, none), 0.5), -40)); }},
    {rule::member_is_in_range, 6, [] { return with(number(statement(opcode::keep_mask, vertex, f32, none), 1)); }},
    {rule::member_is_in_range, 6, [] { return with(statement(opcode::elementwise_1, vertex, f32, dims(4), 0)); }},
    {rule::member_is_in_range, 6,
     [] { return with(with_attribute(statement(opcode::elementwise_1, vertex, f32, dims(4), 0), 38)); }},
    // members that no field of the operation names
    {rule::member_is_in_range, 6,
     [] { return with(with_attribute(statement(opcode::constant, whole, f32, none), 0, -3)); }},
    {rule::member_is_in_range, 6,
     [] { return with(with_attribute(statement(opcode::exp, vertex, f32, dims(4), 0), 1)); }},
    {rule::member_is_in_range, 6, [] { return with(number(statement(opcode::exp, vertex, f32, dims(4), 0), -0.0)); }},
    {rule::member_is_in_range, ir::no_value,
     [] {
       ir::program p = symbols();
       p.inputs[0].name.length = 200;
       return p;
     }},
    {rule::member_is_in_range, ir::no_value,
     [] {
       ir::program p = symbols();
       p.extents.push_back(ir::polynomial());
       p.extents[0].count = 9;
       return p;
     }},
    {rule::shape_follows_from_operands, 6,
     [] { return with(with_attribute(statement(opcode::slice, vertex, f32, dims(2), 0), -40)); }},
    {rule::scalar_types_agree, 6, [] { return with(statement(opcode::exp, vertex, i32, none, 4)); }},
    {rule::output_is_a_value, ir::no_value,
     [] {
       ir::program p = with(statement(opcode::arguments, whole, f32, none));
       p.outputs[0].at = 6;
       return p;
     }},
    {rule::member_is_in_range, 3,
     [] {
       ir::program p = trace([](auto v) {
         return scan<2>(
             v, [](auto, auto h) { return tanh(h); }, v(x));
       });
       p.statements[3].axis_ = -2;
       return p;
     }},
    // what is attached to values
    {rule::output_is_a_value, ir::no_value,
     [] {
       ir::program p = symbols();
       p.outputs[2].at = 6;
       return p;
     }},
    {rule::output_is_a_value, ir::no_value,
     [] {
       ir::program p = symbols();
       p.outputs[2].at = ir::no_value;
       return p;
     }},
    {rule::output_is_a_value, ir::no_value,
     [] {
       ir::program p = symbols();
       ir::label_range c;
       c.labels = 9;
       p.checks.push_back(c);
       return p;
     }},
    {rule::scalar_types_agree, 0,
     [] {
       ir::program p = symbols();
       ir::label_range c;
       c.labels = 0;
       p.checks.push_back(c);
       return p;
     }},
    {rule::output_is_a_value, ir::no_value,
     [] {
       ir::program p = symbols();
       ir::label l;
       l.at = 6;
       p.names.push_back(l);
       return p;
     }},
    {rule::output_is_a_value, ir::no_value,
     [] {
       ir::program p = symbols();
       p.tags.push_back({text("t"), 6});
       return p;
     }},
    {rule::tag_is_on_an_axis, 0,
     [] {
       ir::program p = symbols();
       p.tags.push_back({text("t"), 0, p[0].dims.rank});
       return p;
     }},
};

}  // namespace stg::broken
