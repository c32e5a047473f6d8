// test: kernels 1, proof kernels all, counted
// Softmax over edges: safe for any score, right for any number of edges.
#include "support/families.hpp"  // from_pairs

#include <stg/stg.hpp>  // the language

#include <gtest/gtest.h>  // TYPED_TEST

#include <algorithm>  // max
#include <cmath>      // abs, exp
#include <limits>     // numeric_limits
#include <random>     // mt19937
#include <utility>    // pair
#include <vector>     // vector

namespace stg {
namespace {

template <scalar_type T> struct programs {
  static constexpr auto score = edge_feature<"score", T, 3>;  // heads
  static constexpr auto ones = vertex_feature<"ones", T, 3, 2>;
  static constexpr auto attention = [](auto v) {
    auto e = v.in_edges();
    auto coefficients = softmax(e(score));
    return outputs(coefficients, sum(coefficients), sum(reshape<3, 1>(coefficients) * e.src(ones)));
  };
  static constexpr auto out_attention = [](auto v) {
    auto o = v.out_edges();
    return sum(softmax(o(score)));
  };
  static constexpr auto head_score = edge_feature<"score", T, 4, 1>;
  static constexpr auto zero = vertex_feature<"zero", T, 4, 1>;
  static constexpr auto x = vertex_feature<"x", T, 4, 8>;
  static constexpr auto weighted = [](auto v) {
    auto e = v.in_edges();
    return sum(softmax(e(head_score) + v(zero)) * e.src(x));
  };
  static constexpr auto pair = edge_feature<"pair", T, 2, 1>;
  static constexpr auto square = vertex_feature<"square", T, 2, 2>;
  static constexpr auto crossed = [](auto v) {  // no softmax: every score less every logarithm
    auto e = v.in_edges();
    auto scores = e(pair) * 2.0;
    return sum(exp(reshape<1, 2>(scores) - log_sum_exp(scores)) * e.src(square));
  };
  static constexpr auto weights = trainable(edge_feature<"score", T, 3>);
  static constexpr auto differentiable = [](auto v) {
    auto e = v.in_edges();
    return sum(softmax(e(weights)) * e.src(v.template in_degree<T>() + 1.0));
  };
};

template <class T> constexpr scalar_type scalar = std::is_same_v<T, float> ? f32 : f64;

template <class T> class softmax_over_edges : public testing::Test {
 public:
  static constexpr T infinite = std::numeric_limits<T>::infinity();
  /// A few roundings; sums over a whole row may take more.
  static constexpr T one_rounding = std::numeric_limits<T>::epsilon();

  /// Numbers that are exact multiples of 1/1024, so that adding 1000 or 8192 is exact as well.
  static tensor<T> scores(std::int64_t edges) {
    tensor<T> t({edges, 3});
    std::mt19937 random(7);
    for (T& x : t) x = static_cast<T>(static_cast<int>(random() % 8192) - 4096) / 1024;
    return t;
  }
  static tensor<T> shifted(const tensor<T>& t, T by) {
    tensor<T> s = t.clone();
    for (T& x : s) x += by;
    return s;
  }
  struct result {
    tensor<T> coefficients, sums, weighted;
  };
  static result run(const graph& g, const tensor<T>& scores) {
    using program = programs<scalar<T>>;
    const auto S = g.edge_values(scores);
    const auto X = tensor<T>::full({g.vertices(), 3, 2}, 1);
    static constexpr auto& attention = program::attention;
    auto all = compile<attention>()(g, program::score = S, program::ones = X);
    return {g.to_input_order(all.template get<0>()), std::move(all.template get<1>()),
            std::move(all.template get<2>())};
  }
};

using types = testing::Types<float, double>;
TYPED_TEST_SUITE(softmax_over_edges, types);

/// Vertex 0 has no in-edges, 1 has one, 2 has two, 3 has 2500 (several chunks).
graph rows() {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs = {{0, 1}, {0, 2}, {1, 2}};
  for (int e = 0; e < 2500; ++e) pairs.push_back({e % 4, 3});
  return test::from_pairs(4, pairs);
}

TYPED_TEST(softmax_over_edges, coefficients_are_those_of_the_definition_and_add_up_to_one) {
  const graph g = rows();
  const auto s = this->scores(g.edges());
  const auto r = this->run(g, s);
  for (int f = 0; f < 3; ++f) {
    EXPECT_EQ(r.sums(0, f), 0) << "no edges";
    EXPECT_EQ(r.coefficients(0, f), 1) << "one edge";
    EXPECT_EQ(r.sums(1, f), 1);
    EXPECT_NEAR(r.sums(2, f), 1, 4 * this->one_rounding);
    EXPECT_NEAR(r.sums(3, f), 1, 30 * this->one_rounding);
    for (int d = 0; d < 2; ++d) EXPECT_NEAR(r.weighted(3, f, d), 1, 30 * this->one_rounding);
    double sum = 0;
    for (int e = 3; e < 2503; ++e) sum += std::exp(static_cast<double>(s(e, f)));
    for (int e = 3; e < 2503; ++e) {
      const double expected = std::exp(static_cast<double>(s(e, f))) / sum;
      EXPECT_NEAR(r.coefficients(e, f), expected, 20 * this->one_rounding * expected) << "edge " << e;
    }
  }
}

TYPED_TEST(softmax_over_edges, adding_a_constant_to_every_score_changes_nothing) {
  const graph g = rows();
  const auto s = this->scores(g.edges());
  const auto expected = this->run(g, s);
  for (const TypeParam by : {TypeParam(1000), TypeParam(-1000), TypeParam(8192)}) {
    const auto r = this->run(g, this->shifted(s, by));
    const TypeParam tolerance = 4 * this->one_rounding;
    for (std::int64_t e = 0; e < g.edges(); ++e)
      for (int f = 0; f < 3; ++f)
        EXPECT_NEAR(r.coefficients(e, f), expected.coefficients(e, f), tolerance * expected.coefficients(e, f)) << by;
    for (int v = 0; v < 4; ++v)
      for (int f = 0; f < 3; ++f) EXPECT_NEAR(r.sums(v, f), expected.sums(v, f), tolerance) << by << ", vertex " << v;
  }
}

TYPED_TEST(softmax_over_edges, a_score_of_minus_infinity_takes_an_edge_out) {
  const graph g = rows();
  auto s = this->scores(g.edges());
  for (int e = 3; e < 2503; e += 2) s(e, 0) = -this->infinite;  // every other edge
  for (int e = 3; e < 1490; ++e) s(e, 1) = -this->infinite;     // the whole first chunk
  for (int e = 1490; e < 2503; ++e) s(e, 1) -= 1000;            // and little in the others
  for (int e = 20; e < 2503; ++e) s(e, 2) = -this->infinite;    // the whole last chunk
  const auto r = this->run(g, s);
  for (int f = 0; f < 3; ++f) {
    EXPECT_NEAR(r.sums(3, f), 1, 30 * this->one_rounding);
    for (int e = 3; e < 2503; ++e) {
      if (s(e, f) == -this->infinite) {
        EXPECT_EQ(r.coefficients(e, f), 0) << "edge " << e;
      } else {
        EXPECT_GT(r.coefficients(e, f), 0) << "edge " << e;
      }
    }
  }
}

TYPED_TEST(softmax_over_edges, what_is_not_a_number_stays_in_its_row_and_head) {
  const graph g = rows();
  auto s = this->scores(g.edges());
  for (int e = 3; e < 2503; ++e) s(e, 0) = -this->infinite;  // nothing left to choose from
  s(200, 1) = std::numeric_limits<TypeParam>::quiet_NaN();
  const auto r = this->run(g, s);
  EXPECT_TRUE(std::isnan(r.sums(3, 0)));
  EXPECT_TRUE(std::isnan(r.sums(3, 1)));
  EXPECT_NEAR(r.sums(3, 2), 1, 30 * this->one_rounding);
  for (int f = 0; f < 3; ++f) EXPECT_NEAR(r.sums(2, f), 1, 4 * this->one_rounding);
}

TYPED_TEST(softmax_over_edges, scores_far_apart_neither_overflow_nor_vanish) {
  const graph g = test::from_pairs(2, {{0, 1}, {0, 1}, {1, 1}});
  const TypeParam most = std::numeric_limits<TypeParam>::max() / 4;
  const auto r =
      this->run(g, tensor<TypeParam>::from({3, 3}, {most, -most, 500, -most, -most, 500, -most, -most, -500}));
  const double third = 1.0 / 3;
  const double expected[3][3] = {{1, third, 0.5}, {0, third, 0.5}, {0, third, 0}};
  for (int e = 0; e < 3; ++e)
    for (int f = 0; f < 3; ++f) {
      if (f == 1) EXPECT_TRUE(std::isfinite(r.coefficients(e, f)));
      else EXPECT_NEAR(r.coefficients(e, f), expected[e][f], 4 * this->one_rounding) << e << " " << f;
    }
}

TYPED_TEST(softmax_over_edges, a_hub_of_a_hundred_thousand_edges) {
  constexpr std::int64_t edges = 100000;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::int64_t e = 0; e < edges; ++e) pairs.push_back({e % 50, 50});
  const graph g = test::from_pairs(60, pairs);
  auto s = this->scores(edges);
  for (std::int64_t e = 0; e < edges; ++e)
    s(e, 1) = static_cast<TypeParam>(e) / 8192;  // the maximum grows in every chunk
  const auto r = this->run(g, s);
  const double tolerance = std::is_same_v<TypeParam, float> ? 1e-5 : 1e-12;
  for (int f = 0; f < 3; ++f) {
    double sum = 0, total = 0;
    for (std::int64_t e = 0; e < edges; ++e) sum += std::exp(static_cast<double>(s(e, f)));
    for (std::int64_t e = 0; e < edges; ++e) {
      const double expected = std::exp(static_cast<double>(s(e, f))) / sum;
      ASSERT_NEAR(r.coefficients(e, f), expected, tolerance * expected) << "edge " << e << ", head " << f;
      total += r.coefficients(e, f);
    }
    EXPECT_NEAR(total, 1, tolerance);
    EXPECT_NEAR(r.sums(50, f), 1, tolerance);
    EXPECT_EQ(r.sums(51, f), 0);
  }
}

TYPED_TEST(softmax_over_edges, scores_under_another_shape_are_no_softmax) {
  using program = programs<scalar<TypeParam>>;
  static constexpr auto& crossed = program::crossed;
  const graph g = test::from_pairs(3, {{0, 2}, {1, 2}, {2, 2}});
  const TypeParam s[3][2] = {{0.5, -1}, {1, 0.25}, {-0.75, 2}};
  const auto S = tensor<TypeParam>::from({3, 2, 1}, {s[0][0], s[0][1], s[1][0], s[1][1], s[2][0], s[2][1]});
  const auto out =
      compile<crossed>()(g, program::pair = g.edge_values(S), program::square = tensor<TypeParam>::full({3, 2, 2}, 1));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      double all = 0, sum = 0;
      for (const auto& row : s) all += std::exp(2 * static_cast<double>(row[i]));
      for (const auto& row : s) sum += std::exp(2 * static_cast<double>(row[j])) / all;
      EXPECT_NEAR(out(2, i, j), sum, 20 * this->one_rounding * sum) << i << j;
    }
}

