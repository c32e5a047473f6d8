// Layers with a gradient of their own in constant evaluation: one statement until gradients are made, and none after
// it.
#include "../pass/symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/differentiate.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/expand.hpp>
#include <stg/pass/inline.hpp>
#include <stg/pipeline.hpp>

namespace stg {

constexpr auto rounded = custom_gradient([](auto, auto h) { return round(h); }, [](auto, auto d, auto) { return d; });
constexpr auto straight_through = [](auto v) { return rounded(v, v(x)) * v(y); };
constexpr auto without = [](auto v) { return round(v(x)) * v(y); };

constexpr ir::program of_both() {
  const ir::program p = pipeline::canonical(trace(straight_through));
  return pipeline::run<pipeline::joint_passes>(p, pipeline::asked_of(p, {0}, pass::trainable_inputs(p)));
}
static_assert(pass::verify(pipeline::canonical(trace(straight_through))) == pass::finding());
static_assert(count_of(pipeline::canonical(trace(straight_through)), ir::opcode::own_gradient) == 1);
static_assert(pass::verify(of_both()) == pass::finding() && of_both().callees.empty());
static_assert(count_of(of_both(), ir::opcode::own_gradient) == 0 && count_of(of_both(), ir::opcode::round) == 1);
// Called plainly it is what it would be without.
static_assert(pipeline::inferred(pipeline::canonical(trace(straight_through))) ==
              pipeline::inferred(pipeline::canonical(trace(without))));

constexpr auto guarded = [](auto v) { return not_differentiable<"teacher">(v(x)) * v(y); };
constexpr bool refuses() {
  const ir::program p = pipeline::canonical(trace(guarded));
  return pass::refused_by(p, {0}, {input_named(p, "x")}) != ir::no_value &&
         pass::refused_by(p, {0}, {input_named(p, "y")}) == ir::no_value && p.names[0].name == text("teacher");
}
static_assert(refuses());

// Of three results two are real, of three values two; where a result has no cotangent there are zeros, and where none
// has one there is no gradient.
constexpr auto bias = parameter<"bias", 4>;
constexpr auto three =
    custom_gradient([](auto, auto h, auto of, auto by) { return std::tuple(h * by * cast<f32>(of), of == 1, tanh(h)); },
                    [](auto, auto dy, auto dz, auto h, auto of, auto by) {
                      return std::tuple(dy * by + cast<f32>(of) * dz, sum(exp(dy) * h, all_vertices));
                    });
constexpr auto all_results = [](auto v) {
  auto [y, is_one, z] = three(v, v(x), v(label), bias);
  return outputs(y, z, is_one, v(x) * bias);
};
constexpr auto d0 = vertex_feature<"d(output 0)", 4>;
constexpr auto d1 = vertex_feature<"d(output 1)", 4>;
constexpr auto d3 = vertex_feature<"d(output 3)", 4>;
constexpr auto by_hand = [](auto dy, auto dz, auto h, auto of, auto by) {
  return outputs(h * by * cast<f32>(of), tanh(h), of == 1, h * by, dy * by + cast<f32>(of) * dz,
                 sum(exp(dy) * h, all_vertices));
};
constexpr auto with_first = [](auto v) { return by_hand(v(d0), zeros<4>(v), v(x), v(label), v(bias)); };
constexpr auto with_second = [](auto v) { return by_hand(zeros<4>(v), v(d1), v(x), v(label), v(bias)); };
constexpr auto with_both = [](auto v) { return by_hand(v(d0), v(d1), v(x), v(label), v(bias)); };
constexpr auto with_neither = [](auto v) {
  auto h = v(x);
  auto by = v(bias);
  return outputs(h * by * cast<f32>(v(label)), tanh(h), v(label) == 1, h * by, v(d3) * by,
                 sum(v(d3) * h, all_vertices));
};
constexpr ir::program tidy(const ir::program& p) {
  return pass::order(pass::cse(pass::fold(pass::cse(pass::order(p)))));
}
constexpr bool is_by_hand(auto program, const sequence<int>& provided) {
  const ir::program p = pass::cse(pass::order(trace(all_results)));
  const pass::joint_program joint = pass::autodiff(p, provided, {input_named(p, "x"), input_named(p, "bias")});
  return tidy(pass::expand(joint.program)) == tidy(trace(program));
}
static_assert(is_by_hand(with_first, {0}) && is_by_hand(with_second, {1}) && is_by_hand(with_both, {0, 1}));
static_assert(is_by_hand(with_neither, {3}));

// A gradient that is not asked for is not written.
constexpr bool is_asked_for() {
  const ir::program p = pass::cse(trace(all_results));
  return count_of(pass::dce(pass::autodiff(p, {0}, {input_named(p, "x")}).program), ir::opcode::exp) == 0;
}
static_assert(is_asked_for());

// In a program that is called, and beside a call, in which gradients of their own are numbered otherwise.
constexpr auto whole_layer = [](auto v, auto h) { return not_differentiable<"teacher">(rounded(v, h)) + h; };
constexpr auto in_a_call = [](auto v) { return call(whole_layer, v, v(x)) * not_differentiable<"other">(v(y)); };
constexpr auto without_a_call = [](auto v) { return whole_layer(v, v(x)) * not_differentiable<"other">(v(y)); };
constexpr auto beside_a_call = [](auto v) {
  return call([](auto, auto h) { return tanh(h); }, v, rounded(v, v(x))) * rounded(v, v(y));
};
static_assert(pass::verify(pipeline::canonical(trace(in_a_call))) == pass::finding());
static_assert(pass::order(pass::inline_calls(pipeline::canonical(trace(in_a_call)))) ==
              pass::order(pipeline::canonical(trace(without_a_call))));
constexpr bool is_beside_a_call() {
  const ir::program p = pipeline::canonical(trace(beside_a_call)), q = pass::inline_calls(p);
  const program_with_gradient d = differentiate(p);
  return p.callees.size() == 2 && pass::verify(p) == pass::finding() && q.callees.size() == 1 &&
         pass::verify(q) == pass::finding() && pass::verify(d.forward) == pass::finding() &&
         pass::verify(d.gradient) == pass::finding() && count_of(d.forward, ir::opcode::own_gradient) == 2;
}
static_assert(is_beside_a_call());

}  // namespace stg
