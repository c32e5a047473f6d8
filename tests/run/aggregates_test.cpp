// test: draft calls, proof kernels 0
// Aggregates at their edges: over nothing, ties, factors of 0, values that are far from 0 and close to each other.
#include <stg/stg.hpp>

#include <gtest/gtest.h>  // TEST

#include <cmath>   // exp, signbit, sqrt
#include <limits>  // numeric_limits
#include <vector>  // vector

namespace stg {
namespace {

inline constexpr auto x = trainable(vertex_feature<"x", f64, 1>);
inline constexpr auto near_x = vertex_feature<"near_x", 1>;

/// Vertex 0 has four in-edges, 1 one, 2 none; the sources are vertices 1 to 4.
graph star() {
  const std::int64_t src[] = {1, 2, 3, 4, 4}, dst[] = {0, 0, 0, 0, 1};
  return graph::from_edges(5, src, dst);
}

tensor<double> rows(const std::vector<double>& numbers) {
  tensor<double> t({static_cast<std::int64_t>(numbers.size()), 1});
  for (std::size_t i = 0; i < numbers.size(); ++i) t.data()[i] = numbers[i];
  return t;
}

inline constexpr auto products = [](auto v) { return prod(v.in_edges().src(x)); };

std::vector<double> product_gradient(const std::vector<double>& numbers) {
  const graph g = star();
  const tensor<double> bound = rows(numbers);
  auto tape = compile_for_training<products>().record(g, x = bound);
  auto gradients = tape.backward(rows({1, 0, 0, 0, 0}));
  const tensor<double>& d = gradients[x];
  return {d.data(), d.data() + d.size()};
}

TEST(prod, is_one_over_no_edges) {
  const graph g = star();
  const tensor<double> bound = rows({9, 2, 3, -5, 7});
  const tensor<double> y = compile<products>()(g, x = bound);
  EXPECT_EQ(y(0, 0), 2.0 * 3 * -5 * 7);
  EXPECT_EQ(y(1, 0), 7.0);
  EXPECT_EQ(y(2, 0), 1.0);
}

TEST(prod, gives_a_factor_the_product_of_the_others) {
  EXPECT_EQ(product_gradient({9, 2, 3, -5, 7}), (std::vector<double>{0, -105, -70, 42, -30}));
  EXPECT_EQ(product_gradient({9, 2, 0, -5, 7}), (std::vector<double>{0, 0, -70, 0, 0}));
  EXPECT_EQ(product_gradient({9, 2, 0, 0, 7}), (std::vector<double>{0, 0, 0, 0, 0}));
}

// ---- several features: a register and a half ----

inline constexpr auto wide = trainable(vertex_feature<"wide", f64, 11>);

inline constexpr auto sums_of_exponentials = [](auto v) {
  return outputs(log_sum_exp(v.in_edges().src(wide)), log_sum_exp(v.out_edges().dst(wide)));
};

TEST(log_sum_exp, is_minus_infinity_over_no_edges_and_has_no_gradient) {
  const graph g = star();
  tensor<double> bound({5, 11}), cotangent({5, 11});
  for (std::int64_t i = 0; i < bound.size(); ++i) bound.data()[i] = 0.1 * static_cast<double>(i % 7);
  for (double& d : cotangent) d = 1;
  auto tape = compile_for_training<sums_of_exponentials>().record(g, wide = bound);
  const auto recorded = tape.outputs();
  const auto plain = compile<sums_of_exponentials>()(g, wide = bound);
  constexpr double none = -std::numeric_limits<double>::infinity();
  for (std::int64_t f = 0; f < 11; ++f) {
    for (const std::int64_t vertex : {2, 3, 4}) {  // without in-edges
      EXPECT_EQ(plain.get<0>()(vertex, f), none);
      EXPECT_EQ(recorded.get<0>()(vertex, f), none);
    }
    EXPECT_EQ(plain.get<1>()(0, f), none);  // without out-edges
    EXPECT_EQ(recorded.get<1>()(0, f), none);
    EXPECT_NEAR(plain.get<0>()(1, f), bound(4, f), 1e-14);
  }
  const auto gradients = tape.backward(cotangent, cotangent);
  const tensor<double>& d = gradients[wide];
  for (std::int64_t f = 0; f < 11; ++f) {
    const auto e = [&](std::int64_t vertex) { return std::exp(bound(vertex, f)); };
    const double in = e(1) + e(2) + e(3) + e(4), out = e(0) + e(1);  // of vertex 0, of vertex 4
    EXPECT_NEAR(d(0, f), 3 + e(0) / out, 1e-12);
    EXPECT_NEAR(d(1, f), e(1) / in + e(1) / out, 1e-12);
    EXPECT_NEAR(d(2, f), e(2) / in, 1e-12);
    EXPECT_NEAR(d(4, f), e(4) / in + 1, 1e-12);
  }
}

inline constexpr auto largest_and_least = [](auto v) {
  auto in = v.in_edges();
  return outputs(max(in.src(wide)), min(in.src(wide)), max(v.out_edges().dst(wide)));
};

TEST(max, gives_its_gradient_to_the_first_of_equal_messages) {
  constexpr std::int64_t vertices = 1401;  // a row of many edges
  std::vector<std::int64_t> src, dst;
  for (std::int64_t u = 1; u < vertices; ++u) {
    src.push_back(u);
    dst.push_back(0);
  }
  for (std::int64_t u = 1; u < 4; ++u) {
    src.push_back(0);
    dst.push_back(u);
  }
  const graph g = graph::from_edges(vertices, src, dst);
  tensor<double> bound({vertices, 11}), cotangent({vertices, 11});
  for (std::int64_t f = 0; f < 11; ++f) {
    for (const std::int64_t u : {300, 301, 1200}) bound(u, f) = 5;
    for (const std::int64_t u : {40, 900}) bound(u, f) = -5;
    cotangent(0, f) = 1 + 0.1 * static_cast<double>(f);
  }
  auto tape = compile_for_training<largest_and_least>().record(g, wide = bound);
  const auto gradients = tape.backward(cotangent, cotangent, cotangent);
  const tensor<double>& d = gradients[wide];
  for (std::int64_t u = 0; u < vertices; ++u)
    for (std::int64_t f = 0; f < 11; ++f)
      ASSERT_EQ(d(u, f), u == 300 || u == 40 || u == 1 ? cotangent(0, f) : 0.0) << "vertex " << u << ", feature " << f;
}

inline constexpr auto extremes = [](auto v) {
  auto e = v.in_edges();
  return outputs(argmax(e.src(x)), argmin(e.src(x)), count<f64>(e.src(x) > 2.0));
};

TEST(argmax, names_the_first_edge_and_minus_one_over_none) {
  const graph g = star();
  const tensor<double> bound = rows({9, 2, 7, 2, 7});
  const auto out = compile<extremes>()(g, x = bound);
  const std::int32_t largest = out.template get<0>()(0, 0), least = out.template get<1>()(0, 0);
  EXPECT_EQ(g.in_edges().neighbour(largest), 2);
  EXPECT_EQ(g.in_edges().neighbour(least), 1);
  EXPECT_EQ(out.template get<0>()(2, 0), -1);
  EXPECT_EQ(out.template get<1>()(2, 0), -1);
  EXPECT_EQ(out.template get<2>()(0, 0), 2);
  EXPECT_EQ(out.template get<2>()(1, 0), 1);
  EXPECT_EQ(out.template get<2>()(2, 0), 0);
}

inline constexpr auto i = vertex_feature<"i", i32, 3>;
inline constexpr auto least_integers = [](auto v) {
  auto e = v.in_edges();
  return outputs(min(e.src(i)), argmin(e.src(i)), min(v.out_edges().dst(i)), min(v(i), all_vertices),
                 min(v(i), axis<0>));
};

TEST(min, of_integers_may_be_the_least_there_is) {
  constexpr std::int32_t low = std::numeric_limits<std::int32_t>::min(),
                         high = std::numeric_limits<std::int32_t>::max();
  const graph g = star();
  tensor<std::int32_t> bound({5, 3});
  for (int v = 0; v < 5; ++v) {
    bound(v, 0) = v == 2 ? low : v;
    bound(v, 1) = high;
    bound(v, 2) = v == 4 ? -1 : high;
  }
  const auto out = compile<least_integers>()(g, i = bound);
  for (int f = 0; f < 3; ++f) {
    const int first = f == 0 ? 2 : f == 1 ? g.in_edges().neighbour(0) : 4;
    EXPECT_EQ(out.get<0>()(0, f), bound(first, f));
    EXPECT_EQ(g.in_edges().neighbour(out.get<1>()(0, f)), first);
    EXPECT_EQ(out.get<0>()(2, f), 0) << "over no edges";
    EXPECT_EQ(out.get<1>()(2, f), -1);
    EXPECT_EQ(out.get<2>()(4, f), bound(0, f));
    EXPECT_EQ(out.get<3>()(f), bound(first, f));
  }
  EXPECT_EQ(out.get<4>()(2), low);
  EXPECT_EQ(out.get<4>()(3), 3);
  const tensor<std::int32_t> none({0, 3});
  const std::int64_t nothing[] = {0};
  const std::span<const std::int64_t> no_edges(nothing, 0);
  EXPECT_EQ(compile<least_integers>()(graph::from_edges(0, no_edges, no_edges), i = none).get<3>()(0), 0);
}

inline constexpr auto spread = [](auto v) {
  auto e = v.in_edges();
  return outputs(var(e.src(near_x)), stddev(e.src(near_x)));
};

TEST(var, loses_no_digits_far_from_zero) {
  const graph g = star();
  tensor<float> bound({5, 1});
  for (int i = 0; i < 5; ++i) bound.data()[i] = 4096.0f + static_cast<float>(i);
  const auto out = compile<spread>()(g, near_x = bound);
  EXPECT_EQ(out.get<0>()(0, 0), 1.25f);  // of 1, 2, 3, 4; 4096² has no room for it beside itself
  EXPECT_EQ(out.get<1>()(0, 0), std::sqrt(1.25f));
  EXPECT_EQ(out.get<0>()(1, 0), 0.0f);
  EXPECT_EQ(out.get<0>()(2, 0), 0.0f);
  EXPECT_EQ(out.get<1>()(2, 0), 0.0f);
}

inline constexpr auto least = [](auto v) { return min(v.in_edges().src(x)); };

TEST(min, over_no_edges_has_no_sign) {
  const std::int64_t src[] = {1}, dst[] = {0};
  const tensor<double> out = compile<least>()(graph::from_edges(2, src, dst), x = rows({0, -3}));
  EXPECT_EQ(out(0, 0), -3.0);
  EXPECT_FALSE(std::signbit(out(1, 0))) << "printed as -0";
}

inline constexpr auto deviation = [](auto v) { return stddev(v.in_edges().src(x)); };

TEST(stddev, of_equal_messages_has_no_gradient) {
  const std::int64_t src[] = {1, 1, 1}, dst[] = {0, 0, 0};  // 0.1 + 0.1 + 0.1 is not 0.3
  const graph g = graph::from_edges(2, src, dst);
  const tensor<double> bound = rows({0, 0.1});
  auto tape = compile_for_training<deviation>().record(g, x = bound);
  EXPECT_EQ(tape.output()(0, 0), 0.0);
  EXPECT_EQ(tape.backward(rows({1, 1}))[x](1, 0), 0.0);
}

}  // namespace
}  // namespace stg