// What sums products with a softmax alone takes its exponentials itself and divides in the end.
TYPED_TEST(softmax_over_edges, weighted_sums_alone) {
  using program = programs<scalar<TypeParam>>;
  static constexpr auto& weighted = program::weighted;
  // vertex 2 has a chunk of edges, 3 has several
  constexpr int first[] = {0, 0, 1, 301, 2801}, edges = 2801;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (int to = 1; to < 4; ++to)
    for (int e = first[to]; e < first[to + 1]; ++e) pairs.push_back({e % 4, to});
  const graph g = test::from_pairs(4, pairs);
  tensor<TypeParam> s({edges, 4, 1}), x({4, 4, 8});
  std::mt19937 random(8);
  for (TypeParam& value : s) value = static_cast<TypeParam>(static_cast<int>(random() % 8192) - 4096) / 1024;
  for (TypeParam& value : x) value = static_cast<TypeParam>(static_cast<int>(random() % 2048) - 1024) / 1024;
  for (int e = 1; e < edges; e += 2) s(e, 1, 0) = -this->infinite;  // every other edge
  for (int e = 1; e < edges; ++e) s(e, 2, 0) = -this->infinite;     // nothing left to choose from
  for (int e : {100, 400}) s(e, 3, 0) = std::numeric_limits<TypeParam>::quiet_NaN();
  for (const TypeParam by : {TypeParam(0), TypeParam(1000), TypeParam(-8192)}) {
    const auto zero = tensor<TypeParam>::full({4, 4, 1}, by);
    const auto y = compile<weighted>()(g, program::head_score = g.edge_values(s), program::zero = zero, program::x = x);
    for (int h = 0; h < 4; ++h) {
      for (int d = 0; d < 8; ++d) {
        EXPECT_EQ(y(0, h, d), 0) << "no edges";
        EXPECT_EQ(y(1, h, d), x(0, h, d)) << "one edge";
        for (int v = 2; v < 4; ++v) {
          if (h >= 2) {
            EXPECT_TRUE(std::isnan(y(v, h, d))) << "vertex " << v << ", head " << h;
            continue;
          }
          double sum = 0, total = 0;
          for (int e = first[v]; e < first[v + 1]; ++e) {
            const double weight = std::exp(static_cast<double>(s(e, h, 0)));
            sum += weight;
            total += weight * x(e % 4, h, d);
          }
          EXPECT_NEAR(y(v, h, d), total / sum, 30 * this->one_rounding) << by << ", head " << h;
        }
      }
    }
  }
}

