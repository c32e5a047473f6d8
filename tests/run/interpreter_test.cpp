// test: draft programs_at_run_time, proof kernels 0
// The oracle against numbers worked out by hand.
#include "expect_error.hpp"      // expect_error
#include "support/families.hpp"  // from_pairs
#include "support/near.hpp"      // is_near
#include "support/samples.hpp"   // symbols

#include <stg/codegen/interpreter.hpp>  // interpret

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

using oracle::array;
using oracle::environment;
using samples::written;

constexpr auto x = vertex_feature<"x", f64>;
constexpr auto xy = vertex_feature<"xy", f64, 2>;
constexpr auto weight = edge_feature<"weight", f64>;
constexpr auto whole = edge_feature<"whole", i32>;
constexpr auto wide = vertex_feature<"wide", f64, 2, 3>;
constexpr auto P = parameter<"P", f64, 2, 3>;
constexpr auto label = vertex_feature<"class", i32>;
constexpr auto in = vertex_feature<"in", boolean>;
constexpr auto z = vertex_feature<"z", f64, stg::extent<"F">>;
const double infinite = std::numeric_limits<double>::infinity();

/// 0 → 1 (edge 0), 2 → 1 (edge 1), 1 → 2 (edge 2), 2 → 2 (edge 3); vertex 0 has no in-edges.
const graph& small() {
  static const graph g = test::from_pairs(3, {{1, 2}, {0, 1}, {2, 2}, {2, 1}});
  return g;
}

array run(auto program, const environment& env, std::size_t output = 0) {
  return oracle::interpret(trace(program), small(), env)[output];
}

TEST(oracle, edges_are_numbered_by_destination) {
  environment env;
  env.inputs["x"] = {1, 10, 100};
  EXPECT_EQ(run([](auto v) { return v.in_edges().src(v(x)); }, env), (array{1, 100, 10, 100}));
  EXPECT_EQ(run([](auto v) { return v.in_edges().dst(v(x)); }, env), (array{10, 10, 100, 100}));
}

TEST(oracle, infinite_scores_have_an_infinite_sum_unless_one_is_no_number) {
  environment env;
  env.inputs["weight"] = {infinite, 2, 3, infinite};
  const auto program = [](auto v) { return log_sum_exp(v.in_edges()(weight)); };
  EXPECT_EQ(run(program, env), (array{-infinite, infinite, infinite}));
  env.inputs["weight"] = {infinite, std::nan(""), 3, 3};
  EXPECT_TRUE(std::isnan(run(program, env)[1]));
}

TEST(oracle, the_least_of_integers_may_be_the_least_there_is) {
  constexpr double least = -2147483648.0, most = 2147483647.0;
  environment env;
  env.inputs["whole"] = {most, least, most, most};
  EXPECT_EQ(run([](auto v) { return min(v.in_edges()(whole)); }, env), (array{0, least, most}));
  EXPECT_EQ(run([](auto v) { return argmin(v.in_edges()(whole)); }, env), (array{-1, 1, 2}));
  EXPECT_EQ(run([](auto v) { return min(max(v.in_edges()(whole)), all_vertices); }, env), (array{0}));
}

TEST(oracle, aggregates_over_the_edges_that_a_vertex_owns) {
  environment env;
  env.inputs = {{"x", {1, 10, 100}}, {"weight", {1, 2, 3, 4}}};
  EXPECT_EQ(run([](auto v) { return sum(v.in_edges().src(x)); }, env), (array{0, 101, 110}));
  EXPECT_EQ(run([](auto v) { return sum(v.out_edges().dst(x)); }, env), (array{10, 100, 110}));
  EXPECT_EQ(run([](auto v) { return mean(v.in_edges().src(x)); }, env), (array{0, 50.5, 55}));
  EXPECT_EQ(run([](auto v) { return max(v.in_edges()(weight)); }, env), (array{0, 2, 4}));
  EXPECT_EQ(run([](auto v) { return max(-v.in_edges()(weight)); }, env), (array{0, -1, -3}));
  EXPECT_EQ(run([](auto v) { return min(v.out_edges()(weight)); }, env), (array{1, 3, 2}));
  EXPECT_EQ(run([](auto v) { return log_sum_exp(v.in_edges()(weight)); }, env)[0], -infinite);
  EXPECT_NEAR(run([](auto v) { return log_sum_exp(v.in_edges()(weight)); }, env)[1],
              std::log(std::exp(1) + std::exp(2)), 1e-14);
  EXPECT_EQ(run([](auto v) { return v.in_degree(); }, env), (array{0, 2, 2}));
  EXPECT_EQ(run([](auto v) { return v.out_degree(); }, env), (array{1, 1, 2}));
}

