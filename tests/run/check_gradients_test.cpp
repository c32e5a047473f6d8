// test: draft programs_at_run_time
// check_gradients: programs whose gradients are right, places where differences say otherwise, and what is named then.
#include "expect_error.hpp"      // expect_error
#include "support/families.hpp"  // mixed

#include <stg/call/check_gradients.hpp>  // check_gradients
#include <stg/stg.hpp>                   // the language

#include <gtest/gtest.h>  // TEST

#include <cmath>    // tanh
#include <cstdint>  // int64_t
#include <limits>   // quiet_NaN

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", 3>);
constexpr auto w = trainable(edge_feature<"w">);
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto W = parameter<"W", 3, 4>;
constexpr auto b = parameter<"b", 4>;
constexpr auto S = sparse_feature<"S", extent<"K">>;
constexpr auto V = parameter<"V", extent<"K">, 4>;

template <class T> T drawn(T t, std::uint64_t seed) {
  uniform(t, -1, 1, seed);
  return t;
}
tensor<float> drawn(const dimensions& shape, std::uint64_t seed) { return drawn(tensor<float>(shape), seed); }

/// Parameters, features, edge features, sparse features, labels, dropout and what is detached, in f32.
constexpr auto loss = [](auto v) {
  auto e = v.in_edges();
  auto h = tanh(matmul(v(x), W) + matmul(dropout(v(S), 0.3), V) + b);
  auto score = e(w) * sum(e.src(h) * e.dst(h), axis<0>);
  auto y = sum(softmax(score) * e.src(dropout(h, 0.2))) * detach(sigmoid(h));
  return cross_entropy(y, v(label));
};
TEST(check_gradients, agree_for_everything_that_is_trained) {
  const graph g = test::mixed();
  const auto labels = tensor<std::int32_t>::from({5}, {0, 3, 1, 2, 0});
  const auto entries = sparse(tensor<float>::from({5, 2}, {1, 0, 0, 2, 0, 0, 3, 1, 0, -1}));
  auto params = parameters<loss>(sized<"K">(2));
  initialize(params, 1);
  params[b] = drawn({4}, 2);
  const auto X = drawn({5, 3}, 3);
  const auto weights = g.edge_values(drawn({9}, 4));
  const gradient_check all = check_gradients<loss>(g, x = X, w = weights, label = labels, S = entries, params);
  EXPECT_TRUE(all) << all;
  EXPECT_EQ(all.compared, 15 + 9 + 12 + 8 + 4);
  EXPECT_EQ(all.numbers, all.compared);
  EXPECT_LT(all.share, 0.1);
  const gradient_check few =
      check_gradients<loss, W>({.step = 1e-6, .places = 5}, g, x = X, w = weights, label = labels, S = entries, params);
  EXPECT_TRUE(few) << few;
  EXPECT_EQ(few.compared, 5);
  EXPECT_EQ(few.numbers, 12);
  EXPECT_EQ(few.worst.value, "W");
  EXPECT_EQ(few.worst.index.size(), 2u);
}

constexpr auto each = over<"T">(vertex_feature<"each", f64, 2>);
constexpr auto beside = over<"T">(edge_feature<"beside", f64>);
constexpr auto first = trainable(vertex_feature<"first", f64, 2>);
constexpr auto U = parameter<"U", f64, 2, 2>;
constexpr auto repeated = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        auto e = v.in_edges();
        auto n = tanh(matmul(h, U) + v(each) + sum(e(beside) * e.src(h)));
        return next(n).gives(sum(square(n), axis<0>));
      },
      v(first));
};
constexpr auto both = [](auto v) {
  auto [last, all] = repeated(v);
  return outputs(last, all);
};
TEST(check_gradients, goes_through_scans_and_takes_every_real_output) {
  const graph g = test::mixed();
  const auto start = drawn(tensor<double>({5, 2}), 1), u = drawn(tensor<double>({2, 2}), 2);
  const auto in = drawn(tensor<double>({3, 5, 2}), 3);
  const auto weights = g.edge_steps(drawn(tensor<double>({3, 9}), 4));
  const gradient_check all =
      check_gradients<both, first, U, each>(g, each = in, beside = weights, first = start, U = u);
  EXPECT_TRUE(all) << all;
  EXPECT_EQ(all.compared, 10 + 4 + 30);
}

