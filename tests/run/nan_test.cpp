// test: kernels 0, proof kernels all, counted
// NaN is a number like any other: it passes through what is computed from it, so that a loss shows it.
#include "support/formulas.hpp"         // with_formulas
#include "support/infinite_scores.hpp"  // check_edges, check_axes

#include <gtest/gtest.h>

#include <stg/stg.hpp>  // compile

#include <algorithm>  // all_of, copy
#include <cmath>      // isnan
#include <limits>     // numeric_limits

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 19>;

inline constexpr auto through_elementary = [](auto v) {
  return []<class... Op>(auto a, stg::test::operations<Op...>) {
    return stg::outputs(stg::test::of_values<Op>(a, a)..., sigmoid(a), relu(a), leaky_relu(a, 0.2), elu(a), abs(a),
                        tan(a), pow(a, 2.5));
  }(v(x), stg::test::with_formulas);
};
inline constexpr auto through_activations = [](auto v) {
  auto a = v(x);
  return stg::outputs(silu(a), gelu(a), gelu(a, stg::approximate::tanh), softplus(a), selu(a), hardtanh(a),
                      clamp(a, -1, 1), square(a), reciprocal(a));
};
inline constexpr auto through_steps = [](auto v) {
  auto a = v(x);
  return stg::outputs(sign(a), floor(a), ceil(a), round(a), fmod(a, 2.0), detach(a));
};
inline constexpr auto through_axes = [](auto v) {
  return stg::outputs(softmax(v(x), stg::axis<0>), log_softmax(v(x)));
};
inline constexpr auto through_edges = [](auto v) {
  auto e = v.in_edges();
  return stg::outputs(sum(e.src(x)), mean(e.src(x)), log_sum_exp(e.src(x)), sum(softmax(e.src(x))), var(e.src(x)),
                      stddev(e.src(x)), prod(e.src(x)));
};

template <const auto& Program> void expect_nan_out_of_nan() {
  const std::int64_t loops[] = {0, 1};
  const auto graph = stg::graph::from_edges(2, loops, loops);
  const auto X = stg::tensor<float>::full({2, 19}, std::numeric_limits<float>::quiet_NaN());
  int position = 0;
  stg::for_each(stg::compile<Program>()(graph, x = X), [&](std::string_view, const stg::tensor<float>& y) {
    EXPECT_TRUE(std::all_of(y.begin(), y.end(), [](float number) { return std::isnan(number); }))
        << "output " << position;
    ++position;
  });
}

/// Equal messages have no spread, whatever rounding does to their mean: the kernels of var and stddev are those above.
TEST(nan, comes_of_no_spread_and_equal_messages_have_none) {
  auto model = stg::compile<through_edges>();
  for (const int n : {3, 100, 4096, 100000}) {
    const std::vector<std::int64_t> src(static_cast<std::size_t>(n), 1), dst(static_cast<std::size_t>(n), 0);
    const auto graph = stg::graph::from_edges(2, src, dst);
    for (const float c : {37.3f, 1000.1f, 12345.67f, 98765.43f}) {
      const auto y = model(graph, x = stg::tensor<float>::full({2, 19}, c));
      for (int k = 0; k < 19; ++k) {
        EXPECT_LE(y.get<4>()(0, k), 1e-14f * c * c) << n << " messages " << c;
        EXPECT_EQ(y.get<5>()(0, k), 0) << n << " messages " << c;
      }
    }
  }
}

TEST(nan, passes_through_elementary_functions) { expect_nan_out_of_nan<through_elementary>(); }
TEST(nan, passes_through_activations) { expect_nan_out_of_nan<through_activations>(); }
TEST(nan, passes_through_steps) { expect_nan_out_of_nan<through_steps>(); }
TEST(nan, passes_through_feature_axes) { expect_nan_out_of_nan<through_axes>(); }
TEST(nan, passes_through_edges) { expect_nan_out_of_nan<through_edges>(); }

// A maximum leaves NaN behind, wherever among the numbers they stand; an arg max is an edge that reaches it.
inline constexpr auto w = stg::edge_feature<"w">;
inline constexpr auto largest = [](auto v) {
  auto e = v.in_edges()(w);
  auto over_edges = max(e);
  return stg::outputs(over_edges, argmax(e), min(e), max(over_edges, stg::all_vertices));
};

TEST(nan, comes_of_infinite_scores_by_softmax_and_not_by_log_sum_exp) {
  for (const int cut_at : {0, 17}) stg::test::infinite_scores::check_edges(cut_at);
  stg::test::infinite_scores::check_axes();
}

TEST(nan, is_left_behind_by_maxima) {
  constexpr float infinity = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
  const std::int64_t src[] = {0, 1, 2, 0, 1, 2, 0, 1, 2}, dst[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
  const float weights[] = {none, none, none, none, 2, 3, -infinity, none, -infinity};
  const auto graph = stg::graph::from_edges(3, src, dst);
  stg::tensor<float> W({9});
  std::copy(std::begin(weights), std::end(weights), W.data());
  const auto [over_edges, first, least, over_all] = stg::compile<largest>()(graph, w = graph.edge_values(W));
  EXPECT_EQ(over_edges.data()[0], -infinity);
  EXPECT_EQ(over_edges.data()[1], 3);
  EXPECT_EQ(over_edges.data()[2], -infinity);
  EXPECT_EQ(first.data()[0], 0);
  EXPECT_EQ(first.data()[1], 5);
  EXPECT_EQ(first.data()[2], 6);
  EXPECT_EQ(least.data()[0], infinity);
  EXPECT_EQ(least.data()[1], 2);
  EXPECT_EQ(over_all.data()[0], 3);
}

}  // namespace
