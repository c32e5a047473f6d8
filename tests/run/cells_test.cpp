// Every recurrent cell over three steps of a weighted graph, interpreted: its values against a dense reference, its
// gradients against central differences; and what they are where there is no step, or no vertex left.
#include "support/cells.hpp"             // for_each_cell
#include "support/families.hpp"          // from_pairs
#include "support/inputs.hpp"            // random_inputs
#include "support/reference_check.hpp"   // small_graph
#include "support/references/cells.hpp"  // of_cells

#include <gtest/gtest.h>  // TEST

#include <cmath>  // tanh

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

TEST(cells, without_a_step_keep_their_state_and_attend_to_nothing) {
  test::extent_sizes none = test::extents_of_samples;
  none["T"] = 0;
  const ir::program kept = trace(cells::tgcn), attended = trace(cells::a3tgcn);
  const oracle::environment env = test::random_inputs(kept, small(), 3, none);
  expect_equal(oracle::interpret(kept, small(), env), {env.inputs.at("h0")});
  expect_equal(oracle::interpret(attended, small(), test::random_inputs(attended, small(), 3, none)),
               {references::numbers(env.inputs.at("h0").size(), 0.0)});
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