// The state that is begun with is read by nobody: what the last step makes of its own features has a gradient all the
// same.
constexpr auto forgetful = [](auto v) {
  return scan<"T">(
      v, [](auto v, auto) { return tanh(matmul(v(each), U)); }, v(first));
};
TEST(check_gradients, goes_through_a_step_that_does_not_read_its_state) {
  const graph g = test::mixed();
  const auto in = drawn(tensor<double>({3, 5, 2}), 3), start = tensor<double>({5, 2}),
             u = drawn(tensor<double>({2, 2}), 2);
  const gradient_check all = check_gradients<forgetful, U, each>(g, each = in, first = start, U = u);
  EXPECT_TRUE(all) << all;
  EXPECT_EQ(all.compared, 4 + 30);
}

// What is detached is a constant in a step, in a step within it, and in a layer that is called there.
constexpr auto gated = [](auto, auto h) { return h * detach(sigmoid(2.0 * h)); };
constexpr auto partly_detached = [](auto v) {
  return scan<"T">(
      v,
      [](auto v, auto h) {
        auto inner = scan<2>(
            v, [](auto w, auto k) { return tanh(matmul(k, U)) + detach(square(k)) * w(first); }, h * detach(exp(h)));
        return call(gated, v, inner + v(each)) * detach(cos(h));
      },
      v(first));
};
TEST(check_gradients, takes_what_steps_detach_for_constants) {
  const graph g = test::mixed();
  const auto in = drawn(tensor<double>({3, 5, 2}), 3), start = drawn(tensor<double>({5, 2}), 1),
             u = drawn(tensor<double>({2, 2}), 2);
  const gradient_check all = check_gradients<partly_detached, first, U, each>(g, each = in, first = start, U = u);
  EXPECT_TRUE(all) << all;
  EXPECT_EQ(all.compared, 10 + 4 + 30);
}

// Derivatives as values, which training differentiates once more: of a scan, of a call, in a step, twice, of one
// another.
constexpr auto force = trainable(over<"T">(vertex_feature<"force", f64>));
constexpr auto place = trainable(vertex_feature<"place", f64>);
constexpr auto gain = parameter<"gain", f64>;
constexpr auto shift = parameter<"shift", f64>;
constexpr auto total = [](auto h) { return sum(h, all_vertices); };
constexpr auto moved = [](auto v, auto h) { return tanh(v(force) * gain + 0.5 * h); };
constexpr auto of_last_state = [](auto v) {
  auto h = scan<"T">(v, moved, v(place));
  return square(gradient(total(h * h), gain));
};
constexpr auto of_scan = [](auto v) {
  auto l = scan<1>(
      v, [](auto, auto h) { return tanh(gain * h + shift); }, v(place));
  return total(gradient(total(l), v(place)));
};
constexpr auto bent = [](auto, auto h, auto by) { return tanh(h * by); };
constexpr auto of_call = [](auto v) { return total(gradient(total(call(bent, v, v(place), gain)), v(place))); };
constexpr auto in_step = [](auto v) {
  auto step = [](auto v, auto h) {
    auto inner = scan<2>(
        v, [=](auto v, auto k) { return sin(mean(v.in_edges().src(k)) * gain + h); }, h);
    auto energy = total(call(bent, v, h * v(force), gain) + square(inner) * shift);
    return next(h - 0.3 * gradient(energy, h)).gives(energy);
  };
  auto [h, energies] = scan<"T">(v, step, v(place));
  return total(square(h)) + sum(stacked(energies), axis<0>);
};
constexpr auto of_two = [](auto v) {
  auto [h, each] = scan<"T">(
      v,
      [](auto v, auto h) {
        auto n = tanh(v(force) * gain + h * shift);
        return next(n).gives(n * v(force));
      },
      v(place));
  auto energy = total(h * h) + total(sum(each, all_steps));
  return square(gradient(energy, gain)) + energy * gradient(energy, shift);
};
constexpr auto of_another = [](auto v) {
  auto energy = total(scan<"T">(v, moved, call(bent, v, v(place), shift)));
  auto slope = total(square(gradient(energy, v(place))));
  return energy + square(gradient(slope, gain)) + gradient(slope, shift);
};

