// test: draft programs_at_run_time
// Calls whose inputs have names at run time: what bindings give, to the bit, and what is wrong with names said when
// called.
#include <stg/call/inputs_by_name.hpp>  // inputs_by_name
#include <stg/stg.hpp>                  // the language

#include <gtest/gtest.h>  // TEST

#include <cstdint>  // int32_t, int64_t
#include <cstring>  // memcmp

#include "expect_error.hpp"  // expect_error

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", extent<"F">>;
constexpr auto w = edge_feature<"w">;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto W = parameter<"W", extent<"F">, 3>;
constexpr auto weighted = [](auto v) {
  auto e = v.in_edges();
  return sum(e(w) * e.src(matmul(dropout(v(x), 0.5), W)));
};
constexpr auto loss = [](auto v) { return cross_entropy(weighted(v), v(label)); };

struct data {
  graph g = graph::from_edges(4, {0, 1, 2, 3, 0}, {1, 2, 3, 0, 2});
  tensor<float> features = tensor<float>::from({4, 2}, {.1f, -.4f, .8f, .3f, .2f, -.9f, .5f, -.5f});
  tensor<float> of_edges = tensor<float>::from({5}, {1, .5f, -1, 2, .25f});
  edge_values<float> weights = g.edge_values(of_edges);
  tensor<std::int32_t> labels = tensor<std::int32_t>::from({4}, {0, 1, 2, 1});
  parameters_of<loss> params = parameters<loss>(sized<"F">(2));
  inputs_by_name by_name() const { return {{"W", params[W]}, {"x", features}, {"w", weights}}; }
  data() { initialize(params, 3); }
};
template <class T> bool same_bits(const const_tensor<T>& a, const const_tensor<T>& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

TEST(inputs_by_name, of_a_model) {
  const data d;
  auto model = compile<weighted>(draft());
  auto expected = model(d.g, x = d.features, w = d.weights, d.params);
  EXPECT_TRUE(same_bits<float>(model(d.g, d.by_name()), expected));
  tensor<float> again(expected.shape());
  model.into(again, d.g, d.by_name());
  EXPECT_TRUE(same_bits<float>(again, expected));
}

TEST(inputs_by_name, of_a_tape) {
  const data d;
  auto training = compile_for_training<weighted, x, W>(draft());
  auto bound = training.record(d.g, x = d.features, w = d.weights, d.params);
  training.seed(0);
  auto named = training.record(d.g, d.by_name());
  EXPECT_TRUE(same_bits<float>(named.output(), bound.output()));
  const auto cotangent = tensor<float>::full({4, 3}, 1);
  auto expected = bound.backward(cotangent), found = named.backward(cotangent);
  EXPECT_TRUE(same_bits<float>(found[x], expected[x]));
  EXPECT_TRUE(same_bits<float>(found[W], expected[W]));
}

TEST(inputs_by_name, of_a_training_step) {
  const data d;
  auto step = value_and_grad<loss>(draft()), same = value_and_grad<loss>(draft());
  auto expected = step(d.g, x = d.features, w = d.weights, label = d.labels, d.params);
  auto found =
      same(d.g, inputs_by_name({{"label", d.labels}, {"W", d.params[W]}, {"x", d.features}, {"w", d.weights}}));
  EXPECT_EQ(found.loss, expected.loss);
  EXPECT_TRUE(same_bits<float>(found.gradients[W], expected.gradients[W]));
}

TEST(inputs_by_name, say_what_is_wrong) {
  const data d;
  auto model = compile<weighted>(draft());
  const auto call = [&](const inputs_by_name& all) { return [&] { (void)model(d.g, all); }; };
  test::expect_error(call({{"x", d.features}, {"w", d.weights}}), {"input 'W' is not given; add it to the call"});
  test::expect_error(call({{"y", d.features}}), {"the program has no input 'y'; give those that it reads"});
  test::expect_error(call({{7, d.features}}), {"the program has no input '#7'; give those that it reads"});
  test::expect_error(call({{"x", d.features}, {"x", d.features}}), {"input 'x' is given twice; give each input once"});
  test::expect_error(call({{"x", d.labels}, {"w", d.weights}, {"W", d.params[W]}}),
                     {"input 'x' takes a tensor of f32; convert what is given, x.to<T>()"});
  test::expect_error(call({{"x", d.of_edges}, {"w", d.weights}, {"W", d.params[W]}}), {"x"});
  const graph other = graph::from_edges(4, {0, 1, 2, 3, 0}, {1, 2, 3, 0, 3});
  test::expect_error([&] { (void)model(other, d.by_name()); }, {"another graph"});
}

}  // namespace
}  // namespace stg
