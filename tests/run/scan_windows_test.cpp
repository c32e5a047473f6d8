// test: kernels 0
// Windows of a series: one after the other with the state handed on, many at once on an axis of the features, and
// beyond their end, where what a step gives is what the next one reads. Called plainly, none of them keeps its steps.
#include "support/families.hpp"  // power_law

#include <stg/stg.hpp>  // scan

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // copy_n
#include <string>     // to_string
#include <tuple>      // get

namespace stg {
namespace {

constexpr auto x = over<"T">(vertex_feature<"x", f64, 3>);
constexpr auto y = over<"T">(vertex_feature<"y", f64>);
constexpr auto h0 = trainable(vertex_feature<"h0", f64, 4>);
constexpr auto W = parameter<"W", f64, 3, 4>;
constexpr auto U = parameter<"U", f64, 4, 4>;
constexpr auto R = parameter<"R", f64, 4, 1>;

tensor<double> drawn(const dimensions& shape, std::uint64_t seed) {
  tensor<double> t(shape);
  uniform(t, -1, 1, seed);
  return t;
}
/// Steps [first, last).
tensor<double> steps(const tensor<double>& all, std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> extents(all.shape().begin(), all.shape().end());
  const std::int64_t each = all.size() / extents[0];
  extents[0] = last - first;
  tensor<double> some{dimensions(std::span<const std::int64_t>(extents))};
  std::copy_n(all.data() + first * each, some.size(), some.data());
  return some;
}
void expect_near(const tensor<double>& a, const tensor<double>& b, const std::string& what) {
  ASSERT_EQ(a.shape(), b.shape()) << what;
  for (std::int64_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a.data()[i], b.data()[i], 1e-12) << what << ' ' << i;
}

constexpr auto cell = [](auto v, auto in, auto h) {
  return tanh(matmul(in, W) + matmul(mean(v.in_edges().src(h)), U) + h * 0.5);
};
constexpr auto window = [](auto v) {
  auto [last, errors] = scan<"T">(
      v,
      [](auto v, auto h) {
        auto n = cell(v, v(x), h);
        return next(n).gives(mean(square(sum(matmul(n, R), axis<0>) - v(y)), all_vertices));
      },
      v(h0));
  return outputs(mean(stacked(errors), axis<0>), h0 = last);
};

TEST(windows, go_on_where_the_one_before_ended_and_end_gradients_there) {
  const graph g = test::power_law(40, 200, 3);
  const std::int64_t V = g.vertices();
  const auto in = drawn({12, V, 3}, 1), target = drawn({12, V}, 2);
  const auto w = drawn({3, 4}, 3), u = drawn({4, 4}, 4), r = drawn({4, 1}, 5);
  const auto model = compile<window>(draft());
  auto train = value_and_grad<window, W>(draft());
  auto state = tensor<double>({V, 4});
  double loss = 0;
  for (std::int64_t first = 0; first < 12; first += 4) {
    const auto X = steps(in, first, first + 4), Y = steps(target, first, first + 4);
    const auto now = train(g, x = X, y = Y, h0 = state, W = w, U = u, R = r);
    loss += now.loss / 3;
    // by central differences, of a window that begins with this state, whatever W made it
    for (const std::int64_t i : {0, 5, 11}) {
      auto more = w.clone(), less = w.clone();
      more.data()[i] += 1e-5;
      less.data()[i] -= 1e-5;
      const auto loss_with = [&](const tensor<double>& weights) {
        return *model(g, x = X, y = Y, h0 = state, W = weights, U = u, R = r).template get<0>().data();
      };
      EXPECT_NEAR(now.gradients[W].data()[i], (loss_with(more) - loss_with(less)) / 2e-5, 1e-8) << first << ' ' << i;
    }
    state = now.outputs[h0].clone();
  }
  const auto whole = model(g, x = in, y = target, h0 = tensor<double>({V, 4}), W = w, U = u, R = r);
  EXPECT_NEAR(*whole.template get<0>().data(), loss, 1e-12);
  expect_near(whole[h0], state, "state");
}

// What a step gives is what the next one reads: a carried value like the state.
constexpr auto x0 = vertex_feature<"x0", f64, 3>;
constexpr auto Q = parameter<"Q", f64, 4, 3>;
constexpr auto hour = over<"H">(graph_feature<"hour", f64>);  // known ahead, and says how far
constexpr auto ahead = [](auto v) {
  return std::get<2>(scan<"H">(
      v,
      [](auto v, auto h, auto in) {
        auto n = cell(v, in, h) + v(hour);
        auto out = matmul(n, Q);
        return next(n, out).gives(out);
      },
      v(h0), v(x0)));
};
constexpr auto now = graph_feature<"now", f64>;
constexpr auto one_ahead = [](auto v) {
  auto n = cell(v, v(x0), v(h0)) + v(now);
  return outputs(h0 = n, x0 = matmul(n, Q));
};

TEST(windows, are_rolled_out_beyond_their_end) {
  const graph g = test::power_law(40, 200, 3);
  const std::int64_t V = g.vertices();
  const auto start = drawn({V, 4}, 1), first = drawn({V, 3}, 2);
  const auto w = drawn({3, 4}, 3), u = drawn({4, 4}, 4), q = drawn({4, 3}, 5);
  const auto model = compile<ahead>(draft());
  const auto hours = drawn({5}, 6);
  EXPECT_EQ(model(g, h0 = start, x0 = first, W = w, U = u, Q = q, hour = tensor<double>({0})).size(), 0);
  const auto all = model(g, h0 = start, x0 = first, W = w, U = u, Q = q, hour = hours);
  const auto step = compile<one_ahead>(draft());
  auto state = start.clone(), in = first.clone();
  for (std::int64_t t = 0; t < 5; ++t) {
    const auto given = step(g, h0 = state, x0 = in, W = w, U = u, Q = q, now = hours.data()[t]);
    state = given[h0].clone();
    in = given[x0].clone();
    expect_near(steps(all, t, t + 1).reshape({V, 3}), in, "step " + std::to_string(t));
  }
}

// Many windows at once: an axis of the features in front. A graph's rows are walked once for all of them.
constexpr auto xs = over<"T">(vertex_feature<"xs", f64, extent<"B">, 3>);
constexpr auto ys = over<"T">(vertex_feature<"ys", f64, extent<"B">>);
constexpr auto hs = trainable(vertex_feature<"hs", f64, extent<"B">, 4>);
constexpr auto batch = [](auto v) {
  auto [last, errors] = scan<"T">(
      v,
      [](auto v, auto h) {
        auto n = cell(v, v(xs), h);
        return next(n).gives(mean(mean(square(sum(matmul(n, R), axis<1>) - v(ys)), axis<0>), all_vertices));
      },
      v(hs));
  return outputs(mean(stacked(errors), axis<0>), last);
};

TEST(windows, of_a_batch_are_what_they_are_one_by_one) {
  const graph g = test::power_law(40, 200, 3);
  const std::int64_t V = g.vertices(), T = 5, B = 3;
  const auto w = drawn({3, 4}, 3), u = drawn({4, 4}, 4), r = drawn({4, 1}, 5);
  const auto in = drawn({T, V, B, 3}, 1), target = drawn({T, V, B}, 2), start = drawn({V, B, 4}, 6);
  auto together = value_and_grad<batch, W>(draft());
  auto alone = value_and_grad<window, W>(draft());
  const auto all = together(g, xs = in, ys = target, hs = start, W = w, U = u, R = r);
  tensor<double> gradient({3, 4});
  double loss = 0;
  for (std::int64_t b = 0; b < B; ++b) {
    const auto of_window = [&](const tensor<double>& from, const dimensions& shape, std::int64_t width) {
      tensor<double> mine(shape);
      for (std::int64_t row = 0; row < mine.size() / width; ++row)
        std::copy_n(from.data() + (row * B + b) * width, width, mine.data() + row * width);
      return mine;
    };
    const auto X = of_window(in, {T, V, 3}, 3), Y = of_window(target, {T, V}, 1), H = of_window(start, {V, 4}, 4);
    const auto now = alone(g, x = X, y = Y, h0 = H, W = w, U = u, R = r);
    loss += now.loss / static_cast<double>(B);
    for (std::int64_t i = 0; i < gradient.size(); ++i)
      gradient.data()[i] += now.gradients[W].data()[i] / static_cast<double>(B);
    expect_near(of_window(all.outputs.get<1>(), {V, 4}, 4), now.outputs[h0], "state " + std::to_string(b));
  }
  EXPECT_NEAR(all.loss, loss, 1e-12);
  expect_near(all.gradients[W], gradient, "gradient");
}

constexpr auto last = [](auto v) {
  return scan<"T">(
      v, [](auto v, auto h) { return cell(v, v(x), h); }, v(h0));
};

TEST(windows, keep_no_step_where_no_gradient_is_asked_for) {
  const auto bytes = [](std::int64_t T) {
    return peak_bytes<last>({.vertices = 500, .edges = 2000, .extents = {sized<"T">(T)}});
  };
  EXPECT_EQ(bytes(1000).inference, bytes(10).inference);
  EXPECT_GT(bytes(1000).training, 50 * bytes(10).training);
}

}  // namespace
}  // namespace stg