TEST(oracle, softmax_survives_any_score) {
  environment env;
  env.inputs["weight"] = {1000, 1000, -1000, -1000 + std::log(3)};
  const array y = run([](auto v) { return softmax(v.in_edges()(weight)); }, env);
  EXPECT_NEAR(y[0], 0.5, 1e-12);
  EXPECT_NEAR(y[2], 0.25, 1e-12);
  EXPECT_NEAR(y[3], 0.75, 1e-12);
}

TEST(oracle, numbers_with_few_digits_are_as_near_as_those_with_all) {
  EXPECT_TRUE(test::is_near(-6.7631411e-318, -6.7632102e-318, 2e-314, 1e-10)) << "shares that nearly vanish";
  EXPECT_FALSE(test::is_near(1e-318, 1e-317, 1e-317, 1e-10));
  EXPECT_FALSE(test::is_near(1e-307, 1.001e-307, 1e-307, 1e-10));
}

TEST(oracle, the_first_edge_of_a_tie_is_the_largest) {
  environment env;
  env.inputs["weight"] = {5, 5, 2, 7};
  auto first = [](auto v) {
    return written<space::vertex, stg::shape<>, i32>(v.trace, ir::opcode::first_max_edge, 0, 0,
                                                     v.in_edges()(weight).id);
  };
  EXPECT_EQ(run(first, env), (array{-1, 0, 3}));
}

TEST(oracle, works_along_feature_axes) {
  environment env;
  env.inputs = {{"xy", {1, 2, 3, 4, 5, 6}}, {"wide", array(18)}, {"x", {1, 2, 3}}};
  for (std::size_t i = 0; i < 18; ++i) env.inputs["wide"][i] = static_cast<double>(i);
  EXPECT_EQ(run([](auto v) { return sum(v(wide), axis<0>); }, env), (array{3, 5, 7, 15, 17, 19, 27, 29, 31}));
  EXPECT_EQ(run([](auto v) { return max(v(wide), axis<1>); }, env), (array{2, 5, 8, 11, 14, 17}));
  EXPECT_EQ(run([](auto v) { return mean(v(xy), axis<0>, keepdim); }, env), (array{1.5, 3.5, 5.5}));
  EXPECT_EQ(run([](auto v) { return log_sum_exp(0.0 * v(wide), axis<1>) + v(xy); }, env),
            run([](auto v) { return std::log(3.0) + v(xy); }, env));
  EXPECT_EQ(run([](auto v) { return concat<axis<0>>(v(xy), -v(xy)); }, env),
            (array{1, 2, -1, -2, 3, 4, -3, -4, 5, 6, -5, -6}));
  EXPECT_EQ(run([](auto v) { return slice<1, 2>(v(wide), axis<0>); }, env), (array{3, 4, 5, 9, 10, 11, 15, 16, 17}));
  EXPECT_EQ(run([](auto v) { return slice<1, 3>(v(wide)); }, env), (array{1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17}));
  EXPECT_EQ(run([](auto v) { return reshape<2, 1>(v(xy)) * v(wide); }, env)[3], 2 * 3.0);
  EXPECT_EQ(run([](auto v) { return v(xy) + v(x); }, env), (array{2, 3, 5, 6, 8, 9}));
  auto pad = [](auto v) {
    return written<space::vertex, stg::shape<4>, f64>(v.trace, ir::opcode::pad, 1, 0, v(xy).id);
  };
  EXPECT_EQ(run(pad, env), (array{0, 1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0}));
}

TEST(oracle, multiplies_rows_by_parameters) {
  environment env;
  env.inputs = {{"xy", {1, 2, 3, 4, 5, 6}}, {"P", {1, 10, 100, 2, 20, 200}}};
  EXPECT_EQ(run([](auto v) { return matmul(v(xy), P); }, env), (array{5, 50, 500, 11, 110, 1100, 17, 170, 1700}));
  auto transposed = [](auto v) {
    auto product = matmul(v(xy), P);
    return written<space::vertex, stg::shape<2>, f64>(v.trace, ir::opcode::matmul, 1, 0, product.id, v(P).id);
  };
  EXPECT_EQ(run(transposed, env)[0], 5 * 1 + 50 * 10 + 500 * 100.0);
  auto reduced = [](auto v) {
    return written<space::graph, stg::shape<2, 2>, f64>(v.trace, ir::opcode::reduced_matmul, 0, 0, v(xy).id,
                                                        (v(xy) * 2.0).id);
  };
  EXPECT_EQ(run(reduced, env), (array{70, 88, 88, 112}));
}

