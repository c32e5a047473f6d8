// test: draft programs_at_run_time
// Layers with a gradient of their own: right ones, a wrong one that check_gradients names, several values, scans,
// gradients of gradients, and values through which no gradient may pass.
#include "support/families.hpp"  // mixed

#include <stg/analysis/verify.hpp>       // verify
#include <stg/call/check_gradients.hpp>  // check_gradients
#include <stg/pipeline.hpp>              // canonical
#include <stg/stg.hpp>                   // the language

#include <gtest/gtest.h>  // TEST

#include <cmath>   // floor
#include <random>  // mt19937

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", f64, 3>);
constexpr auto b = parameter<"b", f64, 3>;
constexpr auto kind = vertex_feature<"kind", i32>;

tensor<double> drawn(const dimensions& shape, std::uint64_t seed) {
  tensor<double> t(shape);
  uniform(t, 0.1, 0.9, seed);
  return t;
}

// floor's part is constant between whole numbers, so that the gradient is right where it is compared.
constexpr auto stepped =
    custom_gradient([](auto, auto h) { return floor(h) + h * h; }, [](auto, auto d, auto h) { return 2.0 * h * d; });
constexpr auto wrong = custom_gradient([](auto, auto h) { return h * h; }, [](auto, auto d, auto h) { return h * d; });

constexpr auto once = [](auto v) { return tanh(stepped(v, mean(v.in_edges().src(x)))); };
constexpr auto once_wrongly = [](auto v) { return tanh(wrong(v, mean(v.in_edges().src(x)))); };
TEST(own_gradient, is_checked_by_differences) {
  const graph g = test::mixed();
  const auto X = drawn({5, 3}, 1);
  const gradient_check right = check_gradients<once>(g, x = X);
  EXPECT_TRUE(right) << right;
  const gradient_check off = check_gradients<once_wrongly>(g, x = X);
  EXPECT_FALSE(off);
  EXPECT_EQ(off.worst.value, "x");
  EXPECT_NEAR(off.worst.found, off.worst.expected / 2, 1e-6);
}

TEST(own_gradient, is_what_a_compiled_program_computes) {
  const graph g = test::mixed();
  const auto X = drawn({5, 3}, 1);
  constexpr double most = 1.0;
  const auto plain = compile<once>()(g, x = X);
  auto tape = compile_for_training<once>().record(g, x = X);
  const auto y = tape.output();
  const auto gradients = tape.backward(tensor<double>::full({5, 3}, most));
  const adjacency in = g.in_edges();
  std::vector<double> expected(15, 0);
  for (std::int64_t v = 0; v < 5; ++v)
    for (std::int64_t f = 0; f < 3; ++f) {
      const auto n = static_cast<double>(in.end(v) - in.begin(v));
      double m = 0;
      for (std::int64_t k = in.begin(v); k < in.end(v); ++k) m += X(in.neighbour(k), f) / n;
      const double t = std::tanh(std::floor(m) + m * m);
      EXPECT_NEAR(y(v, f), t, 1e-12);
      EXPECT_NEAR(plain(v, f), t, 1e-12);
      for (std::int64_t k = in.begin(v); k < in.end(v); ++k)
        expected[static_cast<std::size_t>(in.neighbour(k) * 3 + f)] += (1 - t * t) * 2 * m / n;
    }
  for (std::int64_t i = 0; i < 15; ++i)
    EXPECT_NEAR(gradients[x].data()[i], expected[static_cast<std::size_t>(i)], 1e-12);
}

// Two results, of which one has no cotangent; a label that is passed; a value for each kind of space; a number; and a
// gradient that reads the graph by itself.
constexpr auto two = custom_gradient(
    [](auto v, auto h, auto bias, auto of) {
      auto y = h * bias * cast<f64>(of);
      return std::tuple(y, sum(v.in_edges().src(h)), of == 1);
    },
    [](auto v, auto dy, auto dsum, auto h, auto bias, auto of) {
      auto scaled = dy * cast<f64>(of);
      return std::tuple(scaled * bias + sum(v.out_edges().dst(dsum)), sum(scaled * h, all_vertices));
    });
