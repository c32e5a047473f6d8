// Every sample, and every scan, as a draft on every graph family, from its program rather than its lambda: values and
// gradients against the oracle. Calls of the same lambdas are compiled by the proof; here one compilation serves all.
#include "drafted_calls.hpp"           // run_drafted
#include "random_programs.hpp"         // all_families, differentiable_part_of
#include "support/inputs.hpp"          // random_array, random_inputs
#include "support/near.hpp"            // is_near
#include "support/scans.hpp"           // for_each_scan
#include "support/traced_samples.hpp"  // for_each_traced

#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/pass/autodiff.hpp>        // autodiff
#include <stg/pass/inference.hpp>       // inference
#include <stg/pipeline.hpp>             // canonical, differentiated, inferred, with_steps

#include <gtest/gtest.h>  // TEST

#include <cstddef>   // size_t
#include <iostream>  // cout
#include <random>    // mt19937
#include <string>    // string
#include <vector>    // vector

namespace stg::test {
namespace {

using arrays = std::vector<oracle::array>;

void expect_same(const arrays& found, const arrays& expected, const arrays& magnitudes, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-12)) << what << ", result " << k;
}

/// Cotangents of the real outputs, bound for the oracle and in the order in which a step takes them.
arrays drawn_cotangents(const pass::joint_program& joint, const graph& g, oracle::environment& bound) {
  std::mt19937 random(17);
  arrays drawn;
  for (const ir::value_id i : joint.cotangents) {
    const ir::statement& s = joint.program[i];
    drawn.push_back(random_array(random, count_of(joint.program, s, g)));
    bound.entries[s.entry()] = drawn.back();
  }
  return drawn;
}

void check(const ir::program& p, const graph& g, const std::string& what) {
  const drafts::batch_limits batches[] = {{}, {.rows = 3, .edges = 2}};
  const oracle::environment env = random_inputs(p, g, 5);
  arrays magnitudes;
  const ir::program without_masks = pipeline::with_steps(p, [](const ir::program& q) { return pass::inference(q); });
  const arrays expected = oracle::interpret(without_masks, g, env, &magnitudes);
  for (const drafts::batch_limits& most : batches)
    expect_same(run_drafted(pipeline::inferred(p), g, env, most), expected, magnitudes, what);

  const differentiable_part part = differentiable_part_of(p);
  if (part.inputs.empty()) return;
  sequence<int> provided;
  for (const int k : part.outputs) provided.push_back(k);
  const pass::joint_program joint = pass::autodiff(p, provided, part.inputs);
  oracle::environment bound = env;
  const arrays cotangents = drawn_cotangents(joint, g, bound);
  const arrays gradients = oracle::interpret(joint.program, g, bound, &magnitudes);
  const pass::differentiated step = pipeline::differentiated(p, provided, part.inputs);
  for (const drafts::batch_limits& most : batches)
    expect_same(run_drafted(step, g, env, cotangents, most), gradients, magnitudes, "in training, " + what);
}

TEST(drafts, of_samples_are_what_the_oracle_computes) {
  int checked = 0;
  for_each_traced([&](const traced_sample& s) {
    const ir::program p = pipeline::canonical(s.program);
    for (const family& f : all_families()) check(p, f.graph, std::string(s.name) + " on " + f.name), ++checked;
  });
  EXPECT_GT(checked, 0);
  std::cout << checked << " samples on graphs\n";
}

TEST(drafts, of_scans_are_what_the_oracle_computes) {
  scans::for_each_scan([&]<const auto & Program>(const char* name) {
    const ir::program p = pipeline::canonical(trace(Program));
    for (const family& f : all_families()) check(p, f.graph, std::string(name) + " on " + f.name);
  });
}

}  // namespace
}  // namespace stg::test
