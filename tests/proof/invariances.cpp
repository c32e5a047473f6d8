// What must not matter does not: names of vertices and the order of edges, a constant that all scores of a vertex have
// in common, an edge given twice instead of once with twice the weight. Graphs, numbers and permutations are random.
#include "support/families.hpp"  // from_pairs

#include <stg/stg.hpp>  // the language

#include <gtest/gtest.h>  // TEST
#include <rapidcheck.h>   // checkTestable, gen

#include <algorithm>  // stable_sort
#include <cmath>      // abs
#include <cstdlib>    // setenv
#include <iostream>   // cout
#include <numeric>    // iota
#include <sstream>    // ostringstream
#include <utility>    // pair
#include <vector>     // vector

namespace stg {
namespace {

using pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

constexpr auto x = vertex_feature<"x", f64, 3>;
constexpr auto w = edge_feature<"w", f64>;
constexpr auto score = edge_feature<"score", f64, 2>;  // heads
constexpr auto shift = vertex_feature<"shift", f64, 2>;
constexpr auto W = parameter<"W", f64, 3, 4>;
constexpr auto U = parameter<"U", f64, 3, 4>;
constexpr auto a_src = parameter<"a_src", f64, 2, 2>;
constexpr auto a_dst = parameter<"a_dst", f64, 2, 2>;
constexpr auto near = parameter<"near", f64, 3, 2>;
constexpr auto far = parameter<"far", f64, 3, 2>;
constexpr auto joined = parameter<"joined", f64, 27, 4>;  // 3 + 12 · 2

constexpr auto gcn = [](auto v) { return nn::gcn_conv(v, v(x), W); };
constexpr auto gat = [](auto v) { return nn::gat_conv(v, v(x), W, a_src, a_dst); };
constexpr auto sage_max = [](auto v) { return nn::sage_conv<nn::aggregate::max>(v, v(x), U, W); };
constexpr auto pna = [](auto v) { return nn::pna_conv(v, v(x), near, far, joined, 1.5); };
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  auto coefficients = softmax(e(score) + v(shift));
  return outputs(coefficients, sum(reshape<2, 1>(coefficients) * e.src(x)));
};
constexpr auto weighted_sums = [](auto v) {
  auto u = nn::weighted(v, w);
  return outputs(sum(v.in_edges()(w) * v.in_edges().src(x)), nn::gcn_conv(u, v(x), W));
};

/// Holds for 200 random cases, or gtest is told the smallest one for which it does not. RC_PARAMS chooses others.
template <class Property> void expect_always(Property holds) {
  setenv("RC_PARAMS", "seed=1 max_success=200", 0);
  rc::detail::TestMetadata about;
  about.id = about.description = testing::UnitTest::GetInstance()->current_test_info()->name();
  const rc::detail::TestResult result = rc::detail::checkTestable(holds, about, rc::detail::configuration().testParams);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  ASSERT_TRUE(result.is<rc::detail::SuccessResult>()) << text.str();
  std::cout << result.get<rc::detail::SuccessResult>().numSuccess << " random cases\n";  // counted by stages.py
}

std::int64_t any_size() { return *rc::gen::inRange<std::int64_t>(1, 20).as("vertices"); }
pairs any_edges(std::int64_t vertices) {
  const auto vertex = rc::gen::inRange<std::int64_t>(0, vertices);
  return *rc::gen::container<pairs>(rc::gen::pair(vertex, vertex)).as("edges");
}
/// Multiples of 1/256 in [low, high].
tensor<double> any_numbers(const dimensions& shape, const char* name, int low = -2, int high = 2) {
  tensor<double> t(shape);
  const auto number = rc::gen::inRange(256 * low, 256 * high + 1);
  const auto drawn = *rc::gen::container<std::vector<int>>(static_cast<std::size_t>(t.size()), number).as(name);
  for (std::int64_t i = 0; i < t.size(); ++i) t.data()[i] = drawn[static_cast<std::size_t>(i)] / 256.0;
  return t;
}
/// Where each of n things goes.
std::vector<std::int64_t> any_permutation(std::size_t n, const char* name) {
  const auto keys = *rc::gen::container<std::vector<int>>(n, rc::gen::inRange(0, 1000)).as(name);
  std::vector<std::int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t i, std::int64_t j) {
    return keys[static_cast<std::size_t>(i)] < keys[static_cast<std::size_t>(j)];
  });
  return order;
}

double row(const tensor<double>& t, std::int64_t i, std::int64_t k) {
  return t.data()[i * (t.size() / t.extent(0)) + k];
}

/// Sums in another order differ by a few roundings of their terms, which are below 100 here.
void assert_near(double actual, double expected) {
  RC_ASSERT(std::abs(actual - expected) <= 1e-12 * (100 + std::abs(expected)));
}

