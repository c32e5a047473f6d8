// test: proof kernels 0
// Rows of hubs, which threads share: against the oracle, and with the same bits for any number of threads. That every
// sample gives the same with short rows cut is tested by samples_*_test (for_each_cut).
#include "support/bind.hpp"               // bind_all, numbers_of
#include "support/count_allocations.hpp"  // allocations
#include "support/inputs.hpp"             // random_inputs
#include "support/near.hpp"               // is_near
#include "support/networks.hpp"           // copy_of
#include "support/same_bits.hpp"          // expect_same_bits

#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/pass/inference.hpp>       // inference
#include <stg/runtime/long_rows.hpp>    // long_row_edges_of_host

#include <gtest/gtest.h>  // TEST

#include <cmath>    // log, isnan
#include <limits>   // numeric_limits
#include <numeric>  // iota
#include <vector>   // vector

namespace stg {
namespace {

constexpr std::int32_t most = long_row_edges_of_host;

/// 300 vertices, of which 7 and 11 have many in-edges, 13 many out-edges and 0 as many as are not cut yet.
const graph& hubs() {
  static const graph g = [] {
    std::vector<std::int64_t> src, dst;
    const auto add = [&](std::int64_t s, std::int64_t d) {
      src.push_back(s);
      dst.push_back(d);
    };
    for (std::int64_t k = 0; k < 2 * most + 5; ++k) add(k * 7919 % 300, 7);
    for (std::int64_t k = 0; k < most + 1; ++k) add(k * 31 % 300, 11);
    for (std::int64_t k = 0; k < most - 400; ++k) add(k * 17 % 300, 0);
    for (std::int64_t k = 0; k < most + most / 2; ++k) add(13, 20 + k * 13 % 270);
    for (std::int64_t v = 0; v < 300; ++v) add(v, (v + 1) % 300);
    return graph::from_edges(300, src, dst);
  }();
  return g;
}

constexpr auto x = trainable(vertex_feature<"x", f64, 5>);
constexpr auto w = trainable(edge_feature<"w", f64>);
constexpr auto s = trainable(vertex_feature<"s", f64, 2, 1>);
constexpr auto z = trainable(vertex_feature<"z", f64, 2, 3>);
constexpr auto W = parameter<"W", f64, 5, 3>;

constexpr auto sums = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return outputs(sum(e.src(x) * e(w)), mean(o.dst(x)), var(e.src(x) * e(w)));
};
constexpr auto maxima = [](auto v) {
  auto e = v.in_edges();
  auto m = e.src(x) * e(w);
  return outputs(max(m), argmax(m), min(v.out_edges().dst(x)), log_sum_exp(m));
};
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  auto a = softmax(leaky_relu(e.src(s) + v(s), 0.2));
  return outputs(sum(dropout(a, 0.3) * e.src(z)), a);
};
// Values before, between and after loops, one of which the next loop reads; edge values that both directions read.
constexpr auto several_loops = [](auto v) {
  auto e = v.in_edges();
  auto nearest = tanh(v(x) * 0.5);
  auto centre = mean(e.src(x) * e(w)) + nearest;
  auto spread = sum((e.src(x) - centre) * (e.src(x) - centre));
  return outputs(sqrt(spread + 1.0) * nearest, sum(v.out_edges()(w) * v.out_edges().dst(x)));
};
constexpr auto of_edges = [](auto v) { return v.in_edges().src(x) * v.in_edges()(w); };
constexpr auto multiplied = [](auto v) { return relu(matmul(sum(v.in_edges().src(x) * v.in_edges()(w)), v(W))); };

template <const auto& Program> void check() {
  using Ref = ref<Program>;
  using results = stg::detail::outputs_t<Ref>;
  const ir::program p = canonical<Ref>::value.thaw();
  const oracle::environment env = test::random_inputs(p, hubs(), 5);
  auto inputs = test::bind_all<Ref>(p, hubs(), env);
  std::vector<oracle::array> magnitudes;
  const std::vector<oracle::array> expected = oracle::interpret(pass::inference(p), hubs(), env, &magnitudes);
  std::size_t k = 0;
  const auto compare = [&](auto& actual) {
    EXPECT_TRUE(test::is_near(test::numbers_of(actual), expected[k], magnitudes[k], 1e-12)) << "output " << k;
    ++k;
  };
  auto given = compile<Program>()(hubs(), inputs);
  if constexpr (results::count == 1) compare(given);
  else for_each(given, [&](std::string_view, auto& t) { compare(t); });
}

