// test: kernels 2, proof kernels all, counted
// Pointwise functions of the language, compiled for the CPU, against the standard library all over the numbers: zeros,
// denormals, the largest, infinities, NaN and many between, in registers of every length.
#include "support/formulas.hpp"  // with_formulas

#include <gtest/gtest.h>  // TEST

#include <stg/stg.hpp>  // compile

#include <algorithm>    // max
#include <cmath>        // ilogb, ldexp
#include <limits>       // numeric_limits
#include <numbers>      // pi
#include <random>       // mt19937
#include <string_view>  // string_view
#include <vector>       // vector

namespace {

using stg::f32;
using stg::f64;

constexpr std::int64_t rows = 40, features = 19;  // one full register of any kind, and rests of every length

template <stg::scalar_type T> inline constexpr auto x = stg::vertex_feature<"x", T, features>;
template <stg::scalar_type T> inline constexpr auto y = stg::vertex_feature<"y", T, features>;

/// What a function is, in more digits than its type has, and by how many units in the last place it may miss.
struct function {
  std::string_view name;
  long double (*exact)(long double, long double);
  double ulps_of_floats, ulps_of_doubles;
  bool of_argument = false;  // units of the argument, where that is the larger number: the result cancels
};

/// Numbers where functions go wrong, then numbers of every size.
template <class T> stg::tensor<T> numbers(unsigned seed) {
  using limits = std::numeric_limits<T>;
  std::vector<T> all = {0,
                        limits::denorm_min(),
                        limits::min(),
                        limits::max(),
                        limits::infinity(),
                        limits::quiet_NaN(),
                        1,
                        T(.5),
                        T(1.5),
                        T(2.5),
                        T(3.5),
                        2,
                        3,
                        8,
                        T(1) + limits::epsilon(),
                        T(1) - limits::epsilon() / 2,
                        T(std::numbers::pi),
                        T(std::numbers::pi / 2),
                        10,
                        20,
                        50,
                        87,
                        89,
                        127,
                        128,
                        700,
                        710,
                        8000,
                        1e5,
                        1e30f};
  for (std::size_t i = 0, n = all.size(); i < n; ++i) all.push_back(-all[i]);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> fraction(1, 2);
  while (all.size() < static_cast<std::size_t>(rows * features)) {
    const int size = random() % 4 == 0 ? 20 - static_cast<int>(random() % 60) : 3 - static_cast<int>(random() % 8);
    all.push_back(static_cast<T>(std::ldexp(random() % 2 == 0 ? fraction(random) : -fraction(random), size)));
  }
  std::shuffle(all.begin(), all.end(), random);
  stg::tensor<T> t({rows, features});
  std::copy(all.begin(), all.end(), t.data());
  return t;
}

/// Whether a result is the exact one but for so many units. Numbers too small to be normal may be 0.
template <class T> bool agrees(T result, long double exact, double ulps, long double size) {
  using limits = std::numeric_limits<T>;
  if (std::isnan(exact)) return std::isnan(result);
  if (std::isinf(exact)) return result == static_cast<T>(exact);
  if (std::abs(exact) > limits::max())
    return std::abs(result) >= limits::max() && std::signbit(result) == std::signbit(exact);
  size = std::max(std::abs(exact), size);
  const long double unit = size < limits::min() ? static_cast<long double>(limits::min())
                                                : std::ldexp(1.0L, std::ilogb(size) + 1 - limits::digits);
  return std::abs(static_cast<long double>(result) - exact) <= ulps * unit;
}

template <const auto& Program, class T, class... Argument>
void check(std::initializer_list<function> functions, const stg::tensor<T>& X, const stg::tensor<T>& Y,
           const Argument&... bound) {
  const auto graph = stg::graph::from_edges(rows, std::span<const std::int64_t>(), std::span<const std::int64_t>());
  auto expected = functions.begin();
  stg::for_each(stg::compile<Program>()(graph, bound...), [&](std::string_view, const stg::tensor<T>& results) {
    ASSERT_NE(expected, functions.end());
    const double ulps = sizeof(T) == 4 ? expected->ulps_of_floats : expected->ulps_of_doubles;
    for (std::int64_t i = 0; i < results.size(); ++i) {
      const T a = X.data()[i], b = Y.data()[i];
      const long double exact = expected->exact(a, b);
      EXPECT_TRUE(agrees(results.data()[i], exact, ulps, expected->of_argument ? std::abs(a) : T(0)))
          << expected->name << '(' << a << ", " << b << "): " << results.data()[i] << " instead of " << exact;
    }
    ++expected;
  });
  EXPECT_EQ(expected, functions.end());
}

#define STG_IS(expression) [](long double a, [[maybe_unused]] long double b) -> long double { return expression; }

template <stg::scalar_type T>
inline constexpr auto elementary = [](auto v) {
  return []<class... Op>(auto a, auto b, stg::test::operations<Op...>) {
    return stg::outputs(stg::test::of_values<Op>(a, b)...);
  }(v(x<T>), v(y<T>), stg::test::with_formulas);
};
template <stg::scalar_type T> void check_elementary() {
  const auto X = numbers<stg::element_t<T>>(1), Y = numbers<stg::element_t<T>>(4);
  [&]<class... Op>(stg::test::operations<Op...>) {
    static_assert(sizeof...(Op) >= 18);
    check<elementary<T>>({{name_of(Op::code), stg::test::exact<Op>, Op::within.of_floats, Op::within.of_doubles}...}, X,
                         Y, x<T> = X, y<T> = Y);
  }(stg::test::with_formulas);
}
TEST(pointwise, elementary_functions_of_floats) { check_elementary<f32>(); }
TEST(pointwise, elementary_functions_of_doubles) { check_elementary<f64>(); }

template <stg::scalar_type T>
inline constexpr auto activations = [](auto v) {
  auto a = v(x<T>);
  return stg::outputs(sigmoid(a), silu(a), gelu(a), gelu(a, stg::approximate::tanh), softplus(a), softplus(a, 0.5, 3),
                      selu(a), hardtanh(a), hardtanh(a, -2, 2.5), tan(a));
};
template <stg::scalar_type T>
inline constexpr auto arithmetic = [](auto v) {
  auto a = v(x<T>), b = v(y<T>);
  return stg::outputs(square(a), reciprocal(a), clamp(a, -2, 2.5), clamp(a, b, 3), sign(a), floor(a), ceil(a), round(a),
                      fmod(a, b), fmod(a, 2.5), detach(a));
};

template <stg::scalar_type T> void check_composed() {
  const auto X = numbers<stg::element_t<T>>(2), Y = numbers<stg::element_t<T>>(3);
  constexpr long double scale = 1.0507009873554804934L, alpha = 1.6732632423543772848L;
  check<activations<T>>(
      {{"sigmoid", STG_IS(1 / (1 + std::exp(-a))), 3, 2, true},
       {"silu", STG_IS(a / (1 + std::exp(-a))), 3, 3, true},
       {"gelu", STG_IS(a / 2 * std::erfc(-a / std::sqrt(2.0L))), 3, 3, true},
       {"gelu by tanh",
        STG_IS(a / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi_v<long double>) * (a + 0.044715L * a * a * a)))),
        4, 4, true},
       {"softplus", STG_IS(a > 20 ? a : std::log1p(std::exp(a))), 3, 3},
       {"softplus of a slope", STG_IS(a > 6 ? a : 2 * std::log1p(std::exp(a / 2))), 3, 3},
       {"selu", STG_IS(scale * (a > 0 ? a : alpha * std::expm1(a))), 5, 4},
       {"hardtanh",
        STG_IS(a < -1  ? -1
               : a > 1 ? 1
                       : a),
        0, 0},
       {"hardtanh between others",
        STG_IS(a < -2     ? -2
               : a > 2.5L ? 2.5L
                          : a),
        0, 0},
       {"tan", STG_IS(std::tan(a)), 5, 3}},
      X, X, x<T> = X);
  check<arithmetic<T>>({{"square", STG_IS(a * a), .5, .5},
                        {"reciprocal", STG_IS(1 / a), .5, .5},
                        {"clamp",
                         STG_IS(a < -2     ? -2
                                : a > 2.5L ? 2.5L
                                           : a),
                         0, 0},
                        {"clamp at a value",
                         STG_IS(a < b   ? (b > 3 ? 3 : b)
                                : a > 3 ? 3
                                        : a),
                         0, 0},
                        {"sign",
                         STG_IS(a > 0   ? 1
                                : a < 0 ? -1
                                        : a),
                         0, 0},
                        {"floor", STG_IS(std::floor(a)), 0, 0},
                        {"ceil", STG_IS(std::ceil(a)), 0, 0},
                        {"round", STG_IS(std::nearbyint(a)), 0, 0},
                        {"fmod", STG_IS(std::fmod(a, b)), 0, 0},
                        {"fmod of a number", STG_IS(std::fmod(a, 2.5L)), 0, 0},
                        {"detach", STG_IS(a), 0, 0}},
                       X, Y, x<T> = X, y<T> = Y);
}
TEST(pointwise, composed_functions_of_floats) { check_composed<f32>(); }
TEST(pointwise, composed_functions_of_doubles) { check_composed<f64>(); }