/// Row i of a layer's result is row to[i] where vertex i is called to[i] and the edges are given in another order.
template <const auto& Layer> void expect_relabelling_permutes() {
  auto layer = compile<Layer>();
  auto trained = parameters<Layer>();
  initialize(trained, 1);
  expect_always([&] {
    const std::int64_t vertices = any_size();
    const pairs edges = any_edges(vertices);
    const auto X = any_numbers({vertices, 3}, "x");
    const auto to = any_permutation(static_cast<std::size_t>(vertices), "vertex order");
    const auto edge_order = any_permutation(edges.size(), "edge order");

    pairs renamed;
    for (const std::int64_t e : edge_order) {
      const auto [from, into] = edges[static_cast<std::size_t>(e)];
      renamed.push_back({to[static_cast<std::size_t>(from)], to[static_cast<std::size_t>(into)]});
    }
    tensor<double> moved({vertices, 3});
    for (std::int64_t v = 0; v < vertices; ++v)
      for (int k = 0; k < 3; ++k) moved(to[static_cast<std::size_t>(v)], k) = X(v, k);

    const tensor<double> y = layer(test::from_pairs(vertices, edges), x = X, trained);
    const tensor<double> z = layer(test::from_pairs(vertices, renamed), x = moved, trained);
    for (std::int64_t v = 0; v < vertices; ++v)
      for (std::int64_t k = 0; k < y.size() / vertices; ++k)
        assert_near(row(z, to[static_cast<std::size_t>(v)], k), row(y, v, k));
  });
}

TEST(invariances, relabelling_permutes_gcn) { expect_relabelling_permutes<gcn>(); }
TEST(invariances, relabelling_permutes_gat) { expect_relabelling_permutes<gat>(); }
TEST(invariances, relabelling_permutes_sage_max) { expect_relabelling_permutes<sage_max>(); }
TEST(invariances, relabelling_permutes_pna) { expect_relabelling_permutes<pna>(); }

/// Coefficients in the order of the edge list, and sums that they weigh.
std::pair<tensor<double>, tensor<double>> attend(const graph& g, const tensor<double>& X, const tensor<double>& scores,
                                                 const tensor<double>& shifts) {
  static auto layer = compile<attention>();
  auto y = layer(g, x = X, score = g.edge_values(scores), shift = shifts);
  return {g.to_input_order(y.get<0>()), y.get<1>().clone()};
}

TEST(invariances, a_constant_added_to_all_scores_of_a_vertex_changes_nothing) {
  expect_always([] {
    const std::int64_t vertices = any_size();
    const graph g = test::from_pairs(vertices, any_edges(vertices));
    const auto X = any_numbers({vertices, 3}, "x");
    const auto scores = any_numbers({g.edges(), 2}, "scores");
    const auto [alpha, y] = attend(g, X, scores, tensor<double>::full({vertices, 2}, 0));
    const auto [shifted_alpha, shifted_y] = attend(g, X, scores, any_numbers({vertices, 2}, "shifts", -100, 100));
    for (std::int64_t i = 0; i < alpha.size(); ++i) assert_near(shifted_alpha.data()[i], alpha.data()[i]);
    for (std::int64_t i = 0; i < y.size(); ++i) assert_near(shifted_y.data()[i], y.data()[i]);
  });
}

TEST(invariances, attention_coefficients_add_up_to_one) {
  expect_always([] {
    const std::int64_t vertices = any_size();
    const pairs edges = any_edges(vertices);
    const graph g = test::from_pairs(vertices, edges);
    const auto scores = any_numbers({g.edges(), 2}, "scores", -50, 50);
    const auto alpha = attend(g, tensor<double>({vertices, 3}), scores, tensor<double>::full({vertices, 2}, 0)).first;
    for (std::int64_t v = 0; v < vertices; ++v) {
      for (int head = 0; head < 2; ++head) {
        double sum = 0;
        int count = 0;
        for (std::size_t e = 0; e < edges.size(); ++e) {
          if (edges[e].second != v) continue;
          const double share = alpha(static_cast<std::int64_t>(e), head);
          RC_ASSERT(share >= 0 && share <= 1);
          sum += share;
          ++count;
        }
        if (count > 0) RC_ASSERT(std::abs(sum - 1) <= 1e-14 * (1 + count));
      }
    }
  });
}

TEST(invariances, an_edge_given_twice_is_an_edge_of_twice_the_weight) {
  static auto layer = compile<weighted_sums>();
  static auto trained = [] {
    auto p = parameters<weighted_sums>();
    initialize(p, 2);
    return p;
  }();
  expect_always([] {
    const std::int64_t vertices = any_size();
    const pairs edges = any_edges(vertices);
    const auto count = static_cast<std::int64_t>(edges.size());
    const auto X = any_numbers({vertices, 3}, "x");
    const auto weights = any_numbers({count}, "weights", 1, 3);
    const auto twice = *rc::gen::container<std::vector<bool>>(edges.size(), rc::gen::arbitrary<bool>()).as("twice");

    pairs more = edges;
    std::vector<double> of_more(weights.begin(), weights.end());
    tensor<double> doubled = weights.clone();
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (!twice[e]) continue;
      more.push_back(edges[e]);
      of_more.push_back(of_more[e]);
      doubled(static_cast<std::int64_t>(e)) *= 2;
    }
    tensor<double> weights_of_more({static_cast<std::int64_t>(more.size())});
    std::copy(of_more.begin(), of_more.end(), weights_of_more.begin());

    const graph g = test::from_pairs(vertices, edges), h = test::from_pairs(vertices, more);
    const auto y = layer(g, x = X, w = g.edge_values(doubled), trained);
    const auto z = layer(h, x = X, w = h.edge_values(weights_of_more), trained);
    for (std::int64_t i = 0; i < 3 * vertices; ++i) assert_near(z.get<0>().data()[i], y.get<0>().data()[i]);
    for (std::int64_t i = 0; i < 4 * vertices; ++i) assert_near(z.get<1>().data()[i], y.get<1>().data()[i]);
  });
}

}  // namespace
}  // namespace stg
