// test: draft runtime
// Sums, norms and clipping of gradient sets, bitwise for every number of threads; copies, zeros and parts of sets.
#include "expect_error.hpp"         // expect_error
#include "support/counted_new.hpp"  // new_calls
#include "support/trained_set.hpp"  // trained_set, filled_set

#include <stg/runtime/early_stopping.hpp>  // early_stopping
#include <stg/runtime/edge_values.hpp>     // edge_values
#include <stg/runtime/gradients.hpp>       // add, norm, clip_norm, clip_values
#include <stg/runtime/isa.hpp>             // isa, set_isa
#include <stg/runtime/optimizer.hpp>       // sgd, adamw
#include <stg/runtime/parallel.hpp>        // set_threads

#include <gtest/gtest.h>

#include <algorithm>    // max, min
#include <cmath>        // isnan, nan, sqrt
#include <limits>       // numeric_limits
#include <string>       // string
#include <type_traits>  // is_same_v
#include <utility>      // move
#include <vector>       // vector

namespace stg {
namespace {

using test::exact_name;
using test::large_name;
using test::small_name;
using test::small_symbol;
using set = test::trained_set;
using reordered = named_values<named_value<exact_name, tensor<double>>, named_value<small_name, tensor<float>>,
                               named_value<large_name, tensor<float>>>;

/// Large enough for several parts of several threads, in blocks that do not come out even.
template <class Set = set> Set filled(double phase) {
  return test::filled_set<Set>(phase, {7, 3}, {1100, 301}, {50, 401});
}

std::vector<double> numbers(const set& s) {
  std::vector<double> all;
  for_each(s, [&](std::string_view, const auto& t) { all.insert(all.end(), t.begin(), t.end()); });
  return all;
}

/// What `change` makes of filled(0), the same with every instruction set to 1e-6 and for any number of threads bitwise.
template <class Change> std::vector<double> changed(Change change) {
  const std::string before = isa();
  const int threads_before = threads();
  std::vector<double> first;
  for (const std::string with : {"baseline", "avx2", "avx512"}) {
    try {
      set_isa(with);
    } catch (const error&) {
      continue;
    }
    std::vector<double> of_one;
    for (const int n : {1, 2, 3, 4}) {
      set_threads(n);
      set s = filled(0);
      change(s);
      const std::vector<double> now = numbers(s);
      if (n == 1) of_one = now;
      EXPECT_EQ(now, of_one) << n << " threads, " << with;
    }
    if (first.empty()) first = of_one;
    for (std::size_t i = 0; i < first.size() && first != of_one; ++i) EXPECT_NEAR(of_one[i], first[i], 1e-6) << with;
  }
  set_isa(before);
  set_threads(threads_before);
  return first;
}

TEST(gradients, are_added_by_name) {
  const reordered more = filled<reordered>(1);
  const std::vector<double> a = numbers(filled(0)), b = numbers(filled(1));
  const auto sum = changed([&](set& s) { s += more; });
  const auto scaled = changed([&](set& s) { add(s, more, -0.25); });
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_NEAR(sum[i], a[i] + b[i], 2e-7) << i;
    ASSERT_NEAR(scaled[i], a[i] - 0.25 * b[i], 2e-7) << i;
  }
  set twice = filled(0);
  twice += twice;
  const std::vector<double> doubled = numbers(twice);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(doubled[i], 2 * a[i]) << i;
}

TEST(gradients, are_scaled) {
  const std::vector<double> a = numbers(filled(0));
  const auto now = changed([](set& s) { s *= 0.5; });
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(now[i], 0.5 * a[i]) << i;
}

TEST(gradients, that_differ_are_refused_and_nothing_is_changed) {
  set sum = filled(0);
  set other = filled(1);
  other.get<2>() = tensor<double>({401, 50});
  test::expect_error([&] { sum += other; },
                     {"'exact' has shape (401, 50) in the set that is added, (50, 401) in the sum"});
  EXPECT_EQ(numbers(sum), numbers(filled(0)));
}

/// The sums over each tensor's numbers, in order.
double norm_in_order(const set& s) {
  long double sum = 0;
  for (const double x : numbers(s)) sum += static_cast<long double>(x) * x;
  return static_cast<double>(std::sqrt(sum));
}

TEST(gradients, have_a_norm) {
  const double expected = norm_in_order(filled(0));
  std::vector<double> norms;
  changed([&](set& s) {
    norms.push_back(norm(s));
    EXPECT_NEAR(norms.back(), expected, 1e-12 * expected);
    EXPECT_EQ(norms.back(), norms[(norms.size() - 1) / 4 * 4]) << "another number of threads";
  });
  EXPECT_EQ(norm(set()), 0);
  EXPECT_EQ(norm(named_values<>()), 0);
  set one = filled(0).zeros();
  one.get<1>()(1099, 300) = -3;
  one.get<2>()(49, 400) = 4;
  EXPECT_EQ(norm(one), 5);
}

TEST(gradients, are_clipped_by_their_norm_as_pytorch_does) {
  const std::vector<double> a = numbers(filled(0));
  const double before = norm_in_order(filled(0));
  double said = 0;
  const auto now = changed([&](set& s) { said = clip_norm(s, 2); });
  EXPECT_NEAR(said, before, 1e-12 * before);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(now[i], a[i] * 2 / (before + 1e-6), 1e-9) << i;
  EXPECT_EQ(changed([&](set& s) { said = clip_norm(s, before + 1); }), a);
  EXPECT_NEAR(said, before, 1e-12 * before);
  set none = filled(0);
  none.get<1>()(5, 5) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(clip_norm(none, 1)));
  for (const double x : numbers(none)) ASSERT_TRUE(std::isnan(x));
  for (const double wrong : {0.0, -1.0, std::nan("")})
    test::expect_error([&] { clip_norm(none, wrong); }, {"gradients are clipped to", "give a number above 0"});
}

