// Aggregates at their edges: over nothing, ties, factors of 0, values that are far from 0 and close to each other.
#include <stg/stg.hpp>

#include <gtest/gtest.h>  // TEST

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
