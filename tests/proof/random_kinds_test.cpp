// Random programs over two vertex sets and three relations: what passes, plans, units and drafts make of them computes
// what was written, and the gradient is that of the program as it was written. STG_SEED chooses others, STG_KINDS how
// many.
#include "../run/support/near.hpp"          // is_near
#include "../run/support/through_text.hpp"  // goes_through_text
#include "../run/support/verified.hpp"      // canonical, inferred, differentiated
#include "drafted_calls.hpp"                // run_drafted
#include "for_random_programs.hpp"          // for_random_seeds
#include "planned_calls.hpp"                // run_planned
#include "random_kinds.hpp"                 // kinds_writer, random_graphs, random_numbers

#include <stg/ir/print.hpp>             // to_text
#include <stg/analysis/dependence.hpp>  // reached_from
#include <stg/pipeline.hpp>             // planned
#include <stg/runtime/graphs.hpp>       // graphs

#include <gtest/gtest.h>  // TEST

#include <cstdint>  // uint64_t
#include <string>   // string
#include <vector>   // vector

namespace stg::test::random_kinds {
namespace {

using arrays = std::vector<oracle::array>;

sequence<ir::value_id> inputs_named(const ir::program& p, const std::vector<std::string>& names) {
  sequence<ir::value_id> found;
  for (const std::string& name : names)
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (p[i].code == ir::opcode::input && p.inputs[p[i].entry()].name.view() == name) found.push_back(i);
  return found;
}

void expect_same(const arrays& found, const arrays& expected, const arrays& magnitudes, const char* form) {
  ASSERT_EQ(found.size(), expected.size()) << form;
  for (std::size_t k = 0; k < expected.size(); ++k)
    ASSERT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-10)) << form << ", output " << k;
}

void check(std::uint64_t seed) {
  choices c(seed);
  const graphs on = random_graphs(c);
  const graph& g = on;
  const ir::program p = kinds_writer(c).run();
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_text(p));
  const oracle::environment env = random_inputs(p, g, c);
  plan_settings settings;
  settings.chunk_edges = 1 + c.below(4);
  settings.block_rows = 1 + c.below(4);
  const drafts::batch_limits few{1 + c.below(4), 1 + c.below(4)};

  const ir::program canonical = verified::canonical(p);
  arrays magnitudes;
  const arrays expected = oracle::interpret(p, g, env, &magnitudes);
  const ir::program plain = verified::inferred(canonical);
  ASSERT_TRUE(goes_through_text(p));
  ASSERT_TRUE(goes_through_text(plain));
  expect_same(run_planned(plain, pipeline::planned(plain), g, env, settings), expected, magnitudes, "by plan");
  expect_same(run_drafted(plain, g, env, few), expected, magnitudes, "as a draft");

  sequence<int> provided;
  for (int k = 0; k < p.outputs.size(); ++k) provided.push_back(k);
  const ir::flags reached = pass::reached_from(p, provided);
  std::vector<std::string> names;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && reached[i]) names.emplace_back(p.inputs[p[i].entry()].name.view());
  if (names.empty()) return;
  const pass::joint_program joint = verified::autodiff(p, provided, inputs_named(p, names));
  oracle::environment bound = env;
  arrays cotangents;
  for (const ir::value_id d : joint.cotangents) {
    cotangents.push_back(random_numbers(c, numbers_of(joint.program, joint.program[d], g)));
    bound.inputs[std::string(joint.program.inputs[joint.program[d].entry()].name.view())] = cotangents.back();
  }
  const arrays gradients = oracle::interpret(joint.program, g, bound, &magnitudes);
  const pass::differentiated step = verified::differentiated(canonical, provided, inputs_named(canonical, names));
  ASSERT_TRUE(goes_through_text(step.gradient));
  expect_same(run_planned(step, pipeline::planned(step.forward), pipeline::planned(step.gradient), g, env, cotangents,
                          settings),
              gradients, magnitudes, "in training by plan");
  expect_same(run_drafted(step, g, env, cotangents, few), gradients, magnitudes, "in training as a draft");
}

TEST(random_kinds, compute_what_was_written) {
  for_random_seeds("STG_KINDS", 2000, [](std::uint64_t seed) { check(seed); });
}

}  // namespace
}  // namespace stg::test::random_kinds
