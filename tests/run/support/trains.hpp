// Programs, interpreted, that are trained from what `initialize` gives their parameters.
#pragma once

#include "differences.hpp"  // real_outputs, name_of_input
#include "inputs.hpp"       // random_inputs, count_of

#include <stg/call/parameter_shape.hpp>  // parameter_shape
#include <stg/runtime/initialize.hpp>    // begin

#include <gtest/gtest.h>  // EXPECT_LT

#include <algorithm>  // any_of
#include <cmath>      // isfinite, pow, sqrt
#include <random>     // mt19937
#include <string>     // string
#include <vector>     // vector

namespace stg::test {

/// Trains a program's parameters to give random numbers: the loss falls, every gradient is finite, and none begins as 0
/// everywhere, which no optimiser would take a parameter away from.
inline void expect_trains(const ir::program& p, const graph& g) {
  sequence<ir::value_id> parameters;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && p[i].where == ir::space::graph && p.inputs[p[i].entry()].trainable)
      parameters.push_back(i);
  if (parameters.empty()) return;

  oracle::environment env = random_inputs(p, g, 7);
  std::vector<oracle::array*> values;
  for (int k = 0; k < parameters.size(); ++k) {
    const ir::statement& s = p[parameters[k]];
    tensor<double> t(detail::parameter_shape(s, p.extents.begin(), {}));
    detail::begin(t, {p.inputs[s.entry()].begins, s.dims.rank}, name_of_input(p, parameters[k]),
                  static_cast<std::uint64_t>(100 + k));
    values.push_back(&env.inputs.at(name_of_input(p, parameters[k])));
    values.back()->assign(t.begin(), t.end());
  }

  const std::vector<int> outputs = real_outputs(p);
  const pass::joint_program joint = pass::autodiff(p, outputs, parameters);
  std::mt19937 random(5);
  std::vector<oracle::array> targets;
  for (const int k : outputs) targets.push_back(random_array(random, count_of(p, p[p.outputs[k].at], g)));

  std::vector<oracle::array> first(values.size()), second(values.size());
  double begun = 0, loss = 0;
  for (int step = 1; step <= 40; ++step) {
    const std::vector<oracle::array> now = oracle::interpret(p, g, env);
    loss = 0;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      oracle::array slope = now[static_cast<std::size_t>(outputs[k])];
      for (std::size_t i = 0; i < slope.size(); ++i) {
        slope[i] -= targets[k][i];
        loss += slope[i] * slope[i] / 2;
      }
      env.inputs[name_of_input(joint.program, joint.cotangents[static_cast<int>(k)])] = slope;
    }
    if (step == 1) begun = loss;
    const std::vector<oracle::array> all = oracle::interpret(joint.program, g, env);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const oracle::array& slope = all[static_cast<std::size_t>(joint.forward_outputs) + k];
      const std::string name = name_of_input(p, parameters[static_cast<int>(k)]);
      for (const double s : slope) ASSERT_TRUE(std::isfinite(s)) << name << ", step " << step;
      const bool learns = std::any_of(slope.begin(), slope.end(), [](double s) { return s != 0; });
      EXPECT_TRUE(learns || step > 1) << name << " never learns";
      first[k].resize(slope.size());
      second[k].resize(slope.size());
      for (std::size_t i = 0; i < slope.size(); ++i) {  // Adam
        first[k][i] = 0.9 * first[k][i] + 0.1 * slope[i];
        second[k][i] = 0.999 * second[k][i] + 0.001 * slope[i] * slope[i];
        (*values[k])[i] -= 0.02 * first[k][i] / (1 - std::pow(0.9, step)) /
                           (std::sqrt(second[k][i] / (1 - std::pow(0.999, step))) + 1e-8);
      }
    }
  }
  EXPECT_LT(loss, begun);
}

}  // namespace stg::test
