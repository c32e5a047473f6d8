// test: draft programs_at_run_time, counted
// Every pass leaves a program that keeps the rules and computes what it computed before, on graphs of every kind.
#include "support/families.hpp"        // families
#include "support/inputs.hpp"          // random_inputs
#include "support/near.hpp"            // is_near
#include "support/samples.hpp"         // random_masks
#include "support/traced_samples.hpp"  // for_each_traced

#include <stg/analysis/checks.hpp>       // keeps_checks
#include <stg/analysis/verify.hpp>       // verify
#include <stg/ir/print.hpp>              // to_text
#include <stg/pass/aggregate_first.hpp>  // aggregate_first
#include <stg/pass/autodiff.hpp>         // autodiff, trainable_inputs
#include <stg/pass/cse.hpp>              // cse
#include <stg/pass/dce.hpp>              // dce
#include <stg/pass/fold.hpp>             // fold
#include <stg/pass/hoist.hpp>            // hoist
#include <stg/pass/inference.hpp>        // inference
#include <stg/pass/save.hpp>             // saved_values, connections_of
#include <stg/pipeline.hpp>              // canonical_passes, inference_passes, joint_passes, forward_passes

#include <gtest/gtest.h>  // TEST

#include <algorithm>    // any_of, find
#include <string_view>  // string_view
#include <tuple>        // tie

