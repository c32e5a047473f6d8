// Programs of scans and calls in every form in which they can be called, against the oracle: plainly, as a training
// step, with checkpoints; interpreted and as drafts.
#pragma once

#include "choices.hpp"        // choices
#include "drafted_calls.hpp"  // run_drafted, run_halves, run_with_checkpoints
#include "random_scans.hpp"   // scanned

#include "../run/support/near.hpp"      // is_near, are_finite
#include "../run/support/verified.hpp"  // canonical, inferred, differentiated

#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/ir/print.hpp>             // to_text
#include <stg/pass/inference.hpp>       // inference
#include <stg/runtime/call_graph.hpp>   // call_graph

#include <gtest/gtest.h>  // ASSERT_TRUE

#include <cstdint>  // int64_t
#include <string>   // string
#include <vector>   // vector

namespace stg::test {

using arrays = std::vector<oracle::array>;

inline void expect_near(const arrays& found, const arrays& expected, const arrays& magnitudes, const std::string& form,
                        const ir::program& p) {
  ASSERT_EQ(found.size(), expected.size()) << form;
  for (std::size_t k = 0; k < expected.size(); ++k)
    ASSERT_TRUE(is_near(found[k], expected[k], magnitudes[k], 1e-9)) << form << ", output " << k << "\n"
                                                                     << ir::to_text(p);
}

/// Which forms a program was looked at in: a form whose numbers are not finite says nothing.
struct forms_tried {
  bool canonical = false, training = false, checkpoints = false;
};

/// steps: of the scans that keep their states at some of them alone; none where there are not two.
inline forms_tried check_forms(const scanned& s, const call_graph& on, std::int64_t steps, choices& c) {
  forms_tried tried;
  const graph& g = on.outside();
  const ir::program p = verified::canonical(s.program);
  arrays magnitudes;
  const arrays expected = oracle::interpret(p, g, s.env, &magnitudes);
  if (!are_finite(expected) || !are_finite(magnitudes)) return tried;
  tried.canonical = true;
  const ir::program masked = pipeline::with_steps(p, [](const ir::program& x) { return pass::inference(x); });
  arrays plain_magnitudes;
  const arrays plain = oracle::interpret(masked, g, s.env, &plain_magnitudes);
  if (!are_finite(plain)) return tried;
  const ir::program inferred = verified::inferred(p);
  expect_near(oracle::interpret(inferred, g, s.env), plain, plain_magnitudes, "inferred", p);
  const drafts::batch_limits few{1 + c.below(4), 1 + c.below(4)};
  expect_near(run_drafted(inferred, g, s.env, few, on.steps()), plain, plain_magnitudes, "as a draft", p);

  const differentiable_part part = differentiable_part_of(p);
  if (part.outputs.empty() || part.inputs.empty()) return tried;
  sequence<int> provided;
  for (const int k : part.outputs) provided.push_back(k);
  const pass::joint_program joint = verified::autodiff(p, provided, part.inputs);
  oracle::environment bound = s.env;
  arrays cotangents;
  for (int nth = 0; nth < provided.size(); ++nth) {
    oracle::array numbers;
    for (std::size_t n = expected[static_cast<std::size_t>(provided[nth])].size(); n > 0; --n)
      numbers.push_back(0.1 * (1 + c.below(9)) * (c.one_in(2) ? 1 : -1));
    bound.entries[joint.program[joint.cotangents[nth]].entry()] = numbers;
    cotangents.push_back(numbers);
  }
  arrays all_magnitudes;
  const arrays all = oracle::interpret(joint.program, g, bound, &all_magnitudes);
  if (!are_finite(all) || !are_finite(all_magnitudes)) return tried;
  tried.training = true;
  const pass::differentiated d = verified::differentiated(p, provided, part.inputs);
  const auto interpreted = [&](const ir::program& x, const oracle::environment& env) {
    return oracle::interpret(x, g, env);
  };
  const auto drafted = [&](const ir::program& x, const oracle::environment& env) {
    return run_drafted(x, g, env, few, on.steps());
  };
  expect_near(run_halves(d, s.env, cotangents, interpreted), all, all_magnitudes, "in training", p);
  expect_near(run_halves(d, s.env, cotangents, drafted), all, all_magnitudes, "in training as a draft", p);
  if (steps < 2) return tried;
  tried.checkpoints = true;
  const std::int64_t every = 1 + c.below(static_cast<int>(steps) - 1);
  const oracle::environment read = read_by_gradient(d, s.env, cotangents, oracle::interpret(d.forward, g, s.env));
  expect_near(run_with_checkpoints(d, g, s.env, read, every, few, on.steps()), all, all_magnitudes,
              "with checkpoints every " + std::to_string(every) + " steps", p);
  return tried;
}

}  // namespace stg::test