TEST(oracle, reduces_over_the_whole_graph) {
  environment env;
  env.inputs["xy"] = {1, 2, 3, 4, 5, -6};
  EXPECT_EQ(run([](auto v) { return sum(v(xy), all_vertices); }, env), (array{9, 0}));
  EXPECT_EQ(run([](auto v) { return mean(v(xy), all_vertices); }, env), (array{3, 0}));
  EXPECT_EQ(run([](auto v) { return max(v(xy), all_vertices); }, env), (array{5, 4}));
  EXPECT_EQ(run([](auto v) { return min(v(xy), all_vertices); }, env), (array{1, -6}));
}

TEST(oracle, losses) {
  environment env;
  env.inputs = {{"xy", {0, 0, std::log(3), 0, 7, 7}}, {"class", {0, 1, 1}}, {"in", {1, 1, 0}}};
  const array loss = run([](auto v) { return cross_entropy(v(xy), v(label), v(in)); }, env);
  ASSERT_EQ(loss.size(), 1u);
  EXPECT_NEAR(loss[0], (std::log(2) + std::log(4)) / 2, 1e-14);
  EXPECT_NEAR(run([](auto v) { return mse(v(xy), v(xy) + 2.0); }, env)[0], 4, 1e-14);
}

TEST(oracle, no_vertices_give_no_rows_and_sums_of_zero) {
  environment env;
  env.inputs["xy"] = {};
  const ir::program p = trace(
      [](auto v) { return outputs(sum(v.in_edges().src(xy)), sum(v(xy), all_vertices), max(v(xy), all_vertices)); });
  const auto y = oracle::interpret(p, graph(), env);
  EXPECT_EQ(y, (std::vector<array>{{}, {0, 0}, {0, 0}}));
}

TEST(oracle, draws_masks_by_row_element_site_seed_and_call) {
  environment env;
  env.inputs["wide"] = array(18, 1.0);
  env.seed = 42;
  auto program = [](auto v) {  // one after the other: the order of two arguments is the compiler's choice
    auto earlier = dropout(v(wide), 0.5);
    return outputs(earlier, dropout(v(wide), 0.5));
  };
  const array first = run(program, env);
  for (std::size_t i = 0; i < 18; ++i)
    EXPECT_EQ(first[i],
              keeps(42, 0, 0, static_cast<std::int64_t>(i / 6), static_cast<std::int64_t>(i % 6), 0.5) ? 2 : 0);
  EXPECT_NE(run(program, env, 1), first);
  env.call = 1;
  EXPECT_NE(run(program, env), first);
  env.call = 0;
  EXPECT_EQ(run(program, env), first);
  env.seed = 43;
  EXPECT_NE(run(program, env), first);
}

TEST(oracle, deduces_run_time_extents) {
  environment env;
  env.inputs = {{"z", {1, 2, 3, 4, 5, 6}}};
  EXPECT_EQ(run([](auto v) { return mean(concat<axis<0>>(v(z), v(z)), axis<0>); }, env), (array{1.5, 3.5, 5.5}));
  env.extents["F"] = 3;
  test::expect_error([&] { run([](auto v) { return -v(z); }, env); }, {"input z", "6", "expected 9"});
}

TEST(oracle, names_what_is_not_bound) {
  test::expect_error([] { run([](auto v) { return -v(x); }, environment()); }, {"input x", "not bound"});
}

TEST(oracle, magnitude_is_the_sum_of_absolute_terms) {
  environment env;
  env.inputs = {{"x", {1, 10, -100}}};
  std::vector<array> magnitudes;
  const ir::program p =
      trace([](auto v) { return outputs(sum(v.in_edges().src(x)), v(x) - v(x), v(x) * v(x), stg::exp(v(x))); });
  const std::vector<array> y = oracle::interpret(p, small(), env, &magnitudes);
  EXPECT_EQ(y[0], (array{0, -99, -90}));
  EXPECT_EQ(magnitudes[0], (array{0, 101, 110}));
  EXPECT_EQ(y[1], (array{0, 0, 0}));
  EXPECT_EQ(magnitudes[1], (array{2, 20, 200}));
  EXPECT_EQ(magnitudes[2], (array{1, 100, 10000}));
  EXPECT_NEAR(magnitudes[3][0], std::exp(1.0) * 2, 1e-10);  // a slope is that of differences
}

}  // namespace
}  // namespace stg
