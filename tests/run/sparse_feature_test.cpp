// test: kernels 0, on each
// A sparse feature in place of a dense one: the same losses, the same gradients, and nothing allocated.
#include "support/count_allocations.hpp"  // allocations
#include "support/networks.hpp"           // power_law, vertex_data, same_bits

#include "expect_error.hpp"  // expect_error

#include <stg/data/dataset.hpp>  // normalize_rows

#include <gtest/gtest.h>  // TEST

#include <cmath>  // abs

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", 40>;
constexpr auto sx = sparse_feature<"x", 40>;
constexpr auto scale = vertex_feature<"scale">;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto W1 = parameter<"W1", 40, 16>;
constexpr auto b1 = parameter<"b1", 16>;
constexpr auto W2 = parameter<"W2", 16, 5>;

/// A network of two convolutions with dropout on features that are scaled per vertex, dense or sparse.
template <const auto& Feature>
constexpr auto network = [](auto v) {
  auto scaled = 0.5 * dropout(v(Feature) * v(scale), 0.4);
  auto hidden = relu(nn::gcn_conv(v, scaled, W1) + b1);
  return nn::gcn_conv(v, dropout(hidden, 0.5), W2);
};
constexpr auto dense_model = [](auto v) { return network<x>(v); };
constexpr auto sparse_model = [](auto v) { return network<sx>(v); };
constexpr auto dense_loss = [](auto v) { return cross_entropy(dense_model(v), v(label), v(known)); };
constexpr auto sparse_loss = [](auto v) { return cross_entropy(sparse_model(v), v(label), v(known)); };

struct inputs {
  graph on = test::power_law(300, 2000, 8).add_self_loops();
  test::vertex_data data{300, 2};
  tensor<float> features{300, 40}, scales{300};
  inputs() {
    std::mt19937 random(5);
    uniform(scales, 0.5, 1.5, 6);
    for (float& f : features)
      if (random() % 8 == 0) f = static_cast<float>(random() % 100) / 25;
  }
};

TEST(sparse_feature, trains_as_the_same_dense_feature_does) {
  const inputs in;
  const auto features = sparse(in.features);
  auto left = parameters<dense_loss>();
  auto right = parameters<sparse_loss>();
  initialize(left, 1);
  initialize(right, 1);
  adam first(left, {.learning_rate = 0.02});
  adam second(right, {.learning_rate = 0.02});
  auto dense_step = value_and_grad<dense_loss>();
  auto sparse_step = value_and_grad<sparse_loss>();
  dense_step.seed(3);
  sparse_step.seed(3);
  for (int epoch = 0; epoch < 30; ++epoch) {
    const auto a =
        dense_step(in.on, x = in.features, scale = in.scales, label = in.data.labels, known = in.data.known, left);
    const auto b =
        sparse_step(in.on, sx = features, scale = in.scales, label = in.data.labels, known = in.data.known, right);
    ASSERT_NEAR(a.loss, b.loss, 1e-5) << "epoch " << epoch;
    for (std::int64_t i = 0; i < a.gradients[W1].size(); ++i)
      ASSERT_NEAR(a.gradients[W1].data()[i], b.gradients[W1].data()[i], 1e-5) << "epoch " << epoch << ", " << i;
    first.step(a.gradients);
    second.step(b.gradients);
  }
  const auto a = compile<dense_model>()(in.on, x = in.features, scale = in.scales, left);
  const auto b = compile<sparse_model>()(in.on, sx = features, scale = in.scales, right);
  for (std::int64_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a.data()[i], b.data()[i], 1e-3) << i;
}

TEST(sparse_feature, bound_as_fixed_gives_the_same) {
  const inputs in;
  const auto features = sparse(in.features);
  auto weights = parameters<sparse_model>();
  initialize(weights, 1);
  const auto layer = compile<sparse_model>();  // where all is fixed, products are summed in another order
  const auto free = layer(in.on, sx = features, scale = in.scales, weights);
  const auto half = layer(in.on, sx = fixed(features), scale = in.scales, weights);
  const auto all = layer(in.on, sx = fixed(features), scale = fixed(in.scales), fixed(weights));
  EXPECT_TRUE(test::same_bits(free, half));
  for (std::int64_t i = 0; i < free.size(); ++i) ASSERT_NEAR(free.data()[i], all.data()[i], 1e-5) << i;
}

TEST(sparse_feature, gradients_have_the_same_bits_for_any_number_of_threads) {
  const inputs in;
  const auto features = sparse(in.features);
  auto weights = parameters<sparse_loss>();
  initialize(weights, 1);
  const auto gradients_with = [&](int n) {
    set_threads(n);
    auto step = value_and_grad<sparse_loss>();
    return test::copy_of(
        step(in.on, sx = features, scale = in.scales, label = in.data.labels, known = in.data.known, weights)
            .gradients);
  };
  const int before = threads();
  const auto one = gradients_with(1), many = gradients_with(3);
  set_threads(before);
  EXPECT_EQ(test::differences(one, many), "");
}

TEST(sparse_feature, a_training_step_allocates_nothing) {
  const inputs in;
  const auto features = sparse(in.features);
  auto weights = parameters<sparse_loss>();
  initialize(weights, 1);
  auto step = value_and_grad<sparse_loss>();
  const auto once = [&] {
    step(in.on, sx = features, scale = in.scales, label = in.data.labels, known = in.data.known, weights);
  };
  once();
  const auto mallocs = test::allocations(), arenas = arena::total_allocated();
  once();
  EXPECT_EQ(test::allocations(), mallocs);
  EXPECT_EQ(arena::total_allocated(), arenas);
}

TEST(sparse_feature, a_step_keeps_no_copy_of_the_features) {
  const sizes given{.vertices = 300, .edges = 2300};
  EXPECT_LT(peak_bytes<sparse_loss>(given).training, 300 * 40 * 4 * 2);
  EXPECT_GT(peak_bytes<dense_loss>(given).training, 300 * 40 * 4 * 2);
}

TEST(sparse_feature, explain_says_what_its_products_cost) {
  const std::string text = explain<sparse_loss>(in_full);
  for (const char* part : {"input x sparse", "sparse product\n", "sparse product, summed over vertices", "32*|x|",
                           "8*|x|", "drawn again, not saved", " drawn again\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  const sizes without{.vertices = 300, .edges = 2300};
  test::expect_error([&] { explain<sparse_loss>(without); }, {"entries of the sparse feature 'x'", "sized<\"x\">(n)"});
  const sizes given{.vertices = 300, .edges = 2300, .extents = {}, .entries = {sized<"x">(100)}};
  EXPECT_NE(explain<sparse_loss>(given, in_full).find("32*|x| = 3200"), std::string::npos);
}

TEST(sparse_feature, of_another_size_is_an_error_that_names_it) {
  const inputs in;
  auto weights = parameters<sparse_model>();
  const auto layer = compile<sparse_model>();
  const auto wide = sparse(tensor<float>({300, 41})), tall = sparse(tensor<float>({301, 40}));
  test::expect_error([&] { layer(in.on, sx = wide, scale = in.scales, weights); }, {"'x' axis 0", "41", "40"});
  test::expect_error([&] { layer(in.on, sx = tall, scale = in.scales, weights); }, {"'x'", "301 rows", "300 vertices"});
}

}  // namespace
}  // namespace stg