namespace stg {
namespace {

using oracle::array;
using oracle::environment;

constexpr double tolerance = 1e-12;

sequence<int> real_outputs(const ir::program& p) {
  sequence<int> provided;
  for (int k = 0; k < p.outputs.size(); ++k)
    if (is_real(p[p.outputs[k].at].type)) provided.push_back(k);
  return provided;
}

/// Whether a pass is there to say what is computed; all others leave it as it is. Which random numbers masks draw is
/// said by order, which numbers them.
bool says_what_is_computed(std::string_view pass, const ir::program& p) {
  for (const char* name : {"inference", "autodiff", "training", "forward_part", "gradient_part"})
    if (pass == name) return true;
  const bool draws = std::any_of(p.statements.begin(), p.statements.end(),
                                 [](const ir::statement& s) { return s.code == ir::opcode::keep_mask; });
  return pass == "order" && draws;
}

void expect_near(const std::vector<array>& actual, const std::vector<array>& expected,
                 const std::vector<array>& magnitudes) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    ASSERT_TRUE(test::is_near(actual[k], expected[k], magnitudes[k], tolerance)) << "output " << k;
}

/// Runs a program through a list of the pipeline: every pass leaves one that keeps the rules, and computes what the one
/// before it did.
template <class Passes>
void run_through(ir::program& p, const pipeline::request& asked, const graph& g, const environment& env) {
  std::vector<array> expected, magnitudes;
  for (const pipeline::step& pass : Passes::list) {
    const ir::program before = p;
    p = pass.run(before, asked);
    SCOPED_TRACE(pass.name);
    ASSERT_EQ(pass::verify(p), pass::finding()) << to_text(p);
    if (pass.leaves(before)) {  // the pipeline does not run it
      ASSERT_EQ(to_text(p), to_text(before));
    }
    if (std::string_view(pass.name) != "gradient_part") {  // which runs behind the forward program
      ASSERT_TRUE(pass::keeps_checks(before, p)) << to_text(p);
    }
    if (says_what_is_computed(pass.name, p)) {
      expected.clear();
      continue;
    }
    if (p == before) continue;
    if (expected.empty()) expected = oracle::interpret(before, g, env, &magnitudes);
    expect_near(oracle::interpret(p, g, env), expected, magnitudes);
    if (testing::Test::HasFailure()) FAIL() << "before\n" << to_text(before) << "after\n" << to_text(p);
  }
}

/// A sample on a graph, with numbers for it and for the cotangents of its real outputs.
struct passed_sample {
  const ir::program& traced;
  ir::program canonical;
  pipeline::request asked;  // all gradients
  const graph& on;
  environment env;
};
template <class Check> void for_each_case(Check check) {
  const std::vector<test::family> families = test::families();
  test::for_each_traced([&](const test::traced_sample& sample) {
    if (testing::Test::HasFailure()) return;
    const ir::program p = pipeline::canonical(sample.program);
    const pipeline::request asked = pipeline::asked_of(p, real_outputs(p), pass::trainable_inputs(p));
    const ir::program joint = pass::autodiff(p, asked.provided, pass::trainable_inputs(p)).program;
    for (const test::family& f : families) {
      SCOPED_TRACE(std::string(sample.name) + " on " + f.name);
      check(passed_sample{sample.program, p, asked, f.graph, test::random_inputs(joint, f.graph, 1)});
      if (testing::Test::HasFailure()) return;
    }
  });
}

TEST(passes, keep_the_rules_and_the_numbers_of_what_is_called_plainly) {
  for_each_case([](const passed_sample& c) {
    ir::program p = c.traced;
    run_through<pipeline::canonical_passes>(p, c.asked, c.on, c.env);
    EXPECT_TRUE(p == c.canonical);
    run_through<pipeline::inference_passes>(p, c.asked, c.on, c.env);
  });
}

TEST(passes, are_done_after_one_run) {
  test::for_each_traced([&](const test::traced_sample& sample) {
    SCOPED_TRACE(sample.name);
    const ir::program p = pass::cse(sample.program);
    EXPECT_TRUE(pass::cse(p) == p);
    const ir::program folded = pass::fold(p);
    EXPECT_TRUE(pass::fold(folded) == folded);
    const ir::program live = pass::dce(folded);
    EXPECT_TRUE(pass::dce(live) == live);
  });
}

/// What the gradient program reads, of what the forward program gave.
environment bound_for_gradient(const passed_sample& c, const ir::program& forward,
                               const sequence<pass::connection>& connections, const std::vector<array>& given) {
  environment bound = c.env;
  bound.inputs.clear();
  for (int k = 0; k < connections.size(); ++k) {
    const pass::connection& from = connections[k];
    array& to = bound.entries[k];
    if (from.kind == pass::connection_kind::saved) to = given[static_cast<std::size_t>(from.index)];
    if (from.kind == pass::connection_kind::input)
      to = c.env.inputs.at(std::string(forward.inputs[from.index].name.view()));
    if (from.kind == pass::connection_kind::cotangent) {
      EXPECT_EQ(from.index, c.asked.provided[k]) << "cotangents come first";
      to = c.env.inputs.at("d(output " + std::to_string(from.index) + ")");
    }
  }
  return bound;
}

TEST(passes, keep_the_rules_and_the_numbers_of_training) {
  for_each_case([](const passed_sample& c) {
    ir::program joint = c.canonical;
    run_through<pipeline::joint_passes>(joint, c.asked, c.on, c.env);
    if (testing::Test::HasFailure()) return;
    std::vector<array> magnitudes;
    const std::vector<array> expected = oracle::interpret(joint, c.on, c.env, &magnitudes);

    pipeline::request asked = c.asked;
    const ir::flags saved = pass::saved_values(joint, asked.outputs, asked.inputs, false, asked.choices);
    asked.saved = saved.first;
    ir::program forward = joint, gradient = joint;
    run_through<pipeline::forward_passes>(forward, asked, c.on, c.env);
    std::vector<array> actual = oracle::interpret(forward, c.on, c.env);
    const environment bound = bound_for_gradient(
        c, forward, pass::connections_of(joint, asked.outputs, asked.provided, asked.inputs, saved.first), actual);
    run_through<pipeline::gradient_passes>(gradient, asked, c.on, bound);
    if (testing::Test::HasFailure()) return;
    actual.resize(static_cast<std::size_t>(asked.outputs));
    for (array& a : oracle::interpret(gradient, c.on, bound)) actual.push_back(std::move(a));
    expect_near(actual, expected, magnitudes);
  });
}

/// Whether a dense product makes a value or reads it, so that it is in memory whatever the gradient needs.
bool meets_product(const ir::program& p, ir::value_id at) {
  const auto is_product = [](const ir::statement& s) { return op::info_of(s.code).kind == op::category::dense; };
  bool meets = is_product(p[at]);
  for (const ir::statement& s : p.statements)
    for (int k = 0; k < s.arity(); ++k) meets = meets || (is_product(s) && s.operands[k] == at);
  return meets;
}

TEST(split, saves_nothing_per_edge_but_rows_of_products) {
  test::for_each_traced([&](const test::traced_sample& sample) {
    SCOPED_TRACE(sample.name);
    const ir::program p = pipeline::canonical(sample.program);
    const ir::program forward = pipeline::differentiated(p, real_outputs(p), pass::trainable_inputs(p)).forward;
    for (int k = p.outputs.size(); k < forward.outputs.size(); ++k)
      EXPECT_TRUE(forward[forward.outputs[k].at].where != ir::space::edge ||
                  meets_product(forward, forward.outputs[k].at))
          << to_text(forward);
  });
}

/// Every input fixed by itself, and all of them.
std::vector<std::vector<int>> what_to_fix(const ir::program& p) {
  std::vector<std::vector<int>> all;
  std::vector<int> every;
  for (int i = 0; i < p.inputs.size(); ++i) {
    all.push_back({i});
    every.push_back(i);
  }
  all.push_back(every);
  return all;
}

TEST(hoist, prologue_and_rest_together_compute_what_the_program_does) {
  int kept = 0;
  for_each_case([&](const passed_sample& c) {
    const auto& [p, g, env] = std::tie(c.canonical, c.on, c.env);
    std::vector<array> magnitudes;
    const std::vector<array> expected = oracle::interpret(p, g, env, &magnitudes);
    for (const std::vector<int>& entries : what_to_fix(p)) {
      const pass::hoisted h = pass::hoist(pass::dce(pass::aggregate_first(pass::dce(p), entries)), entries);
      ASSERT_EQ(pass::verify(h.prologue), pass::finding()) << to_text(h.prologue);
      ASSERT_EQ(pass::verify(h.rest), pass::finding()) << to_text(h.rest);
      environment only_fixed = env;  // what is not fixed must not be asked for
      for (int i = 0; i < p.inputs.size(); ++i)
        if (std::find(entries.begin(), entries.end(), i) == entries.end())
          only_fixed.inputs.erase(std::string(p.inputs[static_cast<std::size_t>(i)].name.view()));
      const std::vector<array> values = oracle::interpret(h.prologue, g, only_fixed);
      ASSERT_EQ(h.rest.inputs.size(), p.inputs.size() + values.size());
      environment bound = env;
      for (std::size_t k = 0; k < values.size(); ++k) {
        EXPECT_NE(h.prologue[h.prologue.outputs[k].at].where, ir::space::edge) << to_text(h.prologue);
        bound.inputs[std::string(h.rest.inputs[p.inputs.size() + k].name.view())] = values[k];
      }
      kept += static_cast<int>(values.size());
      const std::vector<array> actual = oracle::interpret(h.rest, g, bound);
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k)
        ASSERT_TRUE(test::is_near(actual[k], expected[k], magnitudes[k], tolerance)) << "output " << k << "\nprologue\n"
                                                                                     << to_text(h.prologue) << "rest\n"
                                                                                     << to_text(h.rest);
    }
  });
  EXPECT_GT(kept, 1000);
}

TEST(inference, keeps_what_dropout_would_drop) {
  const ir::program p = trace(samples::random_masks);
  const ir::program plain = pass::fold(pass::cse(pass::inference(p)));
  EXPECT_EQ(pass::verify(plain), pass::finding());
  for (const ir::statement& s : plain.statements) {
    EXPECT_NE(s.code, ir::opcode::keep_mask);
    EXPECT_FALSE(s.code == ir::opcode::mul && plain.operand(s, 1).code == ir::opcode::constant);
  }
  const graph g = test::mixed();
  const environment env = test::random_inputs(p, g, 1);
  EXPECT_EQ(oracle::interpret(plain, g, env)[2], env.inputs.at("h"));
}

}  // namespace
}  // namespace stg
