// test: draft layers, proof kernels 0
// Every recurrent cell over three steps of a weighted graph, interpreted: its values against a dense reference, its
// gradients against central differences; and what they are on one vertex, without an edge, without a step, and where no
// vertex is left.
#include "support/cells.hpp"             // for_each_cell
#include "support/families.hpp"          // from_pairs
#include "support/inputs.hpp"            // random_inputs
#include "support/reference_check.hpp"   // small_graph
#include "support/references/cells.hpp"  // of_cells
#include "support/trains.hpp"            // expect_trains

#include <gtest/gtest.h>  // TEST

#include <cmath>   // tanh
#include <string>  // string
#include <vector>  // vector

namespace stg {
namespace {

using test::expect_equal;

/// A hub (1), a loop (2), parallel edges (3 → 1), vertices without in-edges (5) and without out-edges (4).
const test::small_graph& small() {
  static const test::small_graph g(
      6, {{2, 1}, {3, 1}, {3, 1}, {0, 1}, {5, 1}, {2, 2}, {1, 3}, {1, 0}, {0, 4}, {5, 3}, {1, 2}});
  return g;
}

const test::named_programs& programs() {
  static const auto all = [] {
    test::named_programs list;
    cells::for_each_cell([&](auto cell) { list.emplace_back(cell.name, trace(cell.program)); });
    return list;
  }();
  return all;
}

TEST(cells, are_what_their_papers_say) {
  test::expect_values_of_references(programs(), references::of_cells(), small());
}

TEST(cells, have_the_gradients_of_their_values) {
  EXPECT_TRUE(test::expect_gradients_of_values(programs(), small()).contains(ir::opcode::scan));
}

TEST(cells, learn_from_what_initialize_gives_them) {
  for (const auto& [name, p] : programs()) {
    SCOPED_TRACE(name);
    test::expect_trains(p, small());
  }
}

/// One vertex by itself, one with a loop, and some without an edge.
TEST(cells, of_one_vertex_or_no_edge_are_what_their_papers_say) {
  const test::small_graph alone(1, {}), loop(1, {{0, 0}}), apart(3, {});
  for (const test::small_graph* g : {&alone, &loop, &apart})
    test::expect_values_of_references(programs(), references::of_cells(), *g);
  for (const test::small_graph* g : {&alone, &loop}) test::expect_gradients_of_values(programs(), *g);
}

/// What a cell of this name gives where there is no step: states as they began, and nothing of what steps give.
std::vector<references::numbers> without_a_step(const std::string& name, const oracle::environment& env) {
  const auto at = [&](const char* input) { return env.inputs.at(input); };
  if (name.starts_with("a3tgcn")) return {references::numbers(2 * 6, 0.0)};  // there is nothing to attend to
  if (name == "evolve_gcn_o") return {at("W0"), at("C0"), {}};
  if (name == "evolve_gcn_h") return {at("W0"), {}};
  if (name == "mpnn_lstm") return {at("h0"), at("c0"), at("c0"), at("h0")};
  if (name == "st_conv") return {at("past_x"), references::numbers(3 * 6, 0.0), {}};
  if (env.inputs.contains("c0")) return {at("h0"), at("c0"), {}};
  return {at("h0")};
}

TEST(cells, without_a_step_keep_their_state_and_attend_to_nothing) {
  test::extent_sizes none = test::extents_of_samples;
  none["T"] = 0;
  for (const auto& [name, p] : programs()) {
    SCOPED_TRACE(name);
    const oracle::environment env = test::random_inputs(p, small(), 3, none);
    expect_equal(oracle::interpret(p, small(), env), without_a_step(name, env));
  }
}

constexpr auto four_rows = [](auto v) {
  return nn::top_rows<4>(v, v(vertex_feature<"y", f64, 2>), parameter<"q", f64, 2>);
};

TEST(top_rows, of_equal_score_are_one_column_and_columns_without_a_vertex_are_0) {
  oracle::environment env;
  env.inputs["y"] = {1, 4, 2, 6, 1, 8};  // the second scores 2, the others 1 each
  env.inputs["q"] = {3, 0};
  const double two = std::tanh(2.0), one = std::tanh(1.0);
  expect_equal(oracle::interpret(trace(four_rows), test::from_pairs(3, {{0, 1}}), env),
               {{2 * two, one, 0, 0, 6 * two, 6 * one, 0, 0}});
}

}  // namespace
}  // namespace stg
