// Dense products against plain loops, for every instruction set and bitwise for every number of threads.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/dense.hpp>     // product, reduced_product
#include <stg/runtime/isa.hpp>       // isa, set_isa
#include <stg/runtime/parallel.hpp>  // set_threads

#include <gtest/gtest.h>  // TEST

#include <cmath>   // abs
#include <random>  // mt19937
#include <string>  // string
#include <vector>  // vector

namespace stg {
namespace {

template <class T> std::vector<T> random_values(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& v : values) v = static_cast<T>(uniform(random));
  return values;
}

struct sizes {
  std::int64_t rows, inner, cols;
};

// Around the edges of blocks, tiles and vectors, and the shapes of two-layer models.
constexpr sizes shapes[] = {{1, 1, 1},      {3, 5, 2},      {17, 16, 7},    {255, 3, 8},    {257, 300, 16},
                            {600, 257, 17}, {520, 40, 33},  {700, 64, 48},  {513, 129, 49}, {300, 260, 270},
                            {5, 700, 65},   {4500, 20, 11}, {4100, 33, 64}, {2, 1433, 16}};

class dense : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    before_ = isa();
    threads_before_ = threads();
    try {
      set_isa(GetParam());
    } catch (const error& e) {
      GTEST_SKIP() << e.what();
    }
  }
  void TearDown() override {
    set_isa(before_);
    set_threads(threads_before_);
  }

  /// Compares with plain sums in double, relative to the sum of absolute terms.
  template <class T, class Term>
  static void expect_sums(const std::vector<T>& y, std::int64_t rows, std::int64_t terms, std::int64_t cols,
                          Term term) {
    const double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-14;
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < cols; ++j) {
        double sum = 0, size = 0;
        for (std::int64_t p = 0; p < terms; ++p) {
          const double t = term(i, p, j);
          sum += t;
          size += std::abs(t);
        }
        ASSERT_NEAR(y[static_cast<std::size_t>(i * cols + j)], sum, tolerance * size) << i << ", " << j;
      }
  }

  template <class T> static void check(const sizes& s, bool transpose_w) {
    const auto x = random_values<T>(s.rows * s.inner, 1), w = random_values<T>(s.inner * s.cols, 2);
    std::vector<T> first;
    for (const int n : {1, 2, 3, 4}) {
      set_threads(n);
      std::vector<T> y(static_cast<std::size_t>(s.rows * s.cols), T{99});
      product(x.data(), w.data(), y.data(), s.rows, s.inner, s.cols, transpose_w);
      if (n == 1) {
        first = y;
        expect_sums(y, s.rows, s.inner, s.cols, [&](auto i, auto p, auto j) {
          return double(x[static_cast<std::size_t>(i * s.inner + p)]) *
                 double(w[static_cast<std::size_t>(transpose_w ? j * s.inner + p : p * s.cols + j)]);
        });
      }
      ASSERT_EQ(y, first) << n << " threads";
    }
  }

  template <class T> static void check_reduced(const sizes& s) {
    const std::int64_t k = s.inner, m = s.cols;
    const auto x = random_values<T>(s.rows * k, 1), g = random_values<T>(s.rows * m, 2);
    std::vector<T> first;
    for (const int n : {1, 2, 3, 4}) {
      set_threads(n);
      std::vector<T> y(static_cast<std::size_t>(k * m), T{99});
      std::vector<T> scratch(static_cast<std::size_t>(reduced_product_scratch(s.rows, k, m)));
      reduced_product(x.data(), g.data(), y.data(), scratch.data(), s.rows, k, m);
      if (n == 1) {
        first = y;
        expect_sums(y, k, s.rows, m, [&](auto i, auto p, auto j) {
          return double(x[static_cast<std::size_t>(p * k + i)]) * double(g[static_cast<std::size_t>(p * m + j)]);
        });
      }
      ASSERT_EQ(y, first) << n << " threads";
    }
  }

 private:
  std::string before_;
  int threads_before_ = 1;
};

TEST_P(dense, product_equals_plain_loops) {
  for (const sizes& s : shapes)
    for (const bool transpose_w : {false, true}) {
      SCOPED_TRACE(std::to_string(s.rows) + " " + std::to_string(s.inner) + " " + std::to_string(s.cols));
      check<float>(s, transpose_w);
      check<double>(s, transpose_w);
    }
}

TEST_P(dense, reduced_product_equals_plain_loops) {
  for (const sizes& s : shapes) {
    SCOPED_TRACE(std::to_string(s.rows) + " " + std::to_string(s.inner) + " " + std::to_string(s.cols));
    check_reduced<float>(s);
    check_reduced<double>(s);
  }
}

TEST_P(dense, empty_sums_are_zero) {
  std::vector<float> y(6, 99.0f);
  product<float>(nullptr, nullptr, y.data(), 2, 0, 3, false);
  EXPECT_EQ(y, std::vector<float>(6, 0.0f));
  y.assign(6, 99.0f);
  reduced_product<float>(nullptr, nullptr, y.data(), nullptr, 0, 2, 3);
  EXPECT_EQ(y, std::vector<float>(6, 0.0f));
  product<float>(nullptr, nullptr, nullptr, 0, 5, 3, false);
  product<float>(nullptr, nullptr, nullptr, 4, 5, 0, true);
  reduced_product<float>(nullptr, nullptr, nullptr, nullptr, 7, 0, 3);
}

TEST_P(dense, nan_is_not_lost) {
  std::vector<float> x(4, 0.0f), w(4, 1.0f), y(4);
  x[3] = std::nanf("");
  product(x.data(), w.data(), y.data(), 2, 2, 2, false);
  EXPECT_EQ(y[0], 0.0f);
  EXPECT_TRUE(std::isnan(y[2]) && std::isnan(y[3]));
}

INSTANTIATE_TEST_SUITE_P(isa, dense, testing::Values("baseline", "avx2", "avx512"),
                         [](const auto& info) { return info.param; });

static_assert(reduced_product_slabs(0) == 1 && reduced_product_slabs(511) == 1 && reduced_product_slabs(512) == 2);
static_assert(reduced_product_slabs(1 << 30) == 16);
static_assert(reduced_product_scratch(511, 10, 10) == 0 && reduced_product_scratch(2708, 1433, 16) == 10 * 1433 * 16);

}  // namespace
}  // namespace stg
