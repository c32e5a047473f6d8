// test: draft runtime
// Sparse tensors: what they are made from, what they refuse, and their products against plain loops.
#include "expect_error.hpp"      // expect_error
#include "support/networks.hpp"  // same_bits

#include <stg/base/keep_mask.hpp>          // keeps
#include <stg/data/dataset.hpp>            // normalize_rows
#include <stg/runtime/isa.hpp>             // isa, set_isa
#include <stg/runtime/sparse_product.hpp>  // sparse_product

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // max
#include <cmath>      // abs
#include <random>     // mt19937
#include <vector>     // vector

namespace stg {
namespace {

using rows = std::vector<std::int64_t>;

sparse_tensor<float> from(const rows& row, const rows& column, const std::vector<float>& value) {
  return sparse_tensor<float>::from_entries({3, 4}, row, column, value);
}

TEST(sparse_tensor, sorts_entries_by_row_and_by_column) {
  const auto x = from({2, 0, 2, 0}, {3, 1, 0, 3}, {5, 6, 7, 8});
  ASSERT_EQ(x.entries(), 4);
  EXPECT_EQ(x.shape(), (dimensions{3, 4}));
  EXPECT_TRUE(test::same_bits(x.dense(), tensor<float>::from({3, 4}, {0, 6, 0, 8, 0, 0, 0, 0, 7, 0, 0, 5})));
  const auto& [by_row, by_column] = x.view();
  EXPECT_EQ(rows(by_row.offsets, by_row.offsets + 4), (rows{0, 2, 2, 4}));
  EXPECT_EQ(std::vector<int>(by_row.index, by_row.index + 4), (std::vector<int>{1, 3, 0, 3}));
  EXPECT_EQ(rows(by_column.offsets, by_column.offsets + 5), (rows{0, 1, 2, 2, 4}));
  EXPECT_EQ(std::vector<int>(by_column.index, by_column.index + 4), (std::vector<int>{2, 0, 0, 2}));
  EXPECT_EQ(std::vector<float>(by_column.value, by_column.value + 4), (std::vector<float>{7, 6, 8, 5}));
}

TEST(sparse_tensor, is_made_from_compressed_rows_and_from_a_dense_tensor) {
  const rows offsets{0, 2, 2, 4};
  const std::vector<std::int32_t> column{3, 1, 0, 3};
  const std::vector<float> value{8, 6, 7, 5};
  const auto x = sparse_tensor<float>::from_rows({3, 4}, offsets, column, value);
  const auto dense = tensor<float>::from({3, 4}, {0, 6, 0, 8, 0, 0, 0, 0, 7, 0, 0, 5});
  EXPECT_TRUE(test::same_bits(x.dense(), dense));
  EXPECT_EQ(sparse(dense).entries(), 4);
  EXPECT_TRUE(test::same_bits(sparse(dense).dense(), dense));
  EXPECT_EQ(sparse_tensor<double>().shape(), (dimensions{0, 0}));
  EXPECT_EQ(sparse(tensor<double>({0, 5})).entries(), 0);
  const auto copy = x;
  EXPECT_EQ(&copy.view(), &x.view()) << "copies share";
}

TEST(sparse_tensor, names_the_entry_that_is_wrong) {
  test::expect_error([] { from({0, 3}, {1, 1}, {1, 1}); }, {"entry 1", "(3, 1)", "(3, 4)"});
  test::expect_error([] { from({0, -1}, {1, 1}, {1, 1}); }, {"entry 1", "(-1, 1)"});
  test::expect_error([] { from({0, 0}, {1, 4}, {1, 1}); }, {"entry 1", "(0, 4)"});
  test::expect_error([] { from({2, 1, 2}, {1, 1, 1}, {1, 1, 1}); }, {"entries 0 and 2", "(2, 1)", "once"});
  test::expect_error([] { from({2, 1}, {1, 1}, {1, 1, 1}); }, {"2 rows", "2 columns", "3 values"});
  const auto compressed = [](const rows& offsets, const std::vector<std::int32_t>& column) {
    return sparse_tensor<float>::from_rows({2, 4}, offsets, column, std::vector<float>(column.size(), 1));
  };
  test::expect_error([&] { compressed({0, 1}, {1}); }, {"2 offsets for 2 rows"});
  test::expect_error([&] { compressed({1, 1, 1}, {1}); }, {"offset 0 is 1"});
  test::expect_error([&] { compressed({0, 2, 1}, {1}); }, {"offset 2 is 1 after 2"});
  test::expect_error([&] { compressed({0, 1, 3}, {1}); }, {"last offset is 3", "1 columns"});
  test::expect_error([&] { compressed({0, 2, 2}, {1, 1}); }, {"entries 0 and 1", "(0, 1)"});
  test::expect_error([] { sparse_tensor<float>::from_entries({3}, {}, {}, {}); }, {"(3,)", "two axes"});
  test::expect_error([] { sparse_tensor<float>::from_entries({1ll << 31, 1}, {}, {}, {}); }, {"2^31"});
}

TEST(sparse_tensor, rows_are_normalized_as_dense_ones_are) {
  auto dense = tensor<float>::from({3, 4}, {0, 1, 0, 2, 0, 0, 0, 0, 1, -1, 0, 0});
  auto x = sparse(dense);
  normalize_rows(x);
  normalize_rows(dense);
  EXPECT_TRUE(test::same_bits(x.dense(), dense));
}

// ---- products ----

/// Rows of every kind: empty, short, and longer than what is drawn at a time.
template <class T> tensor<T> features(std::int64_t vertices, std::int64_t columns) {
  std::mt19937 random(3);
  tensor<T> x({vertices, columns});
  for (std::int64_t v = 0; v < vertices; ++v)
    for (std::int64_t c = 0; c < columns; ++c)
      if (v == 5 || c == 8 || (v % 4 != 0 && random() % 16 == 0)) x(v, c) = static_cast<T>(random() % 1000) / 500 - 1;
  return x;
}
template <class T> void fill(tensor<T>& t) {
  std::mt19937 random(4);
  for (T& n : t) n = static_cast<T>(random() % 1000) / 500 - 1;
}

/// Both products for one width against sums in double precision, and the same bits for one thread and for two.
template <class T> void check_products(std::int64_t cols, double p, double tolerance) {
  const std::int64_t vertices = 530, columns = 600;
  const tensor<T> dense = features<T>(vertices, columns);
  const auto x = sparse(dense);
  tensor<T> w({columns, cols}), g({vertices, cols}), y({vertices, cols}), dw({columns, cols});
  fill(w);
  fill(g);
  const entry_dropout drop{0x123456789abcdefull, 3, 2, p};
  sparse_product(x.view(), w.data(), y.data(), cols, drop);
  sparse_reduced_product(x.view(), g.data(), dw.data(), cols, drop);
  tensor<double> y_expected({vertices, cols}), dw_expected({columns, cols});
  for (std::int64_t v = 0; v < vertices; ++v)
    for (std::int64_t c = 0; c < columns; ++c) {
      const bool kept = p == 0 || keeps(drop.seed, drop.call, drop.site, v, c, p);
      const double weight = kept ? static_cast<double>(dense(v, c)) / (1 - p) : 0;
      if (weight == 0) continue;
      double* const to_y = y_expected.data() + v * cols;
      double* const to_dw = dw_expected.data() + c * cols;
      const T* const w_row = w.data() + c * cols;
      const T* const g_row = g.data() + v * cols;
      for (std::int64_t f = 0; f < cols; ++f) {
        to_y[f] += weight * static_cast<double>(w_row[f]);
        to_dw[f] += weight * static_cast<double>(g_row[f]);
      }
    }
  double most = 0;
  for (std::int64_t i = 0; i < y.size(); ++i) most = std::max(most, std::abs(y.data()[i] - y_expected.data()[i]));
  for (std::int64_t i = 0; i < dw.size(); ++i) most = std::max(most, std::abs(dw.data()[i] - dw_expected.data()[i]));
  EXPECT_LT(most, tolerance) << cols << " columns, p = " << p << ", " << isa();

  const int before = threads();
  for (const int n : {1, 2, 5}) {
    set_threads(n);
    tensor<T> again({vertices, cols}), once_more({columns, cols});
    sparse_product(x.view(), w.data(), again.data(), cols, drop);
    sparse_reduced_product(x.view(), g.data(), once_more.data(), cols, drop);
    EXPECT_TRUE(test::same_bits(again, y)) << n << " threads";
    EXPECT_TRUE(test::same_bits(once_more, dw)) << n << " threads";
  }
  set_threads(before);
}

TEST(sparse_product, agrees_with_plain_loops_for_every_width_and_instruction_set) {
  const std::string before = isa();
  for (const char* name : {"baseline", "avx2", "avx512"}) {
    try {
      set_isa(name);
    } catch (const error&) {
      continue;  // this machine has not got it
    }
    for (const std::int64_t cols : {1, 2, 3, 5, 7, 8, 9, 16, 17, 33, 64, 70, 100, 150})
      for (const double p : {0.0, 0.5}) {
        check_products<float>(cols, p, 1e-3);
        check_products<double>(cols, p, 1e-12);
      }
  }
  set_isa(before);
}

TEST(sparse_product, of_nothing_is_zero) {
  const auto x = sparse(tensor<float>({3, 2}));
  const auto w = tensor<float>::full({2, 4}, 1), g = tensor<float>::full({3, 4}, 1);
  auto y = tensor<float>::full({3, 4}, 9), dw = tensor<float>::full({2, 4}, 9);
  sparse_product(x.view(), w.data(), y.data(), 4, {});
  sparse_reduced_product(x.view(), g.data(), dw.data(), 4, {});
  EXPECT_TRUE(test::same_bits(y, tensor<float>({3, 4})));
  EXPECT_TRUE(test::same_bits(dw, tensor<float>({2, 4})));
}

TEST(sparse_tensor, has_rows_of_its_own) {
  const auto X = sparse(tensor<float>::from({3, 4}, {0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 4, 5}));
  const std::int32_t ids[] = {2, 0, 2, 1};
  const auto rows = X.rows(ids);
  const auto expected = tensor<float>::from({4, 4}, {3, 0, 4, 5, 0, 1, 0, 2, 3, 0, 4, 5, 0, 0, 0, 0});
  const auto found = rows.dense();
  EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin()));
  EXPECT_EQ(rows.entries(), 8);
  const auto& by_column = rows.view().by_column;  // the transpose is that of these rows
  EXPECT_EQ(by_column.offsets[1], 2);
  EXPECT_EQ(by_column.index[1], 2);
  EXPECT_EQ(X.rows({}).shape(), (dimensions{0, 4}));
  const std::int32_t wrong[] = {0, 3};
  test::expect_error([&] { X.rows(wrong); }, {"row 1 is 3", "[0, 3)"});
}

}  // namespace
}  // namespace stg
