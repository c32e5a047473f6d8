// test: draft programs_at_run_time
// Training steps of programs that are values: what a draft's value_and_grad gives, to the bit.
#include <stg/examine.hpp>  // as_program, runnable_step
#include <stg/stg.hpp>      // the language

#include <gtest/gtest.h>  // TEST

#include <cstdint>      // int32_t
#include <cstring>      // memcmp
#include <string_view>  // string_view
#include <variant>      // get

#include "expect_error.hpp"  // expect_error

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", extent<"F">>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto W = parameter<"W", extent<"F">, 8>;
constexpr auto A = parameter<"A", 8, 1>;
constexpr auto V = parameter<"V", 8, 3>;
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  auto h = matmul(dropout(v(x), 0.4), W);
  return matmul(relu(sum(softmax(leaky_relu(e.src(matmul(h, A)), 0.2)) * e.src(h))), V);
};
constexpr auto loss = [](auto v) {
  auto y = attention(v);
  return outputs(cross_entropy(y, v(label), v(known)), y);
};

struct data {
  graph g = graph::from_edges(5, {0, 1, 2, 3, 4, 0}, {1, 2, 3, 4, 0, 0});
  tensor<float> features = tensor<float>::from({5, 2}, {.1f, -.4f, .8f, .3f, .2f, -.9f, .5f, -.5f, .6f, -.2f});
  tensor<std::int32_t> labels = tensor<std::int32_t>::from({5}, {0, 1, 2, 1, 0});
  tensor<bool> mask = tensor<bool>::from({5}, {true, true, false, true, true});
  parameters_of<loss> weights = parameters<loss>(sized<"F">(2));
  data() { initialize(weights, 3); }
};
template <class T> void expect_same_bits(const any_tensor& found, const const_tensor<T>& expected) {
  const auto& y = std::get<tensor<T>>(found);
  ASSERT_EQ(y.shape(), expected.shape());
  EXPECT_EQ(std::memcmp(y.data(), expected.data(), static_cast<std::size_t>(y.bytes())), 0);
}

TEST(runnable_step, trains_as_a_draft_does) {
  const data d;
  auto step = value_and_grad<loss>(draft());
  runnable_step same(as_program<loss>());
  step.seed(7);
  same.seed(7);
  float before = 0;
  for (int call = 0; call < 3; ++call) {  // masks are drawn anew
    auto expected = step(d.g, x = d.features, label = d.labels, known = d.mask, d.weights);
    const auto found = same(d.g, {{"x", d.features},
                                  {"label", d.labels},
                                  {"known", d.mask},
                                  {"W", d.weights[W]},
                                  {"A", d.weights[A]},
                                  {"V", d.weights[V]}});
    EXPECT_EQ(found.loss, static_cast<double>(expected.loss));
    EXPECT_NE(expected.loss, before);
    before = expected.loss;
    ASSERT_EQ(found.gradients.size(), 3u);
    expect_same_bits<float>(found.gradients.at("W"), expected.gradients[W]);
    expect_same_bits<float>(found.gradients.at("A"), expected.gradients[A]);
    expect_same_bits<float>(found.gradients.at("V"), expected.gradients[V]);
    ASSERT_EQ(found.outputs.size(), 2u);
    expect_same_bits<float>(found.outputs[1], expected.outputs.get<1>());
  }
}

TEST(runnable_step, differentiates_for_what_is_named) {
  const data d;
  runnable_step step(as_program<loss>(), {"x", "V"});
  step.seed(2);
  auto draft_step = value_and_grad<loss, x, V>(draft());
  draft_step.seed(2);
  const auto found = step(d.g, {{"x", d.features},
                                {"label", d.labels},
                                {"known", d.mask},
                                {"W", d.weights[W]},
                                {"A", d.weights[A]},
                                {"V", d.weights[V]}});
  auto expected = draft_step(d.g, x = d.features, label = d.labels, known = d.mask, d.weights);
  ASSERT_EQ(found.gradients.size(), 2u);
  expect_same_bits<float>(found.gradients.at("x"), expected.gradients[x]);
  expect_same_bits<float>(found.gradients.at("V"), expected.gradients[V]);
}

constexpr auto each = over<"T">(vertex_feature<"each", 3>);
constexpr auto goal = vertex_feature<"goal", 3>;
constexpr auto U = parameter<"U", 3, 3>;
constexpr auto recurrent = [](auto v) {
  auto last = scan<"T">(
      v, [](auto v, auto h) { return next(tanh(matmul(h, U) + v(each) + 0.3 * mean(v.in_edges().src(h)))); },
      0 * v(goal));
  return mse(last, v(goal));
};
TEST(runnable_step, goes_through_scans) {
  const graph g = graph::from_edges(3, {0, 1, 2, 2}, {1, 2, 0, 1});
  tensor<float> in({4, 3, 3}), wanted({3, 3});
  for (std::int64_t k = 0; k < in.size(); ++k) in.data()[k] = static_cast<float>(k % 7) / 7 - 0.4f;
  for (std::int64_t k = 0; k < wanted.size(); ++k) wanted.data()[k] = static_cast<float>(k % 5) / 5;
  auto weights = parameters<recurrent>();
  initialize(weights, 5);
  auto expected = value_and_grad<recurrent>(draft())(g, each = in, goal = wanted, weights);
  const auto found = runnable_step(as_program<recurrent>())(g, {{"each", in}, {"goal", wanted}, {"U", weights[U]}});
  EXPECT_EQ(found.loss, static_cast<double>(expected.loss));
  expect_same_bits<float>(found.gradients.at("U"), expected.gradients[U]);
}

constexpr auto not_a_loss = [](auto v) { return matmul(v(goal), U); };
constexpr auto untrained = [](auto v) { return mse(v(goal), 2.0 * v(goal)); };
constexpr auto cut_off = [](auto v) { return mse(detach(matmul(v(goal), U)), v(goal)); };
TEST(runnable_step, says_what_cannot_be_trained) {
  test::expect_error([] { runnable_step step(as_program<not_a_loss>()); },
                     {"has a loss as its first output: one real number for the graph"});
  test::expect_error([] { runnable_step step(as_program<untrained>()); }, {"nothing of the program is trainable"});
  test::expect_error([] { runnable_step step(as_program<cut_off>()); }, {"an input has no gradient"});
  test::expect_error([] { runnable_step step(as_program<untrained>(), {"gaol"}); }, {"has no input 'gaol'"});
  const data d;
  runnable_step step(as_program<loss>());
  test::expect_error([&] { step(d.g, {{"x", d.features}}); }, {"is not given; add it to the call"});
}

}  // namespace
}  // namespace stg