template <stg::scalar_type T>
inline constexpr auto conditions = [](auto v) {
  auto positive = v(x<T>) > 0.0, below = v(x<T>) < v(y<T>);
  return stg::outputs(stg::cast<T>(is_nan(v(x<T>))), stg::cast<T>(positive & below), stg::cast<T>(positive | below),
                      stg::cast<T>(positive ^ below), stg::cast<T>(!positive));
};
template <stg::scalar_type T> void check_conditions() {
  const auto X = numbers<stg::element_t<T>>(4), Y = numbers<stg::element_t<T>>(5);
  check<conditions<T>>({{"is_nan", STG_IS(std::isnan(a)), 0, 0},
                        {"&", STG_IS(a > 0 && a < b), 0, 0},
                        {"|", STG_IS(a > 0 || a < b), 0, 0},
                        {"^", STG_IS((a > 0) != (a < b)), 0, 0},
                        {"!", STG_IS(!(a > 0)), 0, 0}},
                       X, Y, x<T> = X, y<T> = Y);
}
TEST(pointwise, conditions_on_floats) { check_conditions<f32>(); }
TEST(pointwise, conditions_on_doubles) { check_conditions<f64>(); }

// Integers: towards 0, in registers and one by one; what would end the process has a value.
constexpr auto quotient = [](auto v) { return v(x<stg::i32>) / v(y<stg::i32>); };
constexpr auto a = stg::vertex_feature<"a", stg::i32>;
constexpr auto b = stg::vertex_feature<"b", stg::i32>;
constexpr auto single_quotient = [](auto v) { return v(a) / v(b); };

