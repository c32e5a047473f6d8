// autodiff: the order of cotangents and gradients, sums over every use, and connections after the split.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/pass/autodiff.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/expand.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/order.hpp>
#include <stg/pass/save.hpp>

#include <initializer_list>
#include <tuple>
#include <type_traits>

namespace stg {

using pass::autodiff;
using pass::cse;

constexpr sequence<ir::value_id> inputs_named(const ir::program& p, std::initializer_list<std::string_view> names) {
  sequence<ir::value_id> ids;
  for (std::string_view name : names) ids.push_back(input_named(p, name));
  return ids;
}

constexpr auto product = [](auto v) {
  auto first = v(x), second = v(y);
  return outputs(first * second, first + second, first * first);
};

// The forward program comes first, unchanged; the gradients are the last outputs, in the order required.
constexpr bool outputs_are_the_required_list(std::initializer_list<std::string_view> names) {
  const ir::program p = cse(trace(product));
  const pass::joint_program joint = autodiff(p, {0}, inputs_named(p, names));
  if (joint.forward_size != p.size() || joint.forward_outputs != 3) return false;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (!joint.program[i].computes_same(p[i])) return false;
  if (joint.program.outputs.size() != 3 + static_cast<int>(names.size())) return false;
  int k = 3;
  for (std::string_view name : names) {  // d x = cotangent · y, d y = cotangent · x
    const ir::statement& g = joint.program[joint.program.outputs[k++].at];
    const ir::value_id other = input_named(p, name == "x" ? "y" : "x");
    if (g.code != ir::opcode::mul || g.operands[0] != joint.cotangents[0] || g.operands[1] != other) return false;
  }
  return pass::verify(joint.program).what == op::rule::none;
}
static_assert(outputs_are_the_required_list({"x", "y"}));
static_assert(outputs_are_the_required_list({"y", "x"}));
static_assert(outputs_are_the_required_list({"y"}));
static_assert(outputs_are_the_required_list({"x", "x"}));

// What is written for a statement belongs to the layer that the statement was written in.
constexpr auto layers = [](auto v) {
  constexpr auto times = [](auto, auto a, auto b) { return a * b; };
  return scope<"second">(v, times, scope<"first">(v, times, v(x), v(y)), v(x));
};
constexpr bool gradients_keep_scopes() {
  const ir::program p = cse(trace(layers));
  const pass::joint_program joint = autodiff(p, {0}, {input_named(p, "y")});
  const ir::statement& outer = joint.program[joint.program.outputs[1].at];  // d (x · y) times x
  const ir::statement& inner =
      joint.program.operand(outer, joint.program.operand(outer, 0).code == ir::opcode::mul ? 0 : 1);
  return p.scopes.size() == 2 && p.scopes[0] == text("first") && outer.scopes == 1 && inner.scopes == 2;
}
static_assert(gradients_keep_scopes());

// By default what is trainable, in the order in which it is read.
static_assert(pass::trainable_inputs(trace(product)).size() == 2);
static_assert(pass::trainable_inputs(trace([](auto v) { return v(vertex_feature<"z", 4>) * v(x); })).size() == 1);

// Cotangents become inputs in the order provided, named after their outputs.
constexpr bool cotangents_come_in_order() {
  const ir::program p = cse(trace(product));
  const pass::joint_program joint = autodiff(p, {2, 0}, pass::trainable_inputs(p));
  return joint.cotangents.size() == 2 && joint.cotangents[0] == p.size() &&
         joint.program.inputs[2].name == text("d(output 2)") && joint.program.inputs[3].name == text("d(output 0)") &&
         joint.program[joint.cotangents[0]].entry() == 2;
}
static_assert(cotangents_come_in_order());

// x · x: both uses count.
constexpr bool uses_are_summed() {
  const ir::program p = cse(trace([](auto v) { return v(x) * v(x); }));
  const pass::joint_program joint = autodiff(p, {0}, {0});
  const ir::statement& g = joint.program[joint.program.outputs[1].at];
  return g.code == ir::opcode::add && g.operands[0] == g.operands[1];
}
static_assert(uses_are_summed());

// A value that is an output and is used inside gets its own cotangent and that of its use.
constexpr bool provided_outputs_are_summed_with_inner_uses() {
  const ir::program p = cse(trace([](auto v) {
    auto inner = stg::exp(v(x));
    return outputs(inner, inner + v(y));
  }));
  const pass::joint_program joint = autodiff(p, {0, 1}, {input_named(p, "x")});
  const ir::statement& g = joint.program[joint.program.outputs[2].at];  // (d0 + d1) · exp(x)
  const ir::statement& sum = joint.program[g.operands[0]];
  return g.code == ir::opcode::mul && sum.code == ir::opcode::add && sum.operands[0] == joint.cotangents[0] &&
         sum.operands[1] == joint.cotangents[1];
}
static_assert(provided_outputs_are_summed_with_inner_uses());

// An output that is an input: its gradient is its cotangent.
constexpr bool aliases_are_seen_through() {
  const ir::program p = cse(trace([](auto v) { return outputs(v(x), v(x)); }));
  const pass::joint_program joint = autodiff(p, {0, 1}, {0});
  const ir::statement& g = joint.program[joint.program.outputs[2].at];
  return g.code == ir::opcode::add && g.operands[0] == joint.cotangents[0] && g.operands[1] == joint.cotangents[1];
}
static_assert(aliases_are_seen_through());

// A gradient has the shape and space of what it belongs to.
constexpr bool gradients_fit_their_values() {
  const ir::program p = cse(trace([](auto v) {
    auto e = v.in_edges();
    return sum(e.src(v(x) * v(parameter<"a", 1>)) * e(w) * parameter<"b", 4>) * scalar<"eps">;
  }));
  sequence<ir::value_id> required;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input) required.push_back(i);
  const pass::joint_program joint = autodiff(p, {0}, required);
  for (int k = 0; k < required.size(); ++k) {
    const ir::statement& g = joint.program[joint.program.outputs[1 + k].at];
    if (g.where != p[required[k]].where || !(g.dims == p[required[k]].dims)) return false;
  }
  return required.size() == 5 && pass::verify(joint.program).what == op::rule::none;
}
static_assert(gradients_fit_their_values());

