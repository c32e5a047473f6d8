// test: draft layers, proof kernels 0, counted
// Every layer and loss, interpreted: its values against a dense reference, its gradients against central differences.
#include "support/inputs.hpp"            // random_inputs
#include "support/layer_references.hpp"  // all
#include "support/layers.hpp"            // for_each_layer
#include "support/reference_check.hpp"   // small_graph
#include "support/trains.hpp"            // expect_trains

#include <stg/gradient.hpp>        // gradient
#include <stg/pass/inference.hpp>  // inference
#include <stg/pass/training.hpp>   // training

#include <gtest/gtest.h>  // TEST

#include <set>  // set

namespace stg {
namespace {

using oracle::array;
using test::expect_equal;

/// A hub (1), a loop (2), parallel edges (3 → 1 and 4 → 5), a vertex without in-edges (6) and an isolated one (0).
const test::small_graph& small() {
  static const test::small_graph g(8, {{2, 1},
                                       {3, 1},
                                       {4, 5},
                                       {3, 1},
                                       {4, 1},
                                       {5, 1},
                                       {6, 1},
                                       {7, 1},
                                       {2, 2},
                                       {1, 3},
                                       {4, 5},
                                       {1, 4},
                                       {6, 7},
                                       {7, 5},
                                       {1, 2},
                                       {5, 4}});
  return g;
}

const test::named_programs& programs() {
  static const auto all = [] {
    test::named_programs list;
    layers::for_each_layer([&](auto layer) { list.emplace_back(layer.name, trace(layer.program)); });
    return list;
  }();
  return all;
}

TEST(layers, are_what_their_papers_say) { test::expect_values_of_references(programs(), references::all(), small()); }

TEST(layers, have_the_gradients_of_their_values) { test::expect_gradients_of_values(programs(), small()); }

TEST(layers, learn_from_what_initialize_gives_them) {
  for (const auto& [name, p] : programs()) {
    SCOPED_TRACE(name);
    test::expect_trains(p, small());
  }
}

TEST(layers, batch_norm_goes_by_the_batch_in_training_and_by_what_ran_before_else) {
  const ir::program p = trace(layers::batch_norm);
  const oracle::environment env = test::random_inputs(p, small(), 5);
  const references::given g = small().given_to(env);
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
    if (s.code == ir::opcode::keep_mask) sites.insert(s.site());
  EXPECT_EQ(sites.size(), 2u);
}

}  // namespace
}  // namespace stg
