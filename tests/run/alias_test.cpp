// Results that are a call's own tensors: outputs that are inputs, gradients that are cotangents, one value given twice.
#include <stg/stg.hpp>

#include <gtest/gtest.h>  // TEST

namespace alias_test {

inline constexpr auto x = stg::trainable(stg::vertex_feature<"x", 2>);
inline constexpr auto eps = stg::trainable(stg::scalar<"eps">);

inline constexpr auto itself = [](auto v) { return v(x); };
inline constexpr auto twice = [](auto v) {
  auto y = v(x) + 1.0;
  return outputs(y, y, stg::reshape<2, 1>(y), v(x));
};
inline constexpr auto only_eps = [](auto v) { return v(eps); };

const stg::graph graph = stg::graph::from_edges(3, std::span<const std::int64_t>(), std::span<const std::int64_t>());
const auto X = stg::tensor<float>::from({3, 2}, {1, 2, 3, 4, 5, 6});

TEST(alias, an_output_that_is_an_input_is_a_copy) {
  auto y = stg::compile<itself>()(graph, x = X);
  EXPECT_NE(y.data(), X.data());
  EXPECT_EQ(y(2, 1), 6);
}

TEST(alias, one_value_may_be_given_several_times) {
  const auto [a, b, c, d] = stg::compile<twice>()(graph, x = X);
  EXPECT_EQ(a(2, 1), 7);
  EXPECT_EQ(b(2, 1), 7);
  EXPECT_EQ(c(2, 1, 0), 7);
  EXPECT_EQ(d(2, 1), 6);
  EXPECT_NE(a.data(), b.data());
}

TEST(alias, a_gradient_that_is_the_cotangent_outlives_it) {
  auto layer = stg::compile_for_training<itself>();
  auto tape = layer.record(graph, x = X);
  auto gradients = tape.backward(stg::tensor<float>::full({3, 2}, 5));  // a temporary
  EXPECT_EQ(gradients[x](0, 0), 5);
  EXPECT_EQ(gradients[x](2, 1), 5);
}

TEST(alias, the_gradient_of_a_scalar_for_itself_is_one) {
  auto step = stg::value_and_grad<only_eps>();
  const auto [loss, outputs, gradients] = step(graph, eps = 3);
  EXPECT_EQ(loss, 3);
  EXPECT_EQ(gradients[eps].item(), 1);
}

TEST(alias, cotangents_of_one_value_given_twice_add_up) {
  auto layer = stg::compile_for_training<twice>();
  auto tape = layer.record(graph, x = X);
  auto gradients = tape.backward(stg::tensor<float>::full({3, 2}, 1), stg::tensor<float>::full({3, 2}, 10),
                                 stg::tensor<float>::full({3, 2, 1}, 100), stg::tensor<float>::full({3, 2}, 1000));
  EXPECT_EQ(gradients[x](1, 1), 1111);
}

}  // namespace alias_test