/// A training step gives what a plain call does, and gradients of it; both and the differences agree. Returns them.
template <const auto& F, class... Arg> auto trained(const graph& g, const Arg&... args) {
  const gradient_check check = check_gradients<F>(g, args...);
  EXPECT_TRUE(check) << check;
  auto found = value_and_grad<F>()(g, args...);
  EXPECT_NEAR(found.loss, compile<F>()(g, args...).item(), 1e-12);
  return found;
}
TEST(check_gradients, goes_through_gradients_of_scans_and_calls) {
  const graph g = graph::from_edges(2, {0, 1}, {1, 0});
  const auto start = tensor<double>::from({2}, {0.5, 1}), in = drawn(tensor<double>({3, 2}), 5);
  const auto with_steps = [&]<const auto & F>() {
    return trained<F>(g, force = in, place = start, gain = 0.8, shift = 0.6);
  };
  with_steps.template operator()<of_two>();
  with_steps.template operator()<in_step>();
  with_steps.template operator()<of_another>();

  double h[2] = {0.5, 1}, slope[2] = {0, 0}, d = 0;  // dh/dgain
  for (std::int64_t t = 0; t < 3; ++t)
    for (std::int64_t i = 0; i < 2; ++i) {
      h[i] = std::tanh(in(t, i) * 0.8 + 0.5 * h[i]);
      slope[i] = (1 - h[i] * h[i]) * (in(t, i) + 0.5 * slope[i]);
    }
  for (int i = 0; i < 2; ++i) d += 2 * h[i] * slope[i];
  EXPECT_NEAR((trained<of_last_state>(g, force = in, place = start, gain = 0.8).loss), d * d, 1e-12);

  // Σ b (1 − t²) with t = tanh(b x + c), and its derivatives
  const double b = 2, c = 0.5, t = std::tanh(b * 0.5 + c), u = std::tanh(b * 1 + c);
  const auto scanned = trained<of_scan>(g, place = start, gain = b, shift = c);
  EXPECT_NEAR(scanned.loss, b * (1 - t * t) + b * (1 - u * u), 1e-12);
  EXPECT_NEAR(scanned.gradients[place](0), -2 * b * b * t * (1 - t * t), 1e-12);
  EXPECT_NEAR(scanned.gradients[place](1), -2 * b * b * u * (1 - u * u), 1e-12);
  EXPECT_NEAR(scanned.gradients[gain].item(), (1 - t * t) * (1 - 2 * b * t * 0.5) + (1 - u * u) * (1 - 2 * b * u),
              1e-12);
  const double p = std::tanh(b * 0.5), q = std::tanh(b * 1);
  const auto called = trained<of_call>(g, place = start, gain = b);
  EXPECT_NEAR(called.loss, b * (1 - p * p) + b * (1 - q * q), 1e-12);
  EXPECT_NEAR(called.gradients[place](1), -2 * b * b * q * (1 - q * q), 1e-12);
}

constexpr auto at = trainable(vertex_feature<"at", f64, 2>);
constexpr auto kinked = [](auto v) { return sum(sum(relu(v(at)) * 2.0, axis<0>), all_vertices); };
TEST(check_gradients, names_the_worst_place) {
  const graph g = test::from_pairs(3, {});
  const auto clear = tensor<double>::from({3, 2}, {1, -1, 2, 3, -2, 4});
  EXPECT_TRUE((check_gradients<kinked>(g, at = clear)));
  const auto on_the_kink = tensor<double>::from({3, 2}, {1, -1, 2, 0, -2, 4});
  const gradient_check found = check_gradients<kinked>(g, at = on_the_kink);
  EXPECT_FALSE(found);
  EXPECT_EQ(found.wrong, 1);
  EXPECT_EQ(found.worst.value, "at");
  EXPECT_EQ(found.worst.index, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(found.worst.found, 0);
  EXPECT_NEAR(found.worst.expected, 1, 1e-9);
  EXPECT_EQ(to_string(found),
            "gradient of at at (1, 1): found 0, central difference 1; 1 of 6 compared numbers are off, of 6");
}

TEST(check_gradients, what_is_no_number_is_wrong) {
  const graph g = test::from_pairs(1, {});
  const double none = std::numeric_limits<double>::quiet_NaN();
  const gradient_check found = check_gradients<kinked>(g, at = tensor<double>::from({1, 2}, {1, none}));
  EXPECT_FALSE(found);
  EXPECT_EQ(found.worst.index, (std::vector<std::int64_t>{0, 0})) << "the loss is no number wherever it is moved";
}

TEST(check_gradients, says_what_an_option_must_be) {
  const graph g = test::from_pairs(1, {});
  const auto X = tensor<double>::from({1, 2}, {1, 2});
  test::expect_error([&] { check_gradients<kinked>({.step = 0}, g, at = X); }, {".step = 0", "above 0"});
  test::expect_error([&] { check_gradients<kinked>({.absolute = -1}, g, at = X); }, {".absolute = -1", "above 0"});
  test::expect_error([&] { check_gradients<kinked>({.relative = -1}, g, at = X); }, {".relative = -1", "0 or more"});
  test::expect_error([&] { check_gradients<kinked>({.places = 0}, g, at = X); }, {".places = 0", "1 or more"});
  test::expect_error([&] { check_gradients<kinked>(g, at = tensor<double>({2, 2})); }, {"input 'at' has 2 rows"});
}

}  // namespace
}  // namespace stg
