// Every pass leaves a program that keeps the rules and computes what it computed before, on graphs of every kind.
#include "support/families.hpp"        // families
#include "support/inputs.hpp"          // random_inputs
#include "support/near.hpp"            // is_near
#include "support/samples.hpp"         // random_masks
#include "support/traced_samples.hpp"  // for_each_traced

#include <stg/ir/print.hpp>              // to_text
#include <stg/analysis/verify.hpp>       // verify
#include <stg/pass/aggregate_first.hpp>  // aggregate_first
#include <stg/pass/algebra.hpp>          // algebra
#include <stg/pass/autodiff.hpp>         // autodiff
#include <stg/pass/cse.hpp>              // cse
#include <stg/pass/dce.hpp>              // dce
#include <stg/pass/factor.hpp>           // factor, factor_ahead
#include <stg/pass/fold.hpp>             // fold
#include <stg/pass/hoist.hpp>            // hoist
#include <stg/pass/inference.hpp>        // inference
#include <stg/pass/pack.hpp>             // pack
#include <stg/pass/save.hpp>             // split
#include <stg/pass/sink.hpp>             // sink

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // find

namespace stg {
namespace {

using oracle::array;
using oracle::environment;

constexpr double tolerance = 1e-12;

std::vector<int> real_outputs(const ir::program& p) {
  std::vector<int> provided;
  for (int k = 0; k < p.outputs.size(); ++k)
    if (is_real(p[p.outputs[k].at].type)) provided.push_back(static_cast<int>(k));
  return provided;
}

/// Of a joint program, or what became of it.
struct named_pass {
  const char* name;
  ir::program (*run)(const ir::program&, const pass::joint_program&);
};
template <ir::program (*Pass)(const ir::program&)>
ir::program plainly(const ir::program& p, const pass::joint_program&) {
  return Pass(p);
}
template <ir::program (*Pass)(const ir::program&, const pass::choices&)>
ir::program by_numbers(const ir::program& p, const pass::joint_program&) {
  return Pass(p, pass::choices());
}
ir::program factor_ahead(const ir::program& p, const pass::joint_program& joint) {
  return pass::factor_ahead(p, joint.forward_outputs, static_cast<int>(p.inputs.size() - joint.cotangents.size()));
}
constexpr named_pass passes[] = {
    {"fold", plainly<pass::fold>},     {"cse", plainly<pass::cse>},          {"algebra", plainly<pass::algebra>},
    {"factor_ahead", factor_ahead},    {"fold again", plainly<pass::fold>},  {"cse again", plainly<pass::cse>},
    {"dce", plainly<pass::dce>},       {"factor", by_numbers<pass::factor>}, {"sink", by_numbers<pass::sink>},
    {"dce again", plainly<pass::dce>}, {"pack", by_numbers<pass::pack>}};

/// A sample with its gradient, what both compute on one graph, and every pass applied after the other.
template <class Compare> void for_each_case(Compare compare) {
  const std::vector<test::family> families = test::families();
  test::for_each_traced([&](const test::traced_sample& sample) {
    const ir::program p = pass::cse(sample.program);
    const pass::joint_program joint = pass::autodiff(p, real_outputs(p), pass::trainable_inputs(p));
    for (const test::family& f : families) {
      SCOPED_TRACE(std::string(sample.name) + " on " + f.name);
      compare(p, joint, f.graph, test::random_inputs(joint.program, f.graph, 1));
      if (testing::Test::HasFailure()) return;
    }
  });
}

TEST(passes, keep_the_rules_and_the_numbers) {
  for_each_case([](const ir::program&, const pass::joint_program& joint, const graph& g, const environment& env) {
    std::vector<array> magnitudes;
    const std::vector<array> expected = oracle::interpret(joint.program, g, env, &magnitudes);
    ir::program q = joint.program;
    for (const named_pass& pass : passes) {
      const ir::program before = q;
      q = pass.run(q, joint);
      ASSERT_EQ(pass::verify(q), pass::finding()) << pass.name << "\n" << to_text(q);
      const std::vector<array> actual = oracle::interpret(q, g, env);
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k)
        ASSERT_TRUE(test::is_near(actual[k], expected[k], magnitudes[k], tolerance))
            << pass.name << ", output " << k << "\nbefore\n"
            << to_text(before) << "after\n"
            << to_text(q);
    }
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

TEST(split, forward_and_gradient_together_compute_what_the_joint_program_does) {
  for_each_case([](const ir::program& p, const pass::joint_program& joint, const graph& g, const environment& env) {
    std::vector<array> magnitudes;
    const std::vector<array> expected = oracle::interpret(joint.program, g, env, &magnitudes);
    ir::program shared = joint.program;
    for (const named_pass& pass : passes) shared = pass.run(shared, joint);
    const pass::differentiated d = pass::split(shared, joint.forward_outputs, real_outputs(p), p.inputs.size());
    ASSERT_EQ(pass::verify(d.forward), pass::finding()) << to_text(d.forward);
    ASSERT_EQ(pass::verify(d.gradient), pass::finding()) << to_text(d.gradient);
    ASSERT_EQ(d.results, joint.forward_outputs);
    ASSERT_EQ(d.gradient.inputs.size(), d.connections.size());

    const std::vector<array> forward = oracle::interpret(d.forward, g, env);
    environment bound = env;
    bound.inputs.clear();
    for (int c = 0; c < d.connections.size(); ++c) {
      const pass::connection& from = d.connections[c];
      const auto name = [&](const ir::input& in) { return std::string(in.name.view()); };
      array& to = bound.entries[static_cast<int>(c)];
      if (from.kind == pass::connection_kind::saved) to = forward[static_cast<std::size_t>(from.index)];
      if (from.kind == pass::connection_kind::input)
        to = env.inputs.at(name(d.forward.inputs[static_cast<std::size_t>(from.index)]));
      if (from.kind == pass::connection_kind::cotangent) {
        ASSERT_LT(c, real_outputs(p).size()) << "cotangents come first";
        EXPECT_EQ(from.index, real_outputs(p)[c]);
        to = env.inputs.at("d(output " + std::to_string(from.index) + ")");
      }
    }
    std::vector<array> actual = forward;
    actual.resize(static_cast<std::size_t>(d.results));
    for (array& a : oracle::interpret(d.gradient, g, bound)) actual.push_back(std::move(a));
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_TRUE(test::is_near(actual[k], expected[k], magnitudes[k], tolerance)) << "output " << k << "\nforward\n"
                                                                                   << to_text(d.forward) << "gradient\n"
                                                                                   << to_text(d.gradient);
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
    const ir::program p = pass::cse(sample.program);
    const pass::joint_program joint = pass::autodiff(p, real_outputs(p), pass::trainable_inputs(p));
    ir::program shared = joint.program;
    for (const named_pass& pass : passes) shared = pass.run(shared, joint);
    const pass::differentiated d = pass::split(shared, p.outputs.size(), real_outputs(p), p.inputs.size());
    for (int k = p.outputs.size(); k < d.forward.outputs.size(); ++k)
      EXPECT_TRUE(d.forward[d.forward.outputs[k].at].where != ir::space::edge ||
                  meets_product(d.forward, d.forward.outputs[k].at))
          << to_text(d.forward);
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
  for_each_case([&](const ir::program& p, const pass::joint_program&, const graph& g, const environment& env) {
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
