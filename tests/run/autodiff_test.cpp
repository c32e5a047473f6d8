// test: draft programs_at_run_time, counted
// Gradients against central differences, for every operation; their order, their sums, and inputs that have none.
#include "support/differences.hpp"     // check_gradients
#include "support/families.hpp"        // mixed
#include "support/inputs.hpp"          // random_inputs
#include "support/samples.hpp"         // symbols
#include "support/traced_samples.hpp"  // for_each_traced

#include <stg/ir/print.hpp>         // to_text
#include <stg/analysis/verify.hpp>  // verify
#include <stg/pass/autodiff.hpp>    // autodiff
#include <stg/pass/cse.hpp>         // cse
#include <stg/pass/dce.hpp>         // dce
#include <stg/pass/fold.hpp>        // fold
#include <stg/pass/inference.hpp>   // inference

#include <gtest/gtest.h>  // TEST

#include <cmath>    // log
#include <map>      // map
#include <set>      // set
#include <utility>  // pair

namespace stg {
namespace {

using oracle::array;
using oracle::environment;

using test::check_gradients;
using test::name_of_input;
using test::real_outputs;

TEST(autodiff, agrees_with_central_differences_for_every_operation) {
  std::set<ir::opcode> covered, seen;
  test::for_each_traced([&](const test::traced_sample& sample) {
    SCOPED_TRACE(sample.name);
    const ir::program p = pass::cse(sample.program);
    ASSERT_EQ(pass::verify(p), pass::finding()) << to_text(p);
    for (const ir::statement& s : p.statements) seen.insert(s.code);
    EXPECT_NO_THROW(pass::autodiff(p, real_outputs(p), pass::trainable_inputs(p)))
        << "a trainable input has no gradient";
    const graph g = test::mixed();
    check_gradients(p, g, test::random_inputs(p, g, 1), real_outputs(p), covered);
  });
  for (int i = 0; i < ir::opcode_count; ++i) {
    const auto code = static_cast<ir::opcode>(i);
    if (op::has_own_programs(code)) continue;
    EXPECT_TRUE(seen.contains(code)) << "no sample uses " << ir::name_of(code)
                                     << "; add one to tests/run/support/samples.hpp";
    EXPECT_TRUE(covered.contains(code) || !op::info_of(code).differentiable)
        << "no sample differentiates " << ir::name_of(code);
  }
}

TEST(samples, that_are_always_compiled_hold_every_operation_in_every_space) {
  std::map<std::pair<ir::opcode, ir::space>, std::string_view> all;
  std::set<std::pair<ir::opcode, ir::space>> compiled;
  test::for_each_traced([&](const test::traced_sample& sample) {
    for (const ir::statement& s : pass::cse(sample.program).statements) {
      all.emplace(std::pair(s.code, s.where.kind), sample.name);
      if (sample.compiled_always) compiled.emplace(s.code, s.where.kind);
    }
  });
  for (const auto& [what, sample] : all)
    EXPECT_TRUE(compiled.contains(what)) << ir::name_of(what.first) << " in " << sample
                                         << " is compiled by the proof alone; see for_each_sample";
}

TEST(autodiff, holds_on_graphs_of_every_kind) {
  std::set<ir::opcode> covered;
  for (const test::family& f : test::families()) {
    if (f.graph.vertices() == 0 || f.graph.vertices() > 12) continue;  // nothing to move; too much to move
    test::for_each_traced([&](const test::traced_sample& sample) {
      SCOPED_TRACE(std::string(sample.name) + " on " + f.name);
      const ir::program p = pass::cse(sample.program);
      check_gradients(p, f.graph, test::random_inputs(p, f.graph, 2), real_outputs(p), covered);
    });
  }
}

TEST(autodiff, a_gradient_can_be_differentiated_again) {
  std::set<ir::opcode> covered;
  test::for_each_traced([&](const test::traced_sample& sample) {
    SCOPED_TRACE(sample.name);
    const ir::program p = pass::cse(sample.program);
    sequence<ir::value_id> required;
    for (ir::value_id i : pass::trainable_inputs(p)) required.push_back(i);
    const ir::program once = pass::dce(pass::cse(pass::fold(pass::autodiff(p, real_outputs(p), required).program)));
    const graph g = test::from_pairs(4, {{0, 1}, {2, 1}, {1, 2}, {2, 2}, {0, 1}});
    check_gradients(once, g, test::random_inputs(once, g, 3), real_outputs(once, p.outputs.size()), covered);
  });
}

// ---- where the numbers of samples do not go ----

/// By name: compilers trace the operands of an operator in an order of their own.
sequence<ir::value_id> real_inputs(const ir::program& p) {
  std::map<std::string, ir::value_id> found;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && is_real(p[i].type)) found[name_of_input(p, i)] = i;
  sequence<ir::value_id> sorted;
  for (const auto& [name, at] : found) sorted.push_back(at);
  return sorted;
}
/// The gradients of output 0 for every real input, with 1 as the cotangent of each of its numbers.
std::vector<array> gradients_of(const ir::program& p, const graph& g, environment env) {
  const ir::program joint = pass::autodiff(p, {0}, real_inputs(p)).program;
  for (const ir::statement& s : joint.statements)
    if (s.code == ir::opcode::input && !ir::names_one_of(s, p.inputs.size()))
      env.inputs["d(output 0)"] = array(static_cast<std::size_t>(test::count_of(joint, s, g)), 1.0);
  std::vector<array> all = oracle::interpret(joint, g, env);
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(p.outputs.size()));
  return all;
}
TEST(autodiff, a_product_with_zeros_among_its_factors_once_and_twice) {
  const ir::program p = pass::cse(trace([](auto v) { return prod(v.in_edges()(samples::u)); }));
  const graph g = test::from_pairs(4, {{0, 1}, {2, 1}, {3, 1}, {0, 2}, {1, 2}, {0, 3}});
  environment env;
  env.inputs["u"] = {2, 0, 0, 3, 5, 0, 7, 0.5, 3, 2, 0, 1, 3, 2, 4, 0, 0.5, 3};  // none, one and two to a product
  std::set<ir::opcode> covered;
  check_gradients(p, g, env, {0}, covered);

  const ir::program once = pass::dce(pass::cse(pass::fold(pass::autodiff(p, {0}, real_inputs(p)).program)));
  env.inputs["d(output 0)"] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  check_gradients(once, g, env, real_outputs(once, p.outputs.size()), covered);
}