// Nothing is written for what nobody asked for.
constexpr bool only_wanted_gradients_are_written() {
  const ir::program p = cse(trace([](auto v) { return matmul(v(x), W); }));
  return count_of(autodiff(p, {0}, {input_named(p, "W")}).program, ir::opcode::matmul) == 1;
}
static_assert(only_wanted_gradients_are_written());

// After the split: cotangents first, in their order; outputs exactly the gradients; nothing per edge is saved.
constexpr bool connections_hold() {
  const ir::program p = cse(trace([](auto v) {
    auto e = v.in_edges();
    auto score = e.src(v(x)) * e(w);
    return outputs(sum(softmax(score)), stg::exp(v(y)));
  }));
  const sequence<int> provided = {1, 0};
  const sequence<ir::value_id> required = inputs_named(p, {"y", "w", "x"});
  const pass::joint_program joint = autodiff(p, provided, required);
  const pass::differentiated d = pass::split(pass::dce(cse(pass::fold(joint.program))), 2, provided, p.inputs.size());
  if (d.results != 2 || d.gradient.outputs.size() != 3 || d.gradient.inputs.size() != d.connections.size())
    return false;
  for (int k = 0; k < 2; ++k)
    if (d.connections[k].kind != pass::connection_kind::cotangent || d.connections[k].index != provided[k])
      return false;
  for (int k = 2; k < d.connections.size(); ++k)
    if (d.connections[k].kind == pass::connection_kind::cotangent) return false;
  for (int k = 0; k < 3; ++k) {
    const ir::statement& g = d.gradient[d.gradient.outputs[k].at];
    if (g.where != p[required[k]].where || !(g.dims == p[required[k]].dims)) return false;
  }
  for (int k = 2; k < d.forward.outputs.size(); ++k)
    if (d.forward[d.forward.outputs[k].at].where == ir::space::edge) return false;
  return pass::verify(d.forward).what == op::rule::none && pass::verify(d.gradient).what == op::rule::none;
}
static_assert(connections_hold());

// What an output depends on differentiably is the same whichever end it is looked for from.
constexpr bool both_ends_agree(auto program) {
  const ir::program p = cse(trace(program));
  for (int k = 0; k < p.outputs.size(); ++k) {
    const ir::flags reached = pass::reached_from(p, {k});
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (static_cast<bool>(reached[i]) != static_cast<bool>(pass::depends_on(p, {i})[p.outputs[k].at])) return false;
  }
  return true;
}
static_assert(both_ends_agree([](auto v) {
  auto e = v.in_edges();
  return outputs(sum(softmax(e.src(v(x)) * e(w))), select(v(x) > 1.0, detach(v(y)), v(x)), stg::floor(v(y)));
}));

// Steps refuse a gradient where one would have to pass: not for an input that is not asked for, not through detach or a
// condition, not for an output without a cotangent.
constexpr bool is_refused(auto program, std::initializer_list<std::string_view> names, int output = 0) {
  const ir::program p = cse(trace(program));
  return pass::refused_by(p, {output}, inputs_named(p, names)) != ir::no_value;
}
constexpr auto stepped = [](auto v) { return outputs(v(x) * stg::floor(v(y)), v(y) + v(x)); };
static_assert(is_refused(stepped, {"y"}) && is_refused(stepped, {"x", "y"}));
static_assert(!is_refused(stepped, {"x"}) && !is_refused(stepped, {"y"}, 1));
static_assert(is_refused([](auto v) { return stg::exp(stg::round(2.0 * v(x))); }, {"x"}),
              "where it is the only way too");