constexpr auto first_of_two = [](auto v) { return std::get<0>(two(v, v(x), b, v(kind))); };
constexpr auto both_of_two = [](auto v) {
  auto [y, z, is_one] = two(v, v(x), b, v(kind));
  return select(is_one, y, 0.5 * y) * z;
};
constexpr auto constant = custom_gradient([](auto, auto h) { return h + 1.0; }, [](auto, auto, auto) { return 0; });
constexpr auto with_constant = [](auto v) { return constant(v, v(x)) * detach(v(x)) + v(x); };
TEST(own_gradient, of_several_values) {
  const graph g = test::mixed();
  const auto X = drawn({5, 3}, 1), B = drawn({3}, 2);
  const auto kinds = tensor<std::int32_t>::from({5}, {1, 2, 1, 3, 1});
  const gradient_check one = check_gradients<first_of_two>(g, x = X, b = B, kind = kinds);
  EXPECT_TRUE(one) << one;
  const gradient_check all = check_gradients<both_of_two>(g, x = X, b = B, kind = kinds);
  EXPECT_TRUE(all) << all;
  auto tape = compile_for_training<with_constant>().record(g, x = X);
  const auto gradients = tape.backward(tensor<double>::full({5, 3}, 1.0));
  for (const double d : gradients[x]) EXPECT_EQ(d, 1);
}

constexpr auto repeated = [](auto v) {
  return scan<3>(
      v, [](auto v, auto h) { return stepped(v, mean(v.in_edges().src(h)) * 0.9) + 0.1 * v(x); }, v(x));
};
constexpr auto steep = [](auto v) {
  auto total = sum(sum(stepped(v, v(x)), axis<0>), all_vertices);
  return square(gradient(total, v(x)));
};
TEST(own_gradient, in_the_step_of_a_scan_and_differentiated_again) {
  const graph g = test::mixed();
  const auto X = drawn({5, 3}, 1);
  const gradient_check in_scan = check_gradients<repeated>(g, x = X);
  EXPECT_TRUE(in_scan) << in_scan;
  const gradient_check again = check_gradients<steep>(g, x = X);
  EXPECT_TRUE(again) << again;
  const auto slopes = compile<steep>()(g, x = X);
  for (std::int64_t i = 0; i < 15; ++i) EXPECT_NEAR(slopes.data()[i], 4 * X.data()[i] * X.data()[i], 1e-12);
}

TEST(own_gradient, keeps_every_rule_on_the_way) {
  for (const ir::program& traced : {trace(once), trace(both_of_two), trace(repeated), trace(with_constant)}) {
    EXPECT_EQ(pass::verify(traced), pass::finding());
    const ir::program p = pipeline::canonical(traced);
    EXPECT_EQ(pass::verify(p), pass::finding());
    const pass::differentiated d = pipeline::differentiated(p, {0}, pass::trainable_inputs(p));
    for (const ir::program& half : {d.forward, d.gradient, pipeline::inferred(p)}) {
      EXPECT_EQ(pass::verify(half), pass::finding());
      for (const ir::statement& s : half.statements) EXPECT_NE(s.code, ir::opcode::own_gradient);
    }
  }
}

constexpr auto guarded = [](auto v) { return not_differentiable<"teacher">(tanh(v(x))) * v(x); };
constexpr auto beside = [](auto v) { return detach(not_differentiable<"teacher">(tanh(v(x)))) * v(x); };
TEST(not_differentiable, refuses_and_is_otherwise_the_value) {
  const ir::program p = pipeline::canonical(trace(guarded)), q = pipeline::canonical(trace(beside));
  EXPECT_EQ(pass::verify(p), pass::finding());
  EXPECT_THROW(pass::autodiff(p, {0}, pass::trainable_inputs(p)), pass::operation_has_no_gradient);
  EXPECT_NO_THROW(pass::autodiff(q, {0}, pass::trainable_inputs(q)));
  const graph g = test::mixed();
  const auto X = drawn({5, 3}, 1);
  const auto y = compile<guarded>()(g, x = X), z = compile<beside>()(g, x = X);
  for (std::int64_t i = 0; i < 15; ++i) EXPECT_NEAR(y.data()[i], std::tanh(X.data()[i]) * X.data()[i], 1e-12);
  for (std::int64_t i = 0; i < 15; ++i) EXPECT_EQ(y.data()[i], z.data()[i]);
}

}  // namespace
}  // namespace stg