TYPED_TEST(softmax_over_edges, along_out_edges_too) {
  using program = programs<scalar<TypeParam>>;
  static constexpr auto& out_attention = program::out_attention;
  const graph g = rows();
  const auto S = g.edge_values(this->shifted(this->scores(g.edges()), 1000));
  const auto sums = compile<out_attention>()(g, program::score = S);
  for (int v = 0; v < 4; ++v)
    for (int f = 0; f < 3; ++f) EXPECT_NEAR(sums(v, f), 1, 30 * this->one_rounding);
}

TYPED_TEST(softmax_over_edges, gradients_do_not_see_a_common_shift) {
  using program = programs<scalar<TypeParam>>;
  static constexpr auto& differentiable = program::differentiable;
  const graph g = rows();
  const auto s = this->scores(g.edges());
  const auto gradient = [&](TypeParam by) {
    const auto S = g.edge_values(this->shifted(s, by));
    auto layer = compile_for_training<differentiable>();
    auto tape = layer.record(g, program::weights = S);
    const auto ones = tensor<TypeParam>::full({4, 3}, 1);
    return g.to_input_order(tape.backward(ones)[program::weights]);
  };
  const auto expected = gradient(0);
  double size = 0;
  for (const TypeParam x : expected) size = std::max(size, std::abs(static_cast<double>(x)));
  EXPECT_GT(size, 0.1);
  for (const TypeParam by : {TypeParam(1000), TypeParam(-1000)}) {
    const auto shifted = gradient(by);
    for (std::int64_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(shifted.data()[i], expected.data()[i], 4 * this->one_rounding * size) << by;
  }
}

}  // namespace
}  // namespace stg
