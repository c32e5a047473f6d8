// test: draft programs_at_run_time
// stg::differentiate at run time: every sample and scans in every way of keeping, calls of both programs, and errors by
// name.
#include "expect_error.hpp"            // expect_error
#include "support/connected.hpp"       // run_connected, expect_connected
#include "support/families.hpp"        // mixed
#include "support/inputs.hpp"          // random_inputs, random_array
#include "support/near.hpp"            // is_near
#include "support/scans.hpp"           // recurrent
#include "support/traced_samples.hpp"  // for_each_traced

#include <stg/ir/print.hpp>         // to_text
#include <stg/analysis/verify.hpp>  // verify
#include <stg/pass/cse.hpp>         // cse
#include <stg/pipeline.hpp>         // canonical

#include <gtest/gtest.h>  // TEST

#include <random>  // mt19937

namespace stg {
namespace {

constexpr keeping every_way[] = {keeping::chosen, keeping::everything, keeping::all_but_edges, keeping::results,
                                 keeping::inputs};

/// Both programs, one after the other, against both in one.
void check_every_way(const ir::program& p, const graph& g, const oracle::environment& env, double tolerance) {
  const sequence<int> provided = real_outputs(p);
  const sequence<ir::value_id> required = differentiable_inputs(p, provided);
  if (required.empty()) return;
  const pass::joint_program joint = pass::autodiff(p, provided, required);
  const test::arrays outputs = oracle::interpret(p, g, env);
  oracle::environment bound = env;
  std::mt19937 random(3);
  test::arrays cotangents, magnitudes;
  for (int k = 0; k < provided.size(); ++k) {
    const auto n = static_cast<std::int64_t>(outputs[static_cast<std::size_t>(provided[k])].size());
    cotangents.push_back(test::random_array(random, n));
    bound.entries[joint.program[joint.cotangents[k]].entry()] = cotangents.back();
  }
  const test::arrays expected = oracle::interpret(joint.program, g, bound, &magnitudes);
  for (const keeping keep : every_way) {
    SCOPED_TRACE(static_cast<int>(keep));
    const program_with_gradient d = differentiate(p, provided, required, keep);
    ASSERT_EQ(pass::verify(d.forward), pass::finding()) << ir::to_text(d.forward);
    ASSERT_EQ(pass::verify(d.gradient), pass::finding()) << ir::to_text(d.gradient);
    test::expect_connected(d, p, provided);
    const test::arrays found = test::run_connected(d, g, env, cotangents);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_TRUE(test::is_near(found[k], expected[k], magnitudes[k], tolerance)) << ir::to_text(d.gradient);
  }
}

TEST(differentiate, gives_equal_gradients_whatever_is_kept) {
  test::for_each_traced([&](const test::traced_sample& sample) {
    SCOPED_TRACE(sample.name);
    const ir::program p = pass::cse(sample.program);
    const graph g = test::mixed();
    check_every_way(p, g, test::random_inputs(p, g, 1), 1e-12);
  });
}

TEST(differentiate, goes_through_scans) {
  const graph g = test::mixed();
  for (const ir::program& traced :
       {trace(scans::recurrent), trace(scans::second_order), trace(scans::edges_and_graph)}) {
    const ir::program p = pipeline::canonical(traced);
    ASSERT_FALSE(differentiable_inputs(p, real_outputs(p)).empty());
    check_every_way(p, g, test::random_inputs(p, g, 2), 1e-12);
  }
}

/// Gradients as values of a program, of scans and calls and of one another; and scans in called layers, whose gradients
/// of what each step has are given by calls.
inline constexpr auto px = trainable(vertex_feature<"px", f64>);
inline constexpr auto py = trainable(vertex_feature<"py", f64>);
inline constexpr auto pb = parameter<"pb", f64>;
inline constexpr auto pt = trainable(over<2>(vertex_feature<"pt", f64>));
inline constexpr auto doubled = [](auto, auto h) { return h * h; };
inline constexpr auto by_call = [](auto v) {
  return gradient(sum(call(doubled, v, v(px)), all_vertices), v(px)) * v(py);  // 2 x y
};
inline constexpr auto by_scan = [](auto v) {
  auto l = scan<2>(
      v, [](auto v, auto h) { return tanh(v(pt) * pb + h); }, v(px));
  return gradient(sum(l, all_vertices), pb) * v(py) * gradient(sum(l * l, all_vertices), v(px));
};
inline constexpr auto by_both = [](auto v) {
  auto energy = sum(by_scan(v) * call(doubled, v, v(py)), all_vertices);
  return gradient(energy, v(px)) + by_call(v);
};
inline constexpr auto inner = [](auto v, auto g, auto m) {
  return scan<2>(
      v, [=](auto v, auto k) { return tanh(m * k * v(pt)); }, g);
};
inline constexpr auto in_call = [](auto v) { return call(inner, v, v(px), pb); };
inline constexpr auto in_scan = [](auto v) {
  return scan<2>(
      v, [](auto v, auto h) { return inner(v, h, pb); }, v(px));
};
inline constexpr auto in_both = [](auto v) {
  return scan<2>(
      v, [](auto v, auto h) { return call(inner, v, h, pb); }, v(px));
};
TEST(differentiate, goes_through_gradients_and_scans_that_are_called) {
  const graph g = test::mixed();
  for (const ir::program& traced :
       {trace(by_call), trace(by_scan), trace(by_both), trace(in_call), trace(in_scan), trace(in_both)})
    for (const ir::program& p : {pass::cse(traced), pipeline::canonical(traced)})
      check_every_way(p, g, test::random_inputs(p, g, 4), 1e-11);
  oracle::environment two;
  two.inputs["px"] = {1, 2};
  two.inputs["py"] = {3, 5};
  const program_with_gradient d = differentiate(pipeline::canonical(trace(by_call)), {0});
  EXPECT_EQ(oracle::interpret(d.forward, graph::from_edges(2, {0}, {1}), two)[0], (oracle::array{6, 20}));
}

/// A gradient program's own gradient, which is called as any program is.
TEST(differentiate, names_all_inputs_apart) {
  const ir::program p = pipeline::canonical(trace([](auto v) { return v(px) * tanh(v(py)); }));
  const program_with_gradient d = differentiate(p), second = differentiate(d.gradient);
  ir::program caller = p;
  sequence<ir::value_id> passed(second.gradient.inputs.size(), p.outputs[0].at);
  pass::emit_call(caller, second.gradient, passed);
  for (const ir::program& one : {d.gradient, second.gradient, caller}) {
    EXPECT_EQ(pass::verify(one), pass::finding()) << ir::to_text(one);
    for (const ir::input& in : one.inputs) EXPECT_FALSE(in.name.view().empty()) << ir::to_text(one);
  }
}

inline constexpr auto a = trainable(vertex_feature<"a", 2>);
inline constexpr auto b = trainable(vertex_feature<"b", 2>);
inline constexpr auto M = parameter<"M", 2, 2>;
inline constexpr auto layer = [](auto v) { return tanh(matmul(sum(v.in_edges().src(a)), M) * v(b)); };

ir::value_id named(const ir::program& p, std::string_view name) {
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && p.inputs[p[i].entry()].name.view() == name) return i;
  return ir::no_value;
}

/// A caller that passes one value for both features, and gradients of what it passes.
ir::program calling(const program_with_gradient& d) {
  ir::program caller = pipeline::canonical(trace([](auto v) { return outputs(v(a) * 3.0, v(b)); }));
  ir::program m = pipeline::canonical(trace([](auto v) { return matmul(v(a), M); }));
  const ir::value_id passed = caller.outputs[0].at;
  ir::statement in = m[named(m, "M")];
  in.set_entry(caller.inputs.size());
  caller.inputs.push_back(m.inputs[m[named(m, "M")].entry()]);
  const ir::value_id parameter = caller.emit(in);
  sequence<ir::value_id> arguments(d.forward.inputs.size(), ir::no_value);
  for (const ir::statement& s : d.forward.statements)
    if (s.code == ir::opcode::input) arguments[s.entry()] = s.where == ir::space::graph ? parameter : passed;
  const ir::value_id call = pass::emit_call(caller, d.forward, arguments);
  const ir::value_id y = pass::emit_result(caller, call, 0);
  const ir::value_id back =
      pass::emit_call(caller, d.gradient, gradient_arguments(caller, call, d, {caller.outputs[1].at}));
  caller.outputs.clear();
  caller.outputs.push_back(ir::output{y, {}});
  for (const value_with_gradient& of : gradients_of_passed(caller, call, back, d))
    caller.outputs.push_back(ir::output{of.gradient, {}});
  return caller;
}
TEST(differentiate, a_call_gives_the_sum_for_a_value_passed_twice) {
  const ir::program p = pipeline::canonical(trace(layer));
  const graph g = test::mixed();
  for (const keeping keep : every_way) {
    const program_with_gradient d = differentiate(p, keep);
    const ir::program caller = calling(d);
    ASSERT_EQ(pass::verify(caller), pass::finding()) << ir::to_text(caller);
    ASSERT_EQ(caller.outputs.size(), 3) << "the call's, of what is passed twice, and of M";
    const oracle::environment env = test::random_inputs(caller, g, 4);
    // by hand: both features are 3 a, and b is the cotangent
    oracle::environment own = env;
    for (double& x : own.inputs["a"]) x *= 3;
    own.inputs["b"] = own.inputs["a"];
    const pass::joint_program joint = pass::autodiff(p, {0}, {named(p, "a"), named(p, "b"), named(p, "M")});
    own.inputs["d(output 0)"] = env.inputs.at("b");
    test::arrays magnitudes;
    test::arrays expected = oracle::interpret(joint.program, g, own, &magnitudes);
    for (std::size_t i = 0; i < expected[1].size(); ++i)
      expected[1][i] += expected[2][i], magnitudes[1][i] += magnitudes[2][i];
    for (const ir::program& form :
         {caller, pass::inline_calls(caller), pipeline::inferred(pipeline::canonical(caller))}) {
      ASSERT_EQ(pass::verify(form), pass::finding()) << ir::to_text(form);
      const test::arrays found = oracle::interpret(form, g, env);
      const bool m_first = caller[caller.outputs[1].at].where == ir::space::graph;
      EXPECT_TRUE(test::is_near(found[0], expected[0], magnitudes[0], 1e-12));
      EXPECT_TRUE(test::is_near(found[m_first ? 2 : 1], expected[1], magnitudes[1], 1e-12));
      EXPECT_TRUE(test::is_near(found[m_first ? 1 : 2], expected[3], magnitudes[3], 1e-12));
    }
    EXPECT_TRUE(pass::inline_calls(caller).callees.empty());
  }
}

TEST(differentiate, mistakes_have_names) {
  const ir::program p = pipeline::canonical(
      trace([](auto v) { return outputs(v(a) * v(b), floor(v(a)), v(vertex_feature<"label", i32>), v(a) + 1.0); }));
  const ir::value_id of_a = named(p, "a"), of_b = named(p, "b"), label = named(p, "label");
  EXPECT_THROW(differentiate(p, {}, {of_a}), nothing_to_differentiate);
  EXPECT_THROW(differentiate(p, {0}, sequence<ir::value_id>()), nothing_to_differentiate);
  EXPECT_THROW(differentiate(p, {4}, {of_a}), value_of_another_program);
  EXPECT_THROW(differentiate(p, {-1}), value_of_another_program);
  EXPECT_THROW(differentiate(p, {0, 3, 0}, {of_a}), output_is_provided_twice);
  EXPECT_THROW(differentiate(p, {0}, {p.size()}), value_of_another_program);
  EXPECT_THROW(differentiate(p, {3}, {of_b}), pass::input_has_no_gradient);
  EXPECT_THROW(differentiate(p, {0}, {label}), pass::input_has_no_gradient);
  EXPECT_THROW(differentiate(p, {0, 1}, {of_a}), pass::operation_has_no_gradient);
  EXPECT_THROW(differentiate(p, {0, 2}, {of_a}), pass::output_is_not_differentiable);
  EXPECT_THROW(differentiate(p, {2}), nothing_to_differentiate);
  const ir::program of_words =
      pipeline::canonical(trace([](auto v) { return matmul(v(sparse_feature<"words", 2>), M); }));
  EXPECT_THROW(differentiate(of_words, {0}, {named(of_words, "words")}), sparse_input_has_no_gradient);
  EXPECT_EQ(differentiate(of_words, {0}).required, (sequence<ir::value_id>{named(of_words, "M")}));

  const program_with_gradient d = differentiate(p, {0}), other = differentiate(p, {3});
  ir::program caller = p;
  const sequence<ir::value_id> passed = [&] {
    sequence<ir::value_id> all(p.inputs.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (p[i].code == ir::opcode::input) all[p[i].entry()] = i;
    return all;
  }();
  EXPECT_THROW(pass::emit_call(caller, d.forward, {of_a}), call_passes_other_values);
  EXPECT_THROW(pass::emit_call(caller, d.forward, {label, label, label}), call_passes_other_values);
  EXPECT_THROW(pass::emit_call(caller, d.forward, {of_a, ir::no_value, label}), call_passes_other_values);
  EXPECT_THROW(pass::emit_call(caller, d.forward, {of_a, of_b, caller.size()}), call_passes_other_values);
  const ir::value_id call = pass::emit_call(caller, d.forward, passed);
  EXPECT_THROW(gradient_arguments(caller, of_a, d, {of_a}), call_of_another_program);
  EXPECT_THROW(gradient_arguments(caller, call, d, {}), call_passes_other_values);
  EXPECT_THROW(gradient_arguments(caller, call, d, {of_a, of_b}), call_passes_other_values);
  const ir::value_id back = pass::emit_call(caller, d.gradient, gradient_arguments(caller, call, d, {of_a}));
  EXPECT_THROW(gradients_of_passed(caller, back, call, d), call_of_another_program);
  EXPECT_THROW(gradients_of_passed(caller, call, call, d), call_of_another_program);
  const ir::value_id plus = pass::emit_call(caller, p, passed);
  EXPECT_NO_THROW(gradient_arguments(caller, plus, other, {of_a})) << "the forward program is the program itself";
  EXPECT_EQ(gradients_of_passed(caller, call, back, d).size(), 2);
}

/// Errors of the library like any other, with what to do instead.
TEST(differentiate, mistakes_say_what_to_do) {
  const ir::program p = pipeline::canonical(trace([](auto v) { return outputs(v(a) * v(b), floor(v(a))); }));
  const ir::program own = pipeline::canonical(trace([](auto v) { return not_differentiable<"teacher">(v(a)); }));
  test::expect_error([&] { differentiate(p, {}, {0}); }, {"nothing to differentiate", "provide an output"});
  test::expect_error([&] { differentiate(p, {7}, {0}); }, {"no value or output 7"});
  test::expect_error([&] { differentiate(p, {0, 0}, {0}); }, {"output 0 is provided twice"});
  test::expect_error([&] { differentiate(p, {0, 1}, {named(p, "a")}); }, {"pass through floor", "detach(x)"});
  test::expect_error([&] { differentiate(p, {1}, {named(p, "b")}); }, {"has no gradient", "depends on"});
  test::expect_error([&] { differentiate(own, {0}, {named(own, "a")}); }, {"a value that is not_differentiable"});
  const ir::program of_words =
      pipeline::canonical(trace([](auto v) { return matmul(v(sparse_feature<"words", 2>), M); }));
  test::expect_error([&] { differentiate(of_words, {0}, {named(of_words, "words")}); },
                     {"sparse input 'words' has no gradient", "vertex_feature"});
  ir::program caller = p;
  test::expect_error([&] { pass::emit_call(caller, p, {}); }, {"a call passes other values", "for each"});
  test::expect_error([&] { gradient_arguments(caller, 0, differentiate(p, {0}), {}); }, {"value %0 is no call"});
}

/// An input that the program does not read is passed as no value; a value may be required twice.
TEST(differentiate, leaves_what_is_not_read_alone) {
  const ir::program p = pass::dce(pipeline::canonical(trace([](auto v) {
    static_cast<void>(v(b) * 2.0);
    return tanh(v(a));
  })));
  ASSERT_EQ(p.inputs.size(), 2);
  const ir::value_id of_a = named(p, "a");
  const program_with_gradient d = differentiate(p, {0}, {of_a, p.outputs[0].at, of_a});
  ASSERT_EQ(d.gradient.outputs.size(), 3);
  EXPECT_EQ(d.gradient.outputs[0].at, d.gradient.outputs[2].at);
  ir::program caller = pipeline::canonical(trace([](auto v) { return v(a) * 3.0; }));
  sequence<ir::value_id> passed(2, ir::no_value);
  passed[p[of_a].entry()] = caller.outputs[0].at;
  const ir::value_id call = pass::emit_call(caller, d.forward, passed), y = pass::emit_result(caller, call, 0);
  const ir::value_id back = pass::emit_call(caller, d.gradient, gradient_arguments(caller, call, d, {y}));
  const auto found = gradients_of_passed(caller, call, back, d);
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].of, passed[p[of_a].entry()]);
  caller.outputs = {ir::output{found[0].gradient, {}}};
  EXPECT_EQ(pass::verify(caller), pass::finding()) << ir::to_text(caller);
  EXPECT_EQ(pass::verify(pass::inline_calls(caller)), pass::finding());
}

}  // namespace
}  // namespace stg
