// test: draft calls
// What a lambda says about what is kept for its gradient: loss and gradients are those of the plan's own choice, and
// the memory is what was asked for.
#include <stg/stg.hpp>  // the language

#include "support/families.hpp"  // mixed

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <algorithm>  // equal

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", 8>);
constexpr auto W = parameter<"W", 8, 8>;
constexpr auto a = parameter<"a", 8, 1>;

constexpr auto attention = [](auto v, auto h) {
  auto e = v.in_edges();
  auto k = matmul(h, W);
  return elu(sum(softmax(leaky_relu(e.src(matmul(k, a)) + e.dst(matmul(k, a)), 0.2)) * e.src(k)));
};
template <keeping Way>
constexpr auto kept = [](auto v) {
  keep(v, Way);
  auto h = call(attention, v, scope<"first">(v, attention, v(x)));
  return mean(sum(square(scope<"last">(v, attention, h)), axis<0>), all_vertices);
};
constexpr auto by_words = [](auto v) {
  keep<"first">(v, keeping::inputs);
  keep<"last">(v, keeping::all_but_edges);
  auto h = call(attention, v, recomputed(scope<"first">(v, attention, v(x))));
  return mean(sum(square(saved(scope<"last">(v, attention, h))), axis<0>), all_vertices);
};

struct numbers {
  double loss;
  tensor<float> of_x, of_w, of_a;
};
template <const auto& Loss> numbers trained() {
  const graph g = test::mixed();
  tensor<float> features({g.vertices(), 8}), weight({8, 8}), score({8, 1});
  for (std::int64_t k = 0; k < features.size(); ++k) features.data()[k] = 0.1f * static_cast<float>(k % 17) - 0.7f;
  for (std::int64_t k = 0; k < 64; ++k) weight.data()[k] = 0.05f * static_cast<float>(k % 13) - 0.3f;
  for (std::int64_t k = 0; k < 8; ++k) score.data()[k] = 0.2f * static_cast<float>(k) - 0.6f;
  auto step = value_and_grad<Loss>();
  const auto now = step(g, x = features, W = weight, a = score);
  return {now.loss, now.gradients[x].clone(), now.gradients[W].clone(), now.gradients[a].clone()};
}
bool are_near(const tensor<float>& p, const tensor<float>& q) {
  return std::equal(p.begin(), p.end(), q.begin(), [](float l, float r) { return std::abs(l - r) <= 1e-6f; });
}
template <const auto& Loss> void expect_the_same() {
  const numbers chosen = trained<kept<keeping::chosen>>(), other = trained<Loss>();
  EXPECT_EQ(chosen.loss, other.loss);
  EXPECT_TRUE(are_near(chosen.of_x, other.of_x));
  EXPECT_TRUE(are_near(chosen.of_w, other.of_w));
  EXPECT_TRUE(are_near(chosen.of_a, other.of_a));
}

TEST(keeping, gives_the_same_gradients) {
  expect_the_same<kept<keeping::everything>>();
  expect_the_same<kept<keeping::all_but_edges>>();
  expect_the_same<kept<keeping::results>>();
  expect_the_same<kept<keeping::inputs>>();
  expect_the_same<by_words>();
}

TEST(keeping, takes_the_memory_that_was_asked_for) {
  const sizes n{.vertices = 1000, .edges = 30000};
  const auto everything = peak_bytes<kept<keeping::everything>>(n).training;
  const auto all_but_edges = peak_bytes<kept<keeping::all_but_edges>>(n).training;
  EXPECT_GT(everything, 30000 * 8 * 4) << "values of edges";
  EXPECT_LT(all_but_edges, everything / 2);
}

TEST(keeping, is_explained) {
  const std::string text = explain<by_words>(in_full);
  EXPECT_THAT(text, testing::HasSubstr("ways of keeping"));
  EXPECT_THAT(text, testing::HasSubstr("as the lambda says"));
  EXPECT_THAT(explain<kept<keeping::chosen>>(in_full), testing::Not(testing::HasSubstr("as the lambda says")));
  for (const char* way : {"chosen", "everything", "all_but_edges", "results", "inputs"})
    EXPECT_THAT(text, testing::HasSubstr(std::string("\n    ") + way + ' '));
}

}  // namespace
}  // namespace stg
