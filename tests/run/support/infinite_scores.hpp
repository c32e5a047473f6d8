// log Σ exp with infinite scores among the messages, as PyTorch's logsumexp has it: one body for every backend.
#pragma once

#include "backend.hpp"   // compiled
#include "bind.hpp"      // numbers_of
#include "families.hpp"  // from_pairs

#include <stg/stg.hpp>  // edge_feature

#include <gtest/gtest.h>  // EXPECT_EQ

#include <algorithm>  // fill
#include <cmath>      // isnan, log
#include <limits>     // numeric_limits
#include <utility>    // exchange, pair
#include <vector>     // vector

namespace stg::test::infinite_scores {

constexpr float infinity = std::numeric_limits<float>::infinity(), no_number = std::numeric_limits<float>::quiet_NaN();

inline constexpr auto score = edge_feature<"score">;
inline constexpr auto scores = edge_feature<"scores", 19>;
inline constexpr auto x = vertex_feature<"x", 5>;
inline constexpr auto y = vertex_feature<"y", 3, 7>;

/// As rows of few numbers and of many; and of scores whose softmax is summed in the same loop.
inline constexpr auto alone = [](auto v) {
  auto e = v.in_edges();
  return outputs(log_sum_exp(e(score)), log_sum_exp(e(scores)));
};
inline constexpr auto with_sums = [](auto v) {
  auto e = v.in_edges();
  return outputs(log_sum_exp(e(score)), sum(softmax(e(score)) * e.src(x)));
};
inline constexpr auto along_axes = [](auto v) {
  return outputs(log_sum_exp(v(y), axis<1>, keepdim), log_sum_exp(v(y), axis<0>, keepdim),
                 log_sum_exp(2.0 * v(y), axis<1>, keepdim));
};

/// A row of scores, all `other` but for one or two.
struct row {
  int edges, at;
  float other;
  int no_number_at = -1;

  float score_of(int edge) const { return edge == at ? infinity : edge == no_number_at ? no_number : other; }
  bool has_no_number() const { return no_number_at >= 0; }
};

/// Infinite scores at the begin, in the middle and at the end of rows of a chunk and of many, among others whose
/// exponentials overflow, vanish or do neither; and beside what is no number.
inline std::vector<row> rows() {
  std::vector<row> all;
  for (const int edges : {1, 2, 5, 40, 300, 700})
    for (const int at : {0, edges / 2, edges - 1}) {
      for (const float other : {-1.0f, 120.0f, -300.0f, -infinity}) all.push_back({edges, at, other});
      if (edges > 2) all.push_back({edges, at, 120.0f, at == 0 ? edges - 1 : 0});
    }
  return all;
}

inline void expect(float found, bool infinite, const char* what, std::size_t k) {
  if (infinite) EXPECT_EQ(found, infinity) << what << ", row " << k;
  else EXPECT_TRUE(std::isnan(found)) << what << ", row " << k << ": " << found;
}

/// Over edges, in one piece, and with rows cut in parts of so many edges.
inline void check_edges(int cut_at) {
  const std::vector<row> all = rows();
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  std::vector<float> numbers;
  for (std::size_t k = 0; k < all.size(); ++k)
    for (int edge = 0; edge < all[k].edges; ++edge) {
      pairs.push_back({static_cast<std::int64_t>(k), static_cast<std::int64_t>(k)});
      numbers.push_back(all[k].score_of(edge));
    }
  const auto n = static_cast<std::int64_t>(all.size()), edges = static_cast<std::int64_t>(pairs.size());
  const graph g = from_pairs(n, pairs);
  tensor<float> narrow({edges}), wide({edges, 19});
  for (std::int64_t i = 0; i < edges * 19; ++i) wide.data()[i] = numbers[static_cast<std::size_t>(i / 19)];
  for (std::int64_t i = 0; i < edges; ++i) narrow.data()[i] = numbers[static_cast<std::size_t>(i)];
  const auto one = edge_values<float>::in_id_order(std::move(narrow)),
             many = edge_values<float>::in_id_order(std::move(wide));

  const auto before = std::exchange(backend::long_row_edges, cut_at);
  auto [of_one, of_many] = compiled<alone>()(g, score = one, scores = many);
  auto [again, sums] = compiled<with_sums>()(g, score = one, x = tensor<float>::full({n, 5}, 2));
  backend::long_row_edges = before;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool infinite = !all[k].has_no_number();
    expect(of_one.data()[k], infinite, "one number", k);
    for (const int f : {0, 15, 18}) expect(of_many.data()[k * 19 + static_cast<std::size_t>(f)], infinite, "many", k);
    expect(again.data()[k], infinite, "beside a softmax", k);
    expect(sums.data()[k * 5 + 3], false, "a sum over softmax", k);
  }
}

/// Along the first and the last axis, of what lies in memory and what is computed.
inline void check_axes() {
  const graph g = from_pairs(3, {});
  tensor<float> Y({3, 3, 7});
  std::fill(Y.begin(), Y.end(), 130.0f);
  for (const int row : {1, 2}) Y.data()[row * 21 + 9] = infinity;
  Y.data()[2 * 21 + 8] = no_number;  // in the same row of the last axis
  auto [last, first, computed] = compiled<along_axes>()(g, y = Y);
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < 3; ++k) {
      if (row > 0 && k == 1) expect(last.data()[row * 3 + k], row == 1, "the last axis", static_cast<std::size_t>(row));
      else EXPECT_NEAR(last.data()[row * 3 + k], 130 + std::log(7.0), 1e-4);
      if (row > 0 && k == 1) expect(computed.data()[row * 3 + k], row == 1, "computed", static_cast<std::size_t>(row));
      else EXPECT_NEAR(computed.data()[row * 3 + k], 260 + std::log(7.0), 1e-4);
    }
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < 7; ++k) {
      const float found = first.data()[row * 7 + k];
      if (row > 0 && k == 2) EXPECT_EQ(found, infinity);
      else if (row == 2 && k == 1) EXPECT_TRUE(std::isnan(found));
      else EXPECT_NEAR(found, 130 + std::log(3.0), 1e-4);
    }
}

}  // namespace stg::test::infinite_scores
