// Every layer and loss, interpreted: its values against a dense reference, its gradients against central differences.
#include "support/differences.hpp"       // check_gradients
#include "support/families.hpp"          // from_pairs
#include "support/inputs.hpp"            // random_inputs
#include "support/layer_references.hpp"  // all
#include "support/layers.hpp"            // for_each_layer

#include <stg/gradient.hpp>        // gradient
#include <stg/pass/cse.hpp>        // cse
#include <stg/pass/inference.hpp>  // inference
#include <stg/pass/training.hpp>   // training

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // stable_sort
#include <set>        // set
#include <string>     // string
#include <utility>    // pair
#include <vector>     // vector

namespace stg {
namespace {

using oracle::array;

/// A hub (1), a loop (2), parallel edges (3 → 1 and 4 → 5), a vertex without in-edges (6) and an isolated one (0).
const references::pairs edges = {{2, 1}, {3, 1}, {4, 5}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1},
                                 {2, 2}, {1, 3}, {4, 5}, {1, 4}, {6, 7}, {7, 5}, {1, 2}, {5, 4}};
constexpr int vertices = 8;

const graph& small() {
  static const graph g = test::from_pairs(vertices, edges);
  return g;
}

references::given given_to(const oracle::environment& env) {
  references::given g{vertices, edges, env.inputs};
  std::stable_sort(g.edges.begin(), g.edges.end(), [](auto a, auto b) { return a.second < b.second; });
  return g;
}

void expect_equal(const std::vector<array>& actual, const std::vector<references::numbers>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < actual.size(); ++k) {
    ASSERT_EQ(actual[k].size(), expected[k].size()) << "output " << k;
    for (std::size_t i = 0; i < actual[k].size(); ++i)
      EXPECT_NEAR(actual[k][i], expected[k][i], 1e-10 * (1 + std::abs(expected[k][i])))
          << "output " << k << "[" << i << "]";
  }
}

/// Every layer's program by its name; as a list, so that no test is compiled once for each.
const std::vector<std::pair<std::string, ir::program>>& programs() {
  static const auto all = [] {
    std::vector<std::pair<std::string, ir::program>> list;
    layers::for_each_layer([&](auto layer) { list.emplace_back(layer.name, trace(layer.program)); });
    return list;
  }();
  return all;
}

TEST(layers, are_what_their_papers_say) {
  const auto references = references::all();
  for (const auto& [name, p] : programs()) {
    SCOPED_TRACE(name);
    ASSERT_EQ(pass::verify(p), pass::finding()) << to_text(p);
    ASSERT_TRUE(references.contains(name)) << "no reference";
    for (unsigned seed = 1; seed < 4; ++seed) {
      const oracle::environment env = test::random_inputs(p, small(), seed);
      expect_equal(oracle::interpret(p, small(), env), references.at(name)(given_to(env)));
    }
  }
  EXPECT_EQ(programs().size(), references.size()) << "a reference without a layer";
}

TEST(layers, have_the_gradients_of_their_values) {
  std::set<ir::opcode> covered;
  for (const auto& [name, traced] : programs()) {
    SCOPED_TRACE(name);
    const ir::program p = pass::cse(traced);
    test::check_gradients(p, small(), test::random_inputs(p, small(), 7), test::real_outputs(p), covered);
  }
}

TEST(layers, batch_norm_goes_by_the_batch_in_training_and_by_what_ran_before_else) {
  const ir::program p = trace(layers::batch_norm);
  const oracle::environment env = test::random_inputs(p, small(), 5);
  const references::given g = given_to(env);
  expect_equal(oracle::interpret(pass::training(p), small(), env), references::batch_norm(g, true));
  expect_equal(oracle::interpret(pass::inference(p), small(), env), references::batch_norm(g, false));
}

constexpr auto slopes = [](auto v) {
  auto y = training(v(layers::h) * v(layers::h), 3.0 * v(layers::h));
  return gradient(sum(sum(y, axis<0>), all_vertices), v(layers::h));
};

TEST(training, a_gradient_inside_a_lambda_is_that_of_what_is_computed) {
  const ir::program p = trace(slopes);
  const oracle::environment env = test::random_inputs(p, small(), 5);
  array doubled = env.inputs.at("h");
  for (double& h : doubled) h *= 2;
  expect_equal(oracle::interpret(p, small(), env), {doubled});
  expect_equal(oracle::interpret(pass::training(p), small(), env), {doubled});
  expect_equal(oracle::interpret(pass::inference(p), small(), env), {array(doubled.size(), 3.0)});
}

constexpr auto dropped_pagerank = [](auto v) { return nn::appnp(v, v(layers::x), 2, 0.1, 0.5); };
constexpr auto pagerank = [](auto v) { return nn::appnp(v, v(layers::x), 2, 0.1); };

TEST(layers, appnp_drops_edges_anew_in_every_step_and_none_in_inference) {
  const ir::program p = trace(dropped_pagerank);
  const oracle::environment env = test::random_inputs(p, small(), 3);
  expect_equal(oracle::interpret(pass::inference(p), small(), env), oracle::interpret(trace(pagerank), small(), env));
  std::set<std::int64_t> sites;
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::keep_mask) sites.insert(s.attribute);
  EXPECT_EQ(sites.size(), 2u);
}

}  // namespace
}  // namespace stg