TEST(pointwise, integers_are_divided_towards_zero) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  const std::vector<std::int32_t> over = {7, -7, 7, -7, 0, 5, least, least, least, 1},
                                  by = {2, 2, -2, -2, 3, 0, -1, 0, 1, least};
  const std::vector<std::int32_t> expected = {3, -3, -3, 3, 0, 0, least, 0, least, 0};
  const std::int64_t none[] = {0};
  const auto graph =
      stg::graph::from_edges(rows, std::span<const std::int64_t>(none, 0), std::span<const std::int64_t>(none, 0));
  stg::tensor<std::int32_t> X({rows, features}), Y({rows, features}), A({rows}), B({rows});
  const auto at = [&](std::int64_t k) { return static_cast<std::size_t>(k) % over.size(); };
  for (std::int64_t k = 0; k < X.size(); ++k) X.data()[k] = over[at(k)], Y.data()[k] = by[at(k)];
  for (std::int64_t k = 0; k < rows; ++k) A.data()[k] = over[at(k)], B.data()[k] = by[at(k)];
  const auto wide = stg::compile<quotient>()(graph, x<stg::i32> = X, y<stg::i32> = Y);
  for (std::int64_t k = 0; k < X.size(); ++k) ASSERT_EQ(wide.data()[k], expected[at(k)]) << k;
  const auto single = stg::compile<single_quotient>()(graph, a = A, b = B);
  for (std::int64_t k = 0; k < rows; ++k) ASSERT_EQ(single.data()[k], expected[at(k)]) << k;
}

}  // namespace
