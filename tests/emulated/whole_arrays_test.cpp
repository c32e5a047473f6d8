// test: calls
// Kernels over whole arrays by themselves, at sizes that programs of tests do not reach: sums and maxima in slabs, and
// products with sparse rows whose columns have many entries.
#include <stg/codegen/cuda/reduce.hpp>     // reduce_kernel, sparse_product_kernel
#include <stg/runtime/sparse_product.hpp>  // sparse_product, sparse_reduced_product

#include "emulator/launch.hpp"  // launch

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // max
#include <cmath>      // abs
#include <limits>     // numeric_limits
#include <vector>     // vector

namespace stg {
namespace {

/// Any numbers, the same each time; neighbours differ in sign.
template <class T> std::vector<T> numbers(std::int64_t n, int seed) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    x[static_cast<std::size_t>(i)] = static_cast<T>((i * 7919 + seed * 104729) % 2003) / T(1001.5) - 1;
  return x;
}
template <class T> constexpr double tolerance = sizeof(T) == 4 ? 1e-5 : 1e-12;

template <class T, class Op> std::vector<T> reduced(const std::vector<T>& x, std::int64_t rows, std::int64_t width) {
  const std::int64_t slabs = gpu::reducing_slabs<T>(rows, width);
  std::vector<T> parts(static_cast<std::size_t>(slabs * width)), y(static_cast<std::size_t>(width));
  const gpu::reduce_kernel<T, Op> first{x.data(), slabs == 1 ? y.data() : parts.data(), rows, width, slabs};
  emulator::launch(first, first.launched_with());
  if (slabs == 1) return y;
  const gpu::reduce_kernel<T, Op> then{parts.data(), y.data(), slabs, width, 1};
  emulator::launch(then, then.launched_with());
  return y;
}

template <class T> void check_reductions(std::int64_t rows, std::int64_t width) {
  SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(width));
  const std::vector<T> x = numbers<T>(rows * width, 1);
  const auto sum = reduced<T, gpu::detail::add>(x, rows, width), most = reduced<T, gpu::detail::larger>(x, rows, width);
  for (std::int64_t f = 0; f < width; ++f) {
    double expected = 0, size = 1;
    T largest = rows == 0 ? T{} : std::numeric_limits<T>::lowest();
    for (std::int64_t row = 0; row < rows; ++row) {
      const T v = x[static_cast<std::size_t>(row * width + f)];
      expected += static_cast<double>(v);
      size += std::abs(static_cast<double>(v));
      largest = std::max(largest, v);
    }
    ASSERT_NEAR(static_cast<double>(sum[static_cast<std::size_t>(f)]), expected, tolerance<T> * size) << f;
    ASSERT_EQ(most[static_cast<std::size_t>(f)], largest) << f;
  }
}

TEST(whole_arrays, are_reduced_in_slabs) {
  for (const std::int64_t rows : {0, 1, 5, 129})
    for (const std::int64_t width : {1, 3, 4, 64, 300}) {
      check_reductions<float>(rows, width);
      check_reductions<double>(rows, width);
    }
  check_reductions<float>(9001, 1);
  check_reductions<float>(4444, 7);
  check_reductions<float>(3001, 16);
  check_reductions<double>(3001, 6);
  EXPECT_GT(gpu::reducing_slabs<float>(9001, 1), 1);
  EXPECT_GT(gpu::reducing_slabs<float>(3001, 16), 1);
}

/// Of a column with nearly all entries, some with a few, and one with none.
template <class T> sparse_tensor<T> drawn(std::int64_t rows, std::int64_t columns) {
  std::vector<std::int64_t> row, column;
  for (std::int64_t r = 0; r < rows; ++r) {
    if (r % 50 != 7) row.push_back(r), column.push_back(1);
    for (std::int64_t c = 3; c < columns; ++c)
      if ((r * 31 + c * 17) % 23 < 3) row.push_back(r), column.push_back(c);
  }
  return sparse_tensor<T>::from_entries({rows, columns}, row, column, numbers<T>(std::int64_t(row.size()), 2));
}

template <class T> void check_products(std::int64_t cols, double probability) {
  SCOPED_TRACE(std::to_string(cols) + " columns, dropout " + std::to_string(probability));
  constexpr std::int64_t rows = 300, columns = 9;
  const sparse_tensor<T> x = drawn<T>(rows, columns);
  const entry_dropout drop{.seed = 5, .call = 3, .site = 2, .probability = probability};
  const std::vector<T> w = numbers<T>(columns * cols, 3), g = numbers<T>(rows * cols, 4);
  std::vector<T> y(static_cast<std::size_t>(rows * cols), T(9)), expected = y;
  const gpu::sparse_product_kernel<T, false> plain{x.view().by_row, w.data(), y.data(), cols, drop, nullptr};
  emulator::launch(plain, plain.launched_with());
  sparse_product(x.view(), w.data(), expected.data(), cols, drop);
  for (std::size_t i = 0; i < y.size(); ++i)
    ASSERT_NEAR(static_cast<double>(y[i]), static_cast<double>(expected[i]), 10 * tolerance<T>) << i;

  std::vector<T> z(static_cast<std::size_t>(columns * cols), T(9)), of_columns = z;
  const gpu::sparse_product_kernel<T, true> transposed{x.view().by_column, g.data(), z.data(), cols, drop, nullptr};
  emulator::launch(transposed, transposed.launched_with());
  sparse_reduced_product(x.view(), g.data(), of_columns.data(), cols, drop);
  for (std::size_t i = 0; i < z.size(); ++i)
    ASSERT_NEAR(static_cast<double>(z[i]), static_cast<double>(of_columns[i]), 300 * tolerance<T>) << i;
}

TEST(whole_arrays, are_multiplied_by_sparse_rows) {
  for (const std::int64_t cols : {1, 4, 7, 64, 130})
    for (const double probability : {0.0, 0.5}) {
      check_products<float>(cols, probability);
      check_products<double>(cols, probability);
    }
}

TEST(whole_arrays, meet_infinite_rows_as_on_the_cpu) {  // a dropped entry is 0 there, and 0 · ∞ no number
  const std::vector<std::int64_t> row{0, 0, 1}, column{0, 1, 1};
  const auto x = sparse_tensor<float>::from_entries({2, 2}, row, column, std::vector<float>{1, 1, 1});
  bool has_dropped = false, has_kept = false;
  for (std::uint32_t call = 0; call < 16; ++call) {
    const entry_dropout drop{.seed = 1, .call = call, .site = 0, .probability = 0.5};
    const std::vector<float> w{std::numeric_limits<float>::infinity(), 1};
    std::vector<float> y(2), expected(2);
    const gpu::sparse_product_kernel<float, false> kernel{x.view().by_row, w.data(), y.data(), 1, drop, nullptr};
    emulator::launch(kernel, kernel.launched_with());
    sparse_product(x.view(), w.data(), expected.data(), 1, drop);
    EXPECT_TRUE(std::isnan(expected[0]) ? std::isnan(y[0]) : y[0] == expected[0]) << call;
    EXPECT_EQ(y[1], expected[1]) << call;  // which does not have the entry
    (std::isnan(expected[0]) ? has_dropped : has_kept) = true;
  }
  EXPECT_TRUE(has_dropped && has_kept);
}

}  // namespace
}  // namespace stg