static_assert(!is_refused([](auto v) { return v(x) * sign(detach(v(x))); }, {"x"}));
static_assert(!is_refused([](auto v) { return select(stg::ceil(v(x)) > 1.0, v(x), 0.0); }, {"x"}));
constexpr auto remainder_of = [](auto v) { return stg::fmod(v(x), v(y)); };
static_assert(!is_refused(remainder_of, {"x"}) && is_refused(remainder_of, {"y"}));
constexpr bool sign_refuses() {
  const ir::program p = cse(trace([](auto v) { return v(x) * sign(v(x)); }));
  return p[pass::refused_by(p, {0}, {input_named(p, "x")})].code == ir::opcode::sign;
}
static_assert(sign_refuses());

// What b of training(a, b) reads is asked for nothing, and neither is what an integer was made of.
static_assert(!is_refused([](auto v) { return training(v(x), stg::floor(v(y))); }, {"y"}));
constexpr bool is_reached(auto program, std::string_view name) {
  const ir::program p = cse(trace(program));
  return pass::reached_from(p, {0})[input_named(p, name)];
}
constexpr auto chosen = [](auto v) { return training(v(x), v(y)); };
constexpr auto counted = [](auto v) { return cast<f32>(cast<i32>(v(x))) * v(y); };
static_assert(is_reached(chosen, "x") && !is_reached(chosen, "y"));
static_assert(is_reached(counted, "y") && !is_reached(counted, "x"));

// An entry that no statement reads is no input to differentiate for.
constexpr bool unread_entries_are_left_out() {
  ir::program p = trace([](auto v) { return outputs(v(x), v(y)); });
  p.outputs = {p.outputs[1]};
  const ir::program q = pass::dce(p);
  return q.inputs.size() == 2 && pass::inputs_at(q, {0, 1}) == inputs_named(q, {"y"});
}
static_assert(unread_entries_are_left_out());

// Nothing is summed for operands that no gradient is asked of, or written for an output on which none depends.
constexpr int written(auto program, const sequence<int>& provided, std::initializer_list<std::string_view> names) {
  const ir::program p = cse(trace(program));
  return autodiff(p, provided, inputs_named(p, names)).program.size() - p.size();
}
constexpr auto quotients = [](auto v) { return outputs(v(x) / v(y), v(y) * stg::exp(v(y))); };
static_assert(written(quotients, {0, 1}, {"x"}) == written(quotients, {0}, {"x"}) + 1,
              "a cotangent that leads nowhere");
constexpr bool sums_what_is_asked_for() {
  const ir::program p = cse(trace([](auto v) { return v(x) * v(y) * v(y); }));
  return count_of(autodiff(p, {0}, inputs_named(p, {"x"})).program, ir::opcode::add) == 0 &&
         count_of(autodiff(p, {0}, inputs_named(p, {"y"})).program, ir::opcode::add) == 1;
}
static_assert(sums_what_is_asked_for());

// Layers with a gradient of their own: each passes on what comes back through its results, one after the other, to what
// is asked for; a value that both were given is summed where it is.
constexpr auto tripled = custom_gradient([](auto, auto h, auto by) { return h * by; },
                                         [](auto, auto d, auto, auto by) { return std::tuple(3.0 * d, 5.0 * by); });
constexpr auto tripled_twice = [](auto v) {
  auto h = v(x), by = v(y);
  return tripled(v, tripled(v, h, by), by);
};
constexpr auto cotangent = vertex_feature<"d(output 0)", 4>;
constexpr auto tripled_by_hand = [](auto v) {
  auto h = v(x), by = v(y);
  return outputs(h * by * by, 3.0 * (3.0 * v(cotangent)));
};
constexpr ir::program tidy(const ir::program& p) { return cse(pass::order(cse(pass::order(p)))); }
constexpr bool follow_one_another() {
  const ir::program p = cse(trace(tripled_twice)), joint = autodiff(p, {0}, inputs_named(p, {"x"})).program;
  return tidy(pass::expand(joint)) == tidy(trace(tripled_by_hand));
}
static_assert(follow_one_another());
constexpr bool sums_what_both_were_given() {
  const ir::program p = cse(trace(tripled_twice));
  return count_of(autodiff(p, {0}, inputs_named(p, {"x"})).program, ir::opcode::add) == 0 &&
         count_of(autodiff(p, {0}, inputs_named(p, {"y"})).program, ir::opcode::add) == 1;
}
static_assert(sums_what_both_were_given());

// What has no gradient is refused: a step, an input that no output depends on, an output that is no real number.
template <auto Differentiate>
concept is_differentiable_as = requires {
  typename std::bool_constant<(Differentiate(), true)>;
};
template <auto Program, int Output, auto... Names>
constexpr auto differentiate = [] { return written(Program, {Output}, {Names.view()...}); };
constexpr auto various = [](auto v) {
  return outputs(v(x) * stg::floor(v(x)), v(x) * 2.0, v(x) > 0.0, cast<i32>(v(x)));
};
static_assert(is_differentiable_as<differentiate<various, 1, text("x")>>);
static_assert(!is_differentiable_as<differentiate<various, 0, text("x")>>);
static_assert(!is_differentiable_as<differentiate<various, 2, text("x")>>);
static_assert(!is_differentiable_as<differentiate<various, 3, text("x")>>);
static_assert(!is_differentiable_as<differentiate<quotients, 1, text("x")>>);

}  // namespace stg
