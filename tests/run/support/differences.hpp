// Gradients of a program, interpreted, against central differences of the program itself.
#pragma once

#include "inputs.hpp"  // random_array, count_of

#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/ir/print.hpp>             // to_text
#include <stg/analysis/users.hpp>       // reachable
#include <stg/analysis/verify.hpp>      // verify
#include <stg/pass/autodiff.hpp>        // autodiff

#include <gtest/gtest.h>  // EXPECT_NEAR

#include <optional>  // optional
#include <random>    // mt19937
#include <set>       // set
#include <string>    // string
#include <vector>    // vector

namespace stg::test {

inline constexpr double step = 1e-6, absolute = 1e-5, relative = 1e-3;

/// Σ over the provided outputs of ⟨cotangent, output⟩.
inline double objective(const ir::program& p, const graph& g, const oracle::environment& env,
                        const std::vector<int>& provided, const std::vector<oracle::array>& cotangents) {
  const std::vector<oracle::array> outputs = oracle::interpret(p, g, env);
  double sum = 0;
  for (std::size_t k = 0; k < provided.size(); ++k)
    for (std::size_t i = 0; i < cotangents[k].size(); ++i)
      sum += cotangents[k][i] * outputs[static_cast<std::size_t>(provided[k])][i];
  return sum;
}

/// Values on a path from a real input to a provided output along which gradients flow.
inline void add_differentiated(const ir::program& p, const std::vector<int>& provided,
                               const sequence<ir::value_id>& required, std::set<ir::opcode>& covered) {
  ir::program q = p;
  q.outputs.clear();
  q.checks.clear();
  for (const int k : provided) q.outputs.push_back(p.outputs[static_cast<std::size_t>(k)]);
  const ir::flags used = pass::reachable(q);
  const ir::flags wanted = pass::depends_on(p, required);
  for (int i = 0; i < used.size(); ++i)
    if (used[i] && wanted[i]) covered.insert(p.statements[i].code);
}

inline std::string name_of_input(const ir::program& p, ir::value_id at) {
  return std::string(p.inputs[p[at].entry()].name.view());
}

/// Checks the gradients of the provided outputs for every real input; an input without a gradient must not matter.
/// Returns the program of outputs and gradients, to be differentiated again.
inline std::optional<ir::program> check_gradients(const ir::program& p, const graph& g, const oracle::environment& env,
                                                  const std::vector<int>& provided, std::set<ir::opcode>& covered) {
  sequence<ir::value_id> required, without;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    if (p[i].code != ir::opcode::input || !is_real(p[i].type)) continue;
    try {
      pass::autodiff(p, provided, {i});
      required.push_back(i);
    } catch (const pass::input_has_no_gradient&) {
      without.push_back(i);
    }
  }
  if (required.empty()) return std::nullopt;
  const pass::joint_program joint = pass::autodiff(p, provided, required);
  EXPECT_EQ(pass::verify(joint.program), pass::finding()) << to_text(joint.program);
  EXPECT_EQ(joint.program.outputs.size(), p.outputs.size() + required.size());
  add_differentiated(p, provided, required, covered);

  std::mt19937 random(11);
  std::vector<oracle::array> cotangents;
  oracle::environment bound = env;
  for (std::size_t k = 0; k < provided.size(); ++k) {
    cotangents.push_back(random_array(random, count_of(joint.program, joint.program[joint.cotangents[k]], g)));
    bound.inputs[name_of_input(joint.program, joint.cotangents[k])] = cotangents.back();
  }
  std::vector<oracle::array> gradients = oracle::interpret(joint.program, g, bound);
  gradients.erase(gradients.begin(), gradients.begin() + joint.forward_outputs);

  auto difference = [&](const std::string& name, std::size_t at) {
    oracle::environment moved = env;
    moved.inputs[name][at] += step;
    const double above = objective(p, g, moved, provided, cotangents);
    moved.inputs[name][at] -= 2 * step;
    return (above - objective(p, g, moved, provided, cotangents)) / (2 * step);
  };
  for (int k = 0; k < required.size(); ++k) {
    const std::string name = name_of_input(p, required[k]);
    EXPECT_EQ(gradients[k].size(), env.inputs.at(name).size()) << name;
    for (std::size_t i = 0; i < gradients[k].size(); ++i) {
      const double expected = difference(name, i);
      EXPECT_NEAR(gradients[k][i], expected, absolute + relative * std::abs(expected))
          << "d " << name << "[" << i << "]";
    }
  }
  for (const ir::value_id at : without)
    for (std::size_t i = 0; i < env.inputs.at(name_of_input(p, at)).size(); ++i)
      EXPECT_NEAR(difference(name_of_input(p, at), i), 0, absolute) << name_of_input(p, at) << " has no gradient";
  return joint.program;
}

inline std::vector<int> real_outputs(const ir::program& p, std::size_t from = 0) {
  std::vector<int> provided;
  for (int k = from; k < p.outputs.size(); ++k)
    if (is_real(p[p.outputs[k].at].type)) provided.push_back(static_cast<int>(k));
  return provided;
}

}  // namespace stg::test
