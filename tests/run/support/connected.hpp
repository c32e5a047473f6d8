// A program and its gradient by stg::differentiate: run one after the other by the oracle, and what must hold of them.
#pragma once

#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/differentiate.hpp>        // program_with_gradient

#include <gtest/gtest.h>  // ASSERT_EQ

#include <string>  // string
#include <vector>  // vector

namespace stg::test {

using arrays = std::vector<oracle::array>;

/// Runs forward, then the gradient with what the connections say.
inline arrays run_connected(const program_with_gradient& d, const graph& g, const oracle::environment& env,
                            const arrays& cotangents) {
  const arrays forward = oracle::interpret(d.forward, g, env);
  oracle::environment read = env;
  read.inputs.clear();
  std::size_t nth = 0;
  for (int e = 0; e < d.inputs.size(); ++e) {
    const gradient_input& in = d.inputs[e];
    if (in.is_cotangent) read.entries[e] = cotangents[nth++];
    else if (in.output >= 0) read.entries[e] = forward[static_cast<std::size_t>(in.output)];
    else read.entries[e] = env.inputs.at(std::string(d.forward.inputs[d.forward[in.value].entry()].name.view()));
  }
  arrays all(forward.begin(), forward.begin() + d.results);
  for (const oracle::array& a : oracle::interpret(d.gradient, g, read)) all.push_back(a);
  return all;
}

inline void expect_connected(const program_with_gradient& d, const ir::program& p, const sequence<int>& provided) {
  ASSERT_EQ(d.inputs.size(), d.gradient.inputs.size());
  ASSERT_EQ(d.gradient.outputs.size(), d.required.size());
  for (int k = 0; k < d.inputs.size(); ++k) {
    const gradient_input& in = d.inputs[k];
    ASSERT_EQ(in.is_cotangent, k < provided.size());
    const bool is_output = in.output >= 0 && d.forward.outputs[in.output].at == in.value;
    const bool is_input = in.output < 0 && d.forward[in.value].code == ir::opcode::input;
    ASSERT_TRUE(is_output || (is_input && !in.is_cotangent));
    ASSERT_TRUE(!in.is_cotangent || in.output == provided[k]);
  }
  for (const ir::statement& s : d.gradient.statements) {
    if (s.code != ir::opcode::input) continue;
    const ir::statement& from = d.forward[d.inputs[s.entry()].value];
    ASSERT_TRUE(s.where == from.where && s.type == from.type && s.dims == from.dims && s.over == from.over);
  }
  for (ir::value_id i = 0; i < p.size(); ++i) {
    ir::statement s = d.forward[i];
    if (ir::is_scan(s.code)) s.set_callee(p[i].callee());  // which collects more
    ASSERT_TRUE(s.computes_same(p[i])) << "statement " << i;
  }
  for (int k = 0; k < p.outputs.size(); ++k) ASSERT_EQ(d.forward.outputs[k], p.outputs[k]);
}

}  // namespace stg::test
