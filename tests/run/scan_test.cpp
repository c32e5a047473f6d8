// test: draft layers, proof kernels 0, counted
// Scans: every sample against the oracle and central differences, forward, gradient and the gradient's own gradient;
// the same after every pass; kernels as the oracle says.
#include "support/backend_check.hpp"  // check_sample
#include "support/differences.hpp"    // check_gradients
#include "support/scans.hpp"          // for_each_scan
#include "support/verified.hpp"       // canonical, inferred, differentiated

#include <gtest/gtest.h>  // TEST

#include <optional>  // optional
#include <set>       // set
#include <string>    // string
#include <vector>    // vector

namespace stg {
namespace {

/// What passes make of a program computes what it did, gradients too.
void check_passes(const std::string& name, const ir::program& traced, const graph& g) {
  SCOPED_TRACE(name);
  const ir::program p = test::verified::canonical(traced);
  oracle::environment env = test::random_inputs(p, g, 5);
  constexpr int before_hoisting = pipeline::count_of<pipeline::canonical_passes> - 2;  // and split_steps
  const ir::program in_steps = pipeline::run<pipeline::canonical_passes>(traced, {}, 0, before_hoisting);
  const std::vector<oracle::array> expected = oracle::interpret(p, g, env),
                                   not_hoisted = oracle::interpret(in_steps, g, env);
  for (std::size_t k = 0; k < expected.size(); ++k)
    test::expect_same(expected[k], not_hoisted[k], 1e-12, "output " + std::to_string(k) + " with all in its steps");
  const ir::program plain = test::verified::inferred(p);
  const ir::program without_masks = pipeline::with_steps(p, [](const ir::program& q) { return pass::inference(q); });
  const std::vector<oracle::array> inferred = oracle::interpret(without_masks, g, env),
                                   found = oracle::interpret(plain, g, env);
  for (std::size_t k = 0; k < found.size(); ++k)
    test::expect_same(found[k], inferred[k], 1e-12, "inferred output " + std::to_string(k));

  const sequence<ir::value_id> required = pass::trainable_inputs(p);
  const std::vector<int> real = test::real_outputs(p);
  const pass::joint_program joint = test::verified::autodiff(p, real, required);
  const pass::differentiated d = test::verified::differentiated(p, real, required);
  std::mt19937 random(11);
  oracle::environment bound = env;
  for (const ir::value_id c : joint.cotangents)
    bound.inputs[test::name_of_input(joint.program, c)] =
        test::random_array(random, test::count_of(joint.program, joint.program[c], g));
  std::vector<oracle::array> at_once = oracle::interpret(joint.program, g, bound);
  const std::vector<oracle::array> forward = oracle::interpret(d.forward, g, env);
  for (std::size_t k = 0; k < expected.size(); ++k)
    test::expect_same(forward[k], expected[k], 1e-12, "output " + std::to_string(k) + " in training");
  oracle::environment saved = env;
  saved.inputs.clear();
  for (int e = 0; e < d.connections.size(); ++e) {
    const pass::connection& c = d.connections[e];
    const int position = static_cast<int>(std::find(real.begin(), real.end(), c.index) - real.begin());
    if (c.kind == pass::connection_kind::saved) saved.entries[e] = forward[static_cast<std::size_t>(c.index)];
    else if (c.kind == pass::connection_kind::input)
      saved.entries[e] = env.inputs.at(std::string(p.inputs[c.index].name.view()));
    else saved.entries[e] = bound.inputs.at(test::name_of_input(joint.program, joint.cotangents[position]));
  }
  const std::vector<oracle::array> gradients = oracle::interpret(d.gradient, g, saved);
  for (int k = 0; k < required.size(); ++k)
    test::expect_same(gradients[static_cast<std::size_t>(k)],
                      at_once[static_cast<std::size_t>(joint.forward_outputs + k)], 1e-10,
                      "gradient of " + test::name_of_input(p, required[k]));
}

TEST(scan, computes_the_same_after_every_pass) {
  const graph g = test::mixed();
  scans::for_each_scan([&]<const auto & Program>(const char* name) { check_passes(name, trace(Program), g); });
}

/// And those of its gradients: second derivatives.
TEST(scan, has_the_gradients_of_differences) {
  const graph g = test::mixed();
  std::set<ir::opcode> covered, of_gradients;
  scans::for_each_scan([&]<const auto & Program>(const char* name) {
    SCOPED_TRACE(name);
    const ir::program p = pipeline::canonical(trace(Program));
    const std::optional<ir::program> joint =
        test::check_gradients(p, g, test::random_inputs(p, g, 3), test::real_outputs(p), covered);
    ASSERT_TRUE(joint);
    const std::vector<int> gradients = test::real_outputs(*joint, p.outputs.size());
    test::check_gradients(*joint, g, test::random_inputs(*joint, g, 3), gradients, of_gradients);
  });
  EXPECT_TRUE(covered.contains(ir::opcode::scan));
  EXPECT_TRUE(of_gradients.contains(ir::opcode::scan));
}

/// Those whose steps have kernels of each kind; calls of all of them are compiled in the proof, and tests/draft/ runs
/// all as drafts from their programs.
template <class F> void for_each_compiled_scan(const F& f) {
#if defined(STG_PROOF)
  scans::for_each_scan(f);
#else
  f.template operator()<scans::recurrent>("recurrent");
  f.template operator()<scans::edges_and_graph>("edges_and_graph");
  f.template operator()<scans::nested>("nested");
  f.template operator()<scans::attentive>("attentive");
#endif
}

TEST(scan, runs_as_the_oracle_says) {
  for_each_compiled_scan([&]<const auto & Program>(const char* name) {
    for (const test::family& f : test::families()) {
      SCOPED_TRACE(name);
      test::check_sample<Program>(name, f.graph, f.name);
    }
  });
}

}  // namespace
}  // namespace stg