TEST(long_rows, are_those_of_hubs) {
  const long_rows in = hubs().in_edges().long_rows(), out = hubs().out_edges().long_rows();
  ASSERT_EQ(in.count, 2);
  EXPECT_EQ(in.row[0], 7);
  EXPECT_EQ(in.row[1], 11);
  EXPECT_EQ(in.parts, 5);
  ASSERT_EQ(out.count, 1);
  EXPECT_EQ(out.row[0], 13);
  EXPECT_FALSE(hubs().in_edges().is_long(hubs().in_edges().degree(0)));
}

TEST(long_rows, give_sums) { check<sums>(); }
TEST(long_rows, give_maxima_and_their_edges) { check<maxima>(); }
TEST(long_rows, give_softmax) { check<attention>(); }
TEST(long_rows, are_gone_over_loop_by_loop) { check<several_loops>(); }
TEST(long_rows, give_edge_values) { check<of_edges>(); }
TEST(long_rows, come_before_a_product) { check<multiplied>(); }

// -∞ in all edges of a part, and no number in one.
TEST(long_rows, keep_what_is_no_number) {
  static constexpr auto score = edge_feature<"score", f64>;
  static constexpr auto f = [](auto v) {
    auto e = v.in_edges()(score);
    return outputs(log_sum_exp(e), max(e), sum(softmax(e)));
  };
  const double infinity = std::numeric_limits<double>::infinity();
  tensor<double> scores({hubs().edges()});
  scores.fill(-infinity);
  const adjacency in = hubs().in_edges();
  for (std::int64_t k = in.begin(7) + most; k < in.begin(7) + most + 10; ++k) scores.data()[k] = 2;  // the second part
  scores.data()[in.begin(11) + 3] = std::numeric_limits<double>::quiet_NaN();
  const auto out = compile<f>()(hubs(), score = edge_values<double>::in_id_order(std::move(scores)));
  EXPECT_NEAR(out.template get<0>().data()[7], 2 + std::log(10.0), 1e-12);
  EXPECT_EQ(out.template get<1>().data()[7], 2);
  EXPECT_NEAR(out.template get<2>().data()[7], 1, 1e-12);
  EXPECT_TRUE(std::isnan(out.template get<0>().data()[11]));
  EXPECT_EQ(out.template get<0>().data()[0], -infinity);
}

TEST(long_rows, leave_behind_what_parts_begin_with) {
  static constexpr auto score = edge_feature<"score", f64>;
  static constexpr auto f = [](auto v) { return outputs(max(v.in_edges()(score)), argmax(v.in_edges()(score))); };
  tensor<double> scores({hubs().edges()});
  scores.fill(1);
  const std::int64_t begin = hubs().in_edges().begin(7);
  for (int part = 0; part < 3; ++part) scores.data()[begin + part * most] = std::numeric_limits<double>::quiet_NaN();
  scores.data()[begin + most + 2] = scores.data()[begin + 2 * most + 1] = 5;
  const auto out = compile<f>()(hubs(), score = edge_values<double>::in_id_order(std::move(scores)));
  EXPECT_EQ(out.template get<0>().data()[7], 5);
  EXPECT_EQ(out.template get<1>().data()[7], begin + most + 2);
}

template <const auto& Program, class... Bound> void expect_same_bits(Bound... bound) {
  test::expect_same_bits([&](auto use) {
    auto layer = compile_for_training<Program>();
    layer.seed(3);
    auto tape = layer.record(hubs(), bound...);
    const auto out = tape.outputs();
    use(test::copy_of(out), tape.backward(out.template get<0>(), out.template get<1>()));
  });
}

TEST(long_rows, have_the_same_bits_for_any_number_of_threads) {
  tensor<double> X({300, 5}), S({300, 2, 1}), Z({300, 2, 3}), weights({hubs().edges()});
  uniform(X, -1, 1, 1);
  uniform(S, -1, 1, 2);
  uniform(Z, -1, 1, 3);
  uniform(weights, -1, 1, 4);
  expect_same_bits<attention>(s = S, z = Z);
  expect_same_bits<several_loops>(x = X, w = hubs().edge_values(weights));
}

/// Allocations of a call and its gradient, after two others.
std::uint64_t allocations_on(const graph& g) {
  tensor<double> S({300, 2, 1}), Z({300, 2, 3}), ones({300, 2, 3});
  const auto rows = g.edge_values(tensor<double>({g.edges(), 2, 1}));
  auto layer = compile_for_training<attention>();
  std::uint64_t before = 0;
  for (int call = 0; call < 3; ++call) {
    before = test::allocations();
    auto tape = layer.record(g, s = S, z = Z);
    tape.backward(ones, rows);
  }
  return test::allocations() - before;
}

TEST(long_rows, cost_a_call_no_allocations) {
  std::vector<std::int64_t> ring(300);
  std::iota(ring.begin(), ring.end(), 0);
  EXPECT_EQ(allocations_on(hubs()), allocations_on(graph::from_edges(300, ring, ring)));
}

}  // namespace
}  // namespace stg