TEST(gradients, are_clipped_by_value) {
  const std::vector<double> a = numbers(filled(0));
  const auto now = changed([](set& s) { clip_values(s, 0.25); });
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(now[i], std::min(std::max(a[i], -0.25), 0.25)) << i;
  set none = filled(0);
  none.get<0>()(0, 0) = std::numeric_limits<float>::quiet_NaN();
  none.get<0>()(0, 1) = std::numeric_limits<float>::infinity();
  clip_values(none, 0.25);
  EXPECT_TRUE(std::isnan(none.get<0>()(0, 0)));
  EXPECT_EQ(none.get<0>()(0, 1), 0.25f);
  test::expect_error([&] { clip_values(none, 0); }, {"gradients are clipped to 0; give"});
  test::expect_error([&] { clip_values(none, -1e-9); }, {"gradients are clipped to -1e-09; give"});
}

TEST(gradients, and_what_stands_around_a_step_allocate_nothing) {
  set sum = filled(0), params = filled(2);
  const set more = filled(1);
  adamw optimizer(params);
  early_stopping stopping(params);
  const auto epoch = [&](double value) {
    sum += more;
    clip_norm(sum, 1);
    clip_values(sum, 0.01);
    sum *= 2;
    optimizer.learning_rate(value).step(sum);
    stopping.stop_after(value);
    stopping.restore();
  };
  epoch(0.3);
  const std::int64_t before = test::new_calls;
  epoch(0.2);
  epoch(0.1);
  EXPECT_EQ(test::new_calls, before);
}

TEST(named_values, give_copies_zeros_and_parts) {
  set s = filled(0);
  const set kept = s.clone();
  set parts = s.of(kept);
  EXPECT_EQ(parts.get<1>().data(), s.get<1>().data());
  parts *= 2;
  EXPECT_EQ(s.get<1>()(0, 0), 2 * kept.get<1>()(0, 0));
  for (const double x : numbers(s.zeros())) EXPECT_EQ(x, 0);

  named_values<named_value<exact_name, tensor<double>>> some;
  auto one = s.of(some);
  EXPECT_EQ(one.get<0>().data(), s.get<2>().data());
  const set& constant = s;
  EXPECT_EQ(constant.of(some).get<0>().data(), s.get<2>().data());

  some = one.clone();
  sgd optimizer(some, {.learning_rate = 1});  // trains a part of what there are gradients of
  optimizer.step(s.of(some));
  for (const double w : some.get<0>()) EXPECT_EQ(w, 0);

  using of_edges = named_values<named_value<small_name, edge_values<float>>>;
  of_edges edges;
  edges.get<0>() = edge_values<float>::in_id_order(tensor<float>::full({3}, 2));
  of_edges copy = edges.clone();
  copy += edges;
  EXPECT_EQ(copy.get<0>().values()(2), 4);
  EXPECT_EQ(edges.get<0>().values()(2), 2);
  EXPECT_EQ(norm(edges.zeros()), 0);
}

TEST(named_values, of_parameters_are_told_from_gradients) {
  using parameters = named_values<named_value<small_name, tensor<float>, as_parameters>>;
  using gradients = named_values<named_value<small_name, tensor<float>, as_gradients>>;
  static_assert(detail::is_parameters<parameters> && !detail::is_gradients<parameters>);
  static_assert(detail::is_gradients<gradients> && !detail::is_parameters<gradients>);
  static_assert(std::is_same_v<parameters::plain, gradients::plain> && !detail::is_parameters<parameters::plain>);

  parameters weights;
  weights.get<0>() = tensor<float>::from({2}, {1, -3});
  auto numbers = weights.numbers();
  clip_values(numbers, 2);
  EXPECT_EQ(weights.get<0>()(1), -2);

  gradients sum = weights.zeros();  // plain numbers stand for either
  sum += weights;
  const auto part = sum.of(weights);
  static_assert(std::is_same_v<decltype(part), const gradients>);
  EXPECT_EQ(part.get<0>().data(), sum.get<0>().data());
  sgd(weights, {.learning_rate = 1}).step(part);
  EXPECT_EQ(norm(weights), 0);

  const float* at = weights.get<0>().data();
  const parameters::plain taken = std::move(weights).numbers();
  EXPECT_EQ(taken.get<0>().data(), at);
}

}  // namespace
}  // namespace stg
