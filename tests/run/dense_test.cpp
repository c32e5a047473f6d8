// test: kernels 0
// Dense products against plain loops, for every instruction set and bitwise for every number of threads.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/dense.hpp>     // product, reduced_product
#include <stg/runtime/isa.hpp>       // isa, set_isa
#include <stg/runtime/parallel.hpp>  // set_threads
#include <stg/runtime/tensor.hpp>    // tensor

#include <gtest/gtest.h>  // TEST

#include <algorithm>         // equal, min
#include <cmath>             // abs
#include <initializer_list>  // initializer_list
#include <random>            // mt19937
#include <string>            // string
#include <vector>            // vector

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

  template <class T> static void check(const sizes& s, bool transpose_w, std::initializer_list<int> thread_counts) {
    const auto x = random_values<T>(s.rows * s.inner, 1), w = random_values<T>(s.inner * s.cols, 2);
    std::vector<T> first;
    for (const int n : thread_counts) {
      set_threads(n);
      std::vector<T> y(static_cast<std::size_t>(s.rows * s.cols), T{99});
      std::vector<T> scratch(static_cast<std::size_t>(product_scratch<T>(s.inner, s.cols)));
      product(x.data(), w.data(), y.data(), scratch.data(), s.rows, s.inner, s.cols, transpose_w);
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

  template <class T> static void check_once(const sizes& s, bool transpose_w) {
    check<T>(s, transpose_w, {1});
    check_reduced<T>(s, {1});
  }

  template <class T> static void check_reduced(const sizes& s, std::initializer_list<int> thread_counts) {
    const std::int64_t k = s.inner, m = s.cols;
    const auto x = random_values<T>(s.rows * k, 1), g = random_values<T>(s.rows * m, 2);
    std::vector<T> first;
    for (const int n : thread_counts) {
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
      check<float>(s, transpose_w, {1, 2, 3, 4});
      check<double>(s, transpose_w, {1, 2, 3, 4});
    }
}

TEST_P(dense, reduced_product_equals_plain_loops) {
  for (const sizes& s : shapes) {
    SCOPED_TRACE(std::to_string(s.rows) + " " + std::to_string(s.inner) + " " + std::to_string(s.cols));
    check_reduced<float>(s, {1, 2, 3, 4});
    check_reduced<double>(s, {1, 2, 3, 4});
  }
}

// Every tail: fewer rows, columns and terms than a tile, a vector or a panel has, and a little more than several.
TEST_P(dense, every_small_extent) {
  for (std::int64_t n = 1; n <= 40; ++n)
    for (const std::int64_t other : {1, 3, 8, 16, 29, 40}) {
      SCOPED_TRACE(std::to_string(n) + " " + std::to_string(other));
      for (const sizes& s : {sizes{n, other, 40 - other}, sizes{other, n, 41 - other}, sizes{41 - other, other, n}}) {
        if (s.cols == 0) continue;
        check_once<float>(s, n % 2 == 0);
        check_once<double>(s, n % 2 == 1);
      }
    }
}

// Around what the kernels cut by: groups of 48 rows, 128 and 256 terms, panels of up to 64 columns. A third of them has
// each rows with each terms, and either with each columns; the proof takes all.
TEST_P(dense, around_blocks) {
#ifdef STG_PROOF
  constexpr int turns = 1;
#else
  constexpr int turns = 3;
#endif
  int turn = 0;
  for (const std::int64_t rows : {47, 48, 49, 95, 97, 127, 129, 241})
    for (const std::int64_t inner : {127, 128, 129, 255, 257})
      for (const std::int64_t cols : {15, 17, 63, 64, 65, 81, 127, 129}) {
        if (turn++ % turns != 0) continue;
        SCOPED_TRACE(std::to_string(rows) + " " + std::to_string(inner) + " " + std::to_string(cols));
        check_once<float>({rows, inner, cols}, rows % 2 == 0);
        if (cols < 66) check_once<double>({rows, inner, cols}, rows % 2 == 1);
      }
}

// Results too large for any cache are written past them: whole lines, and groups of rows that are no whole lines.
TEST_P(dense, results_past_the_caches) {
  for (const sizes& s : {sizes{131100, 1, 64}, sizes{131100, 2, 65}, sizes{70000, 3, 127}, sizes{9001, 300, 1000}}) {
    SCOPED_TRACE(s.cols);
    const auto x = random_values<float>(s.rows * s.inner, 1), w = random_values<float>(s.inner * s.cols, 2);
    std::vector<float> packed(static_cast<std::size_t>(product_scratch<float>(s.inner, s.cols)));
    // One element more, so that y begins on a cache line in one round and beside it in the other.
    auto whole = tensor<float>::for_overwrite({s.rows * s.cols + 1}),
         parts = tensor<float>::for_overwrite({s.rows * s.cols});
    pack_product(w.data(), packed.data(), s.inner, s.cols, false);
    for (std::int64_t r = 0; r < s.rows; r += 101)
      product_rows(x.data() + r * s.inner, packed.data(), parts.data() + r * s.cols,
                   std::min<std::int64_t>(101, s.rows - r), s.inner, s.cols);
    for (const int offset : {0, 1}) {
      whole.fill(99);
      product(x.data(), w.data(), whole.data() + offset, packed.data(), s.rows, s.inner, s.cols, false);
      ASSERT_TRUE(std::equal(parts.begin(), parts.end(), whole.data() + offset)) << offset;
    }
  }
}

TEST_P(dense, rows_have_the_same_bits_however_they_are_cut) {
  constexpr std::int64_t rows = 300, inner = 270, cols = 67;
  const auto x = random_values<float>(rows * inner, 1), w = random_values<float>(inner * cols, 2);
  std::vector<float> packed(product_scratch<float>(inner, cols)), whole(rows * cols);
  product(x.data(), w.data(), whole.data(), packed.data(), rows, inner, cols, true);
  for (const std::int64_t step : {1, 5, 48, 100}) {
    std::vector<float> y(rows * cols);
    for (std::int64_t r = 0; r < rows; r += step)
      product_rows(x.data() + r * inner, packed.data(), y.data() + r * cols, std::min(step, rows - r), inner, cols);
    EXPECT_EQ(y, whole) << step;
  }
}

TEST_P(dense, reduced_rows_accumulate) {
  constexpr std::int64_t rows = 300, k = 37, m = 21;
  const auto x = random_values<double>(rows * k, 1), g = random_values<double>(rows * m, 2);
  std::vector<double> sums(k * m, 99.0);
  for (std::int64_t r = 0; r < rows; r += 70)
    reduced_product_rows(x.data() + r * k, g.data() + r * m, sums.data(), std::min<std::int64_t>(70, rows - r), k, m,
                         r != 0);
  reduced_product_rows<double>(nullptr, nullptr, sums.data(), 0, k, m, true);
  expect_sums(sums, k, rows, m, [&](auto i, auto p, auto j) {
    return x[static_cast<std::size_t>(p * k + i)] * g[static_cast<std::size_t>(p * m + j)];
  });
  reduced_product_rows<double>(nullptr, nullptr, sums.data(), 0, k, m, false);
  EXPECT_EQ(sums, std::vector<double>(k * m, 0.0));
}

TEST_P(dense, empty_sums_are_zero) {
  std::vector<float> y(6, 99.0f), w(15), scratch(product_scratch<float>(5, 3));
  product<float>(nullptr, nullptr, y.data(), nullptr, 2, 0, 3, false);
  EXPECT_EQ(y, std::vector<float>(6, 0.0f));
  y.assign(6, 99.0f);
  reduced_product<float>(nullptr, nullptr, y.data(), nullptr, 0, 2, 3);
  EXPECT_EQ(y, std::vector<float>(6, 0.0f));
  product<float>(nullptr, w.data(), nullptr, scratch.data(), 0, 5, 3, false);
  product<float>(nullptr, nullptr, nullptr, nullptr, 4, 5, 0, true);
  reduced_product<float>(nullptr, nullptr, nullptr, nullptr, 7, 0, 3);
}

TEST_P(dense, nan_is_not_lost) {
  std::vector<float> x(4, 0.0f), w(4, 1.0f), y(4), scratch(product_scratch<float>(2, 2));
  x[3] = std::nanf("");
  product(x.data(), w.data(), y.data(), scratch.data(), 2, 2, 2, false);
  EXPECT_EQ(y[0], 0.0f);
  EXPECT_TRUE(std::isnan(y[2]) && std::isnan(y[3]));
}

INSTANTIATE_TEST_SUITE_P(isa, dense, testing::Values("baseline", "avx2", "avx512"),
                         [](const auto& info) { return info.param; });

static_assert(product_scratch<float>(10, 1) == 160 && product_scratch<double>(10, 9) == 160 &&
              product_scratch<float>(0, 5) == 0);
static_assert(reduced_product_slabs(0) == 1 && reduced_product_slabs(511) == 1 && reduced_product_slabs(512) == 2);
static_assert(reduced_product_slabs(1 << 30) == 16);
static_assert(reduced_product_scratch(511, 10, 10) == 0 && reduced_product_scratch(2708, 1433, 16) == 10 * 1433 * 16);

}  // namespace
}  // namespace stg
