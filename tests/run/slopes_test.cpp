// test: draft calls, proof kernels widest
// Gradients of pointwise functions where a difference tells nothing: at bounds and kinks, far out, at infinite slopes,
// and through detach.
#include <gtest/gtest.h>  // TEST

#include <stg/stg.hpp>  // compile_for_training

#include <algorithm>  // copy
#include <cmath>      // exp, abs
#include <cstdint>    // int64_t
#include <random>     // mt19937_64, normal_distribution
#include <vector>     // vector

namespace {

using stg::f64;

inline constexpr auto at = stg::trainable(stg::vertex_feature<"at", f64>);

/// The gradient of a function of one number at each of them.
template <const auto& Program> std::vector<double> slopes(std::vector<double> points) {
  const auto n = static_cast<std::int64_t>(points.size());
  const auto graph = stg::graph::from_edges(n, std::span<const std::int64_t>(), std::span<const std::int64_t>());
  stg::tensor<double> values({n});
  std::copy(points.begin(), points.end(), values.data());
  auto tape = stg::compile_for_training<Program>().record(graph, at = values);
  const auto gradients = tape.backward(stg::tensor<double>::full({n}, 1.0));
  const stg::tensor<double>& of = gradients[at];
  return std::vector<double>(of.begin(), of.end());
}
void expect_slopes(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(found[i] == expected[i] || std::abs(found[i] - expected[i]) <= 1e-15) << i << ": " << found[i];
}

inline constexpr auto clamped = [](auto v) { return clamp(v(at), -1, 1); };
inline constexpr auto hard = [](auto v) { return hardtanh(v(at)); };
TEST(slopes, gradients_at_bounds) {
  expect_slopes(slopes<clamped>({-2, -1, 0, 1, 2, INFINITY}), {0, 1, 1, 1, 0, 0});
  expect_slopes(slopes<hard>({-2, -1, 0, 1, 2, INFINITY}), {0, 0, 1, 0, 0, 0});
}

inline constexpr auto soft = [](auto v) { return softplus(v(at)); };
inline constexpr auto steep = [](auto v) { return softplus(v(at), 2); };
inline constexpr auto sigmoid_unit = [](auto v) { return silu(v(at)); };
inline constexpr auto error_unit = [](auto v) { return gelu(v(at)); };
inline constexpr auto tanh_unit = [](auto v) { return gelu(v(at), stg::approximate::tanh); };
TEST(slopes, gradients_stay_finite_far_out) {
  const auto sigmoid = [](double a) { return 1 / (1 + std::exp(-a)); };
  expect_slopes(slopes<soft>({-1e4, -800, 0, 19, 20, 21, 800, 1e4}), {0, 0, .5, sigmoid(19), sigmoid(20), 1, 1, 1});
  expect_slopes(slopes<steep>({-1e4, -1, 0, 1, 10, 11, 1e4}), {0, sigmoid(-2), .5, sigmoid(2), sigmoid(20), 1, 1});
  expect_slopes(slopes<sigmoid_unit>({-800, 0, 800}), {0, .5, 1});
  expect_slopes(slopes<error_unit>({-1e4, 0, 1e4}), {0, .5, 1});
  expect_slopes(slopes<tanh_unit>({-1e4, 0, 1e4}), {0, .5, 1});
}

inline constexpr auto arc_sine = [](auto v) { return asin(v(at)); };
inline constexpr auto cube_root = [](auto v) { return cbrt(v(at)); };
inline constexpr auto logarithm = [](auto v) { return log1p(v(at)); };
TEST(slopes, infinite_slopes) {
  expect_slopes(slopes<arc_sine>({-1, 0, 1}), {INFINITY, 1, INFINITY});
  expect_slopes(slopes<cube_root>({0, -8}), {INFINITY, 1.0 / 12});
  expect_slopes(slopes<logarithm>({-1, 0, 1}), {INFINITY, 1, .5});
}

// A maximum is compared with what it was taken of. Here the product has two readers forward, and one in the gradient,
// which may then add it without rounding it first: the maximum has to be that of the gradient's own numbers.
inline constexpr auto a = stg::trainable(stg::vertex_feature<"a", 64>);
inline constexpr auto b = stg::trainable(stg::vertex_feature<"b", 64>);
inline constexpr auto c = stg::trainable(stg::vertex_feature<"c", 64>);
inline constexpr auto largest = [](auto v) {
  auto product = v(a) * v(b);
  auto most = max(product + v(c), stg::axis<0>, stg::keepdim);
  return outputs(sum(sum(most + sum(product, stg::axis<0>, stg::keepdim), stg::axis<0>), stg::all_vertices), most);
};
TEST(slopes, a_maximum_that_is_kept_and_what_it_was_taken_of) {
  constexpr std::int64_t n = 200;
  const auto graph = stg::graph::from_edges(n, std::span<const std::int64_t>(), std::span<const std::int64_t>());
  const auto drawn = [](std::uint64_t seed) {
    stg::tensor<float> t({n, 64});
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    for (float& x : t) x = normal(random);
    return t;
  };
  const stg::tensor<float> A = drawn(1), B = drawn(2), C = drawn(3);
  auto step = stg::value_and_grad<largest>();
  const auto now = step(graph, a = A, b = B, c = C);
  for (std::int64_t v = 0; v < n; ++v) {
    float total = 0;
    for (int f = 0; f < 64; ++f) total += now.gradients[c](v, f);
    EXPECT_EQ(total, 1) << "vertex " << v;
  }
}

inline constexpr auto fraction = [](auto v) { return v(at) - floor(detach(v(at))); };
inline constexpr auto scaled = [](auto v) { return v(at) * detach(v(at)); };
inline constexpr auto remainder_of = [](auto v) { return fmod(v(at), 0.75) * sign(detach(v(at))); };
TEST(slopes, nothing_passes_through_detach) {
  expect_slopes(slopes<fraction>({-1.5, 0.25, 3}), {1, 1, 1});
  expect_slopes(slopes<scaled>({-1.5, 0.25, 3}), {-1.5, 0.25, 3});
  expect_slopes(slopes<remainder_of>({-1.5, 0.25, 3}), {-1, 1, 1});
}

}  // namespace
