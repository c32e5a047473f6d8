// Every recurrent cell over three steps of a weighted graph, interpreted: its values against a dense reference, its
// gradients against central differences; and what they are where there is no step, or no vertex left.
#include "support/cells.hpp"             // for_each_cell
#include "support/differences.hpp"       // check_gradients
#include "support/families.hpp"          // from_pairs
#include "support/inputs.hpp"            // random_inputs
#include "support/references/cells.hpp"  // of_cells

#include <stg/pass/cse.hpp>  // cse

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // stable_sort
#include <cmath>      // tanh
#include <set>        // set
#include <string>     // string
#include <utility>    // pair
#include <vector>     // vector

namespace stg {
namespace {

using oracle::array;

/// A hub (1), a loop (2), parallel edges (3 → 1), vertices without in-edges (5) and without out-edges (4).
const references::pairs edges = {{2, 1}, {3, 1}, {3, 1}, {0, 1}, {5, 1}, {2, 2},
                                 {1, 3}, {1, 0}, {0, 4}, {5, 3}, {1, 2}};
constexpr int vertices = 6;

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

/// Every cell's program by its name; as a list, so that no test is compiled once for each.
const std::vector<std::pair<std::string, ir::program>>& programs() {
  static const auto all = [] {
    std::vector<std::pair<std::string, ir::program>> list;
    cells::for_each_cell([&](auto cell) { list.emplace_back(cell.name, trace(cell.program)); });
    return list;
  }();
  return all;
}

TEST(cells, are_what_their_papers_say) {
  const auto references = references::of_cells();
  for (const auto& [name, p] : programs()) {
    SCOPED_TRACE(name);
    ASSERT_EQ(pass::verify(p), pass::finding()) << to_text(p);
    ASSERT_TRUE(references.contains(name)) << "no reference";
    for (unsigned seed = 1; seed < 4; ++seed) {
      const oracle::environment env = test::random_inputs(p, small(), seed);
      expect_equal(oracle::interpret(p, small(), env), references.at(name)(given_to(env)));
    }
  }
  EXPECT_EQ(programs().size(), references.size()) << "a reference without a cell";
}

TEST(cells, have_the_gradients_of_their_values) {
  std::set<ir::opcode> covered;
  for (const auto& [name, traced] : programs()) {
    SCOPED_TRACE(name);
    const ir::program p = pass::cse(traced);
    test::check_gradients(p, small(), test::random_inputs(p, small(), 7), test::real_outputs(p), covered);
  }
  EXPECT_TRUE(covered.contains(ir::opcode::scan));
}

TEST(cells, without_a_step_keep_their_state_and_attend_to_nothing) {
  test::extent_sizes none = test::extents_of_samples;
  none["T"] = 0;
  const ir::program kept = trace(cells::tgcn), attended = trace(cells::a3tgcn);
  const oracle::environment env = test::random_inputs(kept, small(), 3, none);
  expect_equal(oracle::interpret(kept, small(), env), {env.inputs.at("h0")});
  expect_equal(oracle::interpret(attended, small(), test::random_inputs(attended, small(), 3, none)),
               {references::numbers(2 * vertices, 0.0)});
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