TEST(autodiff, powers_of_zero_and_of_negative_numbers) {
  const ir::program p = pass::cse(trace([](auto v) { return stg::pow(v(samples::x), v(samples::y)); }));
  environment env;
  env.inputs = {{"x", {0, 0, 0, -2, -2, 3}}, {"y", {0, 1, 2, 1, 3, 1}}};
  const std::vector<array> gradients = gradients_of(p, test::from_pairs(2, {}), env);
  EXPECT_EQ(gradients[0], (array{0, 1, 0, 1, 12, 1}));
  EXPECT_EQ(gradients[1], (array{0, 0, 0, 0, 0, 3 * std::log(3.0)}));
}

TEST(autodiff, the_slope_of_abs_at_0_is_0) {
  const ir::program p = pass::cse(trace([](auto v) { return stg::abs(v(samples::x)); }));
  environment env;
  env.inputs["x"] = {-2, 0, 3};
  EXPECT_EQ(gradients_of(p, test::from_pairs(1, {}), env)[0], (array{-1, 0, 1}));
}

inline constexpr auto single = trainable(vertex_feature<"single", f32, 3>);
TEST(autodiff,
     passes_from_one_real_type_to_another) {  // one cast, not there and back: two wrong signs make a right one
  const ir::program p = pass::cse(trace([](auto v) { return cast<f64>(stg::exp(v(single))) * v(samples::y); }));
  const graph g = test::mixed();
  std::set<ir::opcode> covered;
  check_gradients(p, g, test::random_inputs(p, g, 6), {0}, covered);
  EXPECT_TRUE(covered.contains(ir::opcode::cast));
}

TEST(autodiff, cotangents_of_one_value_add_up) {
  const ir::program p = pass::cse(trace([](auto v) {
    auto square = v(samples::x) * v(samples::x);
    return outputs(square, square);
  }));
  const graph g = test::mixed();
  std::set<ir::opcode> covered;
  check_gradients(p, g, test::random_inputs(p, g, 7), {0, 1}, covered);
}

