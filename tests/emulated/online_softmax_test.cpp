// test: programs, proof
// Sums of what softmax weighs, taken in one loop with it: by chunks whose maxima grow or fall, by parts of long rows,
// with scores of -∞.
#include "support/backend_check.hpp"    // check_sample
#include "support/infinite_scores.hpp"  // check_edges, check_axes

#include <algorithm>  // max
#include <cmath>      // exp
#include <limits>     // numeric_limits
#include <vector>     // vector

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", f64, 3, 5>);
constexpr auto near_x = trainable(vertex_feature<"near_x", f64, 4>);
constexpr auto by_head = trainable(edge_feature<"by_head", f64, 3, 1>);
constexpr auto by_edge = trainable(edge_feature<"by_edge", f64>);
constexpr auto by_feature = trainable(edge_feature<"by_feature", f64, 4>);

constexpr auto heads = [](auto v) {
  auto e = v.in_edges();
  auto score = e(by_head) + sum(e.src(x), axis<1>, keepdim) + sum(v(x), axis<1>, keepdim);
  return sum(softmax(leaky_relu(score, 0.2)) * e.src(x));
};
constexpr auto one_number = [](auto v) {
  auto e = v.out_edges();
  return sum(softmax(2.0 * e(by_edge)) * e.dst(x)) + v(x);
};
constexpr auto each_feature = [](auto v) {
  auto e = v.in_edges();
  auto a = softmax(tanh(e(by_feature)));
  return sum(a * e.src(near_x)) * sum(a * v(near_x) * e(by_edge));
};
/// An edge reads softmax itself: it must be divided by then.
constexpr auto kept = [](auto v) {
  auto e = v.in_edges();
  auto a = softmax(2.0 * e(by_edge));
  return outputs(sum(a * e.src(near_x)), a);
};

/// No softmax: every score less every logarithm.
constexpr auto pair = trainable(edge_feature<"pair", f64, 2, 1>);
constexpr auto square = trainable(vertex_feature<"square", f64, 2, 2>);
constexpr auto crossed = [](auto v) {
  auto e = v.in_edges();
  auto scores = 2.0 * e(pair);
  return sum(exp(reshape<1, 2>(scores) - log_sum_exp(scores)) * e.src(square));
};

template <const auto& F> constexpr int loops() {
  using plan_of = gpu::executable<inferred<ref<F>>>;
  int n = 0;
  for (int u = 0; u < plan_of::plan.unit_count; ++u)
    for (int k = plan_of::plan.units[u].first_step; k < plan_of::plan.units[u].last_step; ++k)
      n += plan_of::plan.steps[k].is_loop;
  return n;
}
static_assert(loops<heads>() == 1 && loops<one_number>() == 1 && loops<each_feature>() == 1);
static_assert(loops<kept>() == 2 && loops<crossed>() == 2);

TEST(online_softmax, is_softmax_and_a_sum) {
  for (const int long_rows : {300, 6, 20}) {
    test::backend::long_row_edges = long_rows;
    for (const test::family& f : test::families()) {
      test::check_sample<heads>("heads", f.graph, f.name);
      test::check_sample<one_number>("one_number", f.graph, f.name);
      test::check_sample<each_feature>("each_feature", f.graph, f.name);
      test::check_sample<kept>("kept", f.graph, f.name);
      test::check_sample<crossed>("crossed", f.graph, f.name);
    }
  }
  test::backend::long_row_edges = 300;
}

/// Σ softmax(2 s) d of one vertex with these scores, where edge k comes from vertex k, whose x is k everywhere.
double weighted(const std::vector<double>& scores) {
  const auto n = static_cast<std::int64_t>(scores.size());
  std::vector<std::int64_t> src, dst;
  tensor<double> S({n}), X({n, 3, 5});
  for (std::int64_t k = 0; k < n; ++k) {
    src.push_back(0);  // of out-edges the owner
    dst.push_back(k);
    S.data()[k] = scores[static_cast<std::size_t>(k)];
    for (int f = 0; f < 15; ++f) X.data()[k * 15 + f] = static_cast<double>(k);
  }
  const graph g = graph::from_edges(n, src, dst);
  return test::compiled<one_number>()(g, x = X, by_edge = g.edge_values(S)).data()[7];
}
double expected(const std::vector<double>& scores) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0, all = 0;
  for (const double s : scores) most = std::max(most, 2 * s);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double weight = std::exp(2 * scores[k] - most);
    sum += weight * static_cast<double>(k);
    all += weight;
  }
  return sum / all;
}

TEST(online_softmax, survives_any_order_of_scores) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  for (const int long_rows : {1000, 150, 70, 7})
    for (const auto& score :
         {+[](int k) { return 0.01 * k; }, +[](int k) { return 30.0 * k; }, +[](int k) { return -30.0 * k; },
          +[](int k) { return k < 140 ? none : -1e3 + 0.1 * k; }, +[](int k) { return k > 20 ? none : 1e3 - 0.1 * k; },
          +[](int k) { return k % 3 == 0 ? none : 500.0 * (k % 7); }}) {
      test::backend::long_row_edges = long_rows;
      std::vector<double> scores;
      for (int k = 0; k < 300; ++k) scores.push_back(score(k));
      const double right = expected(scores);
      EXPECT_NEAR(weighted(scores), right, 1e-12 * (1 + right)) << long_rows << ' ' << scores[1] << ' ' << scores[299];
    }
  test::backend::long_row_edges = 300;
}

TEST(online_softmax, of_infinite_scores) {
  for (const int long_rows : {1000, 150, 7}) test::infinite_scores::check_edges(long_rows);
  test::infinite_scores::check_axes();
}

}  // namespace
}  // namespace stg