TEST(autodiff, a_gradient_in_a_plain_call_is_that_of_what_a_plain_call_computes) {
  const auto total = [](auto v) {
    auto first = v(samples::x) * v(samples::y), second = stg::exp(v(samples::y)) * v(samples::x);
    return sum(sum(training(first, second), axis<0>), all_vertices);
  };
  const ir::program p = pass::inference(trace(total));
  const ir::program q = pass::inference(trace([&](auto v) {
    auto all = total(v);
    return outputs(gradient(all, v(samples::x)), gradient(all, v(samples::y)));
  }));
  const graph g = test::mixed();
  const environment env = test::random_inputs(p, g, 8);
  const std::vector<array> written = oracle::interpret(q, g, env), expected = gradients_of(p, g, env);
  ASSERT_EQ(written.size(), expected.size());
  for (std::size_t k = 0; k < written.size(); ++k) EXPECT_EQ(written[k], expected[k]);
}

// ---- the contract ----

ir::program traced_sample(auto program) { return pass::cse(trace(program)); }

ir::value_id input_named(const ir::program& p, std::string_view name) {
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && p.inputs[p[i].entry()].name.view() == name) return i;
  return ir::no_value;
}

TEST(autodiff, gives_gradients_in_the_order_required) {
  const ir::program p = traced_sample(samples::arithmetic);
  const ir::value_id x = input_named(p, "x"), y = input_named(p, "y"), s = input_named(p, "s");
  const graph g = test::mixed();
  environment env = test::random_inputs(p, g, 5);
  env.inputs["d(output 0)"] = array(15, 1.0);
  const auto forwards = oracle::interpret(pass::autodiff(p, {0}, {x, y, s}).program, g, env);
  const auto backwards = oracle::interpret(pass::autodiff(p, {0}, {s, y, x}).program, g, env);
  ASSERT_EQ(forwards.size(), 4u);
  ASSERT_EQ(backwards.size(), 4u);
  for (std::size_t k = 1; k < 4; ++k) EXPECT_EQ(forwards[k], backwards[4 - k]);
}

TEST(autodiff, an_input_required_twice_is_given_twice) {
  const ir::program p = traced_sample([](auto v) { return v(samples::x) * v(samples::x); });
  const ir::value_id x = input_named(p, "x");
  const pass::joint_program joint = pass::autodiff(p, {0}, {x, x});
  ASSERT_EQ(joint.program.outputs.size(), 3u);
  EXPECT_EQ(joint.program.outputs[1].at, joint.program.outputs[2].at);
}

TEST(autodiff, cotangents_come_in_the_order_provided) {
  const ir::program p = traced_sample(samples::used_twice);
  const pass::joint_program joint = pass::autodiff(p, {2, 0}, pass::trainable_inputs(p));
  ASSERT_EQ(joint.cotangents.size(), 2u);
  EXPECT_EQ(name_of_input(joint.program, joint.cotangents[0]), "d(output 2)");
  EXPECT_EQ(name_of_input(joint.program, joint.cotangents[1]), "d(output 0)");
}

TEST(autodiff, an_output_that_is_an_input_passes_its_cotangent_on) {
  const ir::program p = traced_sample([](auto v) { return outputs(v(samples::x), 2.0 * v(samples::x)); });
  const graph g = test::from_pairs(1, {});
  environment env;
  env.inputs = {{"x", {1, 2, 3}}, {"d(output 0)", {1, 10, 100}}, {"d(output 1)", {1, 1, 1}}};
  EXPECT_EQ(oracle::interpret(pass::autodiff(p, {0, 1}, pass::trainable_inputs(p)).program, g, env)[2],
            (array{3, 12, 102}));
}

TEST(autodiff, naming_an_input_without_a_gradient_is_an_error) {
  const ir::program p = traced_sample([](auto v) { return outputs(v(samples::x) * 2.0, v(samples::y)); });
  EXPECT_THROW(pass::autodiff(p, {0}, {input_named(p, "y")}), pass::input_has_no_gradient);
  EXPECT_NO_THROW(pass::autodiff(p, {1}, {input_named(p, "y")}));
  const ir::program q = traced_sample([](auto v) { return cast<f64>(v(samples::label)) * v(samples::x); });
  EXPECT_THROW(pass::autodiff(q, {0}, {input_named(q, "label")}), pass::input_has_no_gradient);
}

TEST(autodiff, an_output_of_integers_has_no_cotangent) {
  const ir::program p = traced_sample(samples::indices);
  EXPECT_THROW(pass::autodiff(p, {2}, pass::trainable_inputs(p)), pass::output_is_not_differentiable);
}

}  // namespace
}  // namespace stg
