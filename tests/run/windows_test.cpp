// test: draft data
// Windows, standardisation and splits, against numbers derived by hand from what PyG-T's loaders do.
#include "expect_error.hpp"  // expect_error

#include <stg/data/windows.hpp>  // windows

#include <gmock/gmock.h>  // ElementsAre
#include <gtest/gtest.h>  // TEST

#include <cmath>   // sqrt
#include <vector>  // vector

namespace stg {
namespace {

using test::expect_error;
using testing::ElementsAre;

template <class T> std::vector<T> numbers(const const_tensor<T>& t) { return {t.begin(), t.end()}; }

// Step t of vertex v is 10 t + v, so every number says where it is from.
tensor<double> numbered(std::int64_t steps, std::int64_t vertices) {
  tensor<double> signal({steps, vertices});
  for (std::int64_t t = 0; t < steps; ++t)
    for (std::int64_t v = 0; v < vertices; ++v) signal(t, v) = static_cast<double>(10 * t + v);
  return signal;
}

TEST(lagged, is_what_pyg_temporals_loaders_make) {
  // ChickenpoxDatasetLoader.get_dataset(lags=3): features FX[i : i + 3, :].T, targets FX[i + 3, :].T for i < T - 3.
  const auto w = lagged(numbered(5, 2), 3);
  EXPECT_EQ(w.features.shape(), dimensions({2, 2, 3}));
  EXPECT_EQ(w.targets.shape(), dimensions({2, 2}));
  EXPECT_THAT(numbers(w.features), ElementsAre(0, 10, 20, 1, 11, 21, 10, 20, 30, 11, 21, 31));
  EXPECT_THAT(numbers(w.targets), ElementsAre(30, 31, 40, 41));
}

TEST(windows, look_ahead_over_several_steps_and_features) {
  // METRLADatasetLoader: X[:, :, i : i + in] and X[:, 0, i + in : i + in + out] for i < T - in - out + 1.
  tensor<float> signal({5, 2, 2});
  for (std::int64_t i = 0; i < signal.size(); ++i) signal.data()[i] = static_cast<float>(i);  // 4 t + 2 v + f
  const auto w = windows(signal, {.lags = 2, .horizon = 2});
  EXPECT_EQ(w.features.shape(), dimensions({2, 2, 2, 2}));
  EXPECT_EQ(w.targets.shape(), dimensions({2, 2, 2}));
  EXPECT_THAT(numbers(w.features), ElementsAre(0, 4, 1, 5, 2, 6, 3, 7, 4, 8, 5, 9, 6, 10, 7, 11));
  EXPECT_THAT(numbers(w.targets), ElementsAre(8, 12, 10, 14, 12, 16, 14, 18));
  const auto other = windows(signal, {.lags = 4, .horizon = 1, .target_feature = 1});
  EXPECT_THAT(numbers(other.targets), ElementsAre(17, 19));
}

TEST(windows, refuse_what_has_none) {
  EXPECT_EQ(lagged(numbered(4, 1), 3).targets.size(), 1);
  expect_error([] { lagged(numbered(3, 1), 3); }, {"3 steps has no window of 3 lags and 1 ahead"});
  expect_error([] { windows(numbered(5, 1), {.lags = 3, .horizon = 3}); }, {"5 steps"});
  expect_error([] { lagged(numbered(3, 1), 0); }, {"lags 0"});
  expect_error([] { windows(numbered(3, 1), {.lags = 1, .horizon = 0}); }, {"horizon 0"});
  expect_error([] { windows(numbered(3, 1), {.lags = 1, .target_feature = 1}); }, {"target_feature 1", "1 feature"});
  expect_error([] { lagged(tensor<float>({3}), 1); }, {"(3,)", "(steps, vertices)"});
  EXPECT_EQ(lagged(tensor<float>({4, 0}), 3).features.shape(), dimensions({1, 0, 3}));
}

TEST(standardized, numbers_have_mean_0_and_deviation_1) {
  // Vertex 0: 1 3 5 7, mean 4, deviation √((9 + 1 + 1 + 9) / 4) = √5. Vertex 1: all 2.
  auto signal = tensor<double>::from({4, 2}, {1, 2, 3, 2, 5, 2, 7, 2});
  const auto by = standardization_of(signal);
  EXPECT_THAT(numbers(by.mean), ElementsAre(4, 2));
  EXPECT_THAT(numbers(by.deviation), ElementsAre(std::sqrt(5.0), 1)) << "where all are the same, they become 0";
  const auto was = numbers(signal);
  standardize(signal, by);
  EXPECT_DOUBLE_EQ(signal(0, 0), -3 / std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(signal(3, 0), 3 / std::sqrt(5.0));
  EXPECT_EQ(signal(2, 1), 0);
  destandardize(signal, by);
  for (std::size_t i = 0; i < was.size(); ++i) EXPECT_DOUBLE_EQ(signal.data()[i], was[i]);
  auto ahead = tensor<double>::full({3, 2, 2}, 1);  // (windows, vertices, horizon)
  destandardize(ahead, by);
  EXPECT_DOUBLE_EQ(ahead(2, 0, 1), 4 + std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(ahead(2, 1, 0), 3);
}

TEST(standardized, numbers_may_be_those_of_all_vertices) {
  // METRLADatasetLoader: mean and deviation over vertices and steps, for each feature.
  auto signal = tensor<float>::from({2, 2, 2}, {1, 10, 3, 10, 5, 30, 7, 30});
  const auto all = standardization_of(signal, standardized_over::steps_and_vertices);
  EXPECT_EQ(all.mean.shape(), dimensions({1, 2}));
  EXPECT_THAT(numbers(all.mean), ElementsAre(4, 20));
  EXPECT_THAT(numbers(all.deviation), ElementsAre(std::sqrt(5.0f), 10));
  const auto each = standardization_of(signal);
  EXPECT_EQ(each.mean.shape(), dimensions({2, 2}));
  EXPECT_THAT(numbers(each.mean), ElementsAre(3, 20, 5, 20));
  standardize(signal, all);
  EXPECT_EQ(signal(1, 1, 1), 1);
  EXPECT_EQ(signal(0, 0, 0), -3 / std::sqrt(5.0f));
  auto flat = tensor<float>::from({2, 2}, {1, 3, 5, 7});
  const auto one = standardization_of(flat, standardized_over::steps_and_vertices);
  EXPECT_EQ(one.mean.shape(), dimensions({1}));
  EXPECT_EQ(one.mean(0), 4);
  expect_error([&] { standardize(flat, each); }, {"(2, 2)", "same vertices and features"});
  expect_error([&] { standardize(flat, standardization_of(numbered(2, 3).to<float>())); }, {"same vertices"});
  expect_error([] { standardization_of(tensor<float>({0, 3})); }, {"nothing to take a mean of"});
  EXPECT_EQ(standardization_of(tensor<float>({2, 0})).mean.shape(), dimensions({0}));
}

TEST(split_by_time, takes_shares_as_decimals) {
  for (std::int64_t steps = 0; steps <= 300; ++steps)
    for (int train = 0; train <= 100; ++train) {
      const time_split parts = split_by_time(steps, train / 100.0, (100 - train) / 200.0);
      ASSERT_EQ(parts.train.last, steps * train / 100) << train << " in 100 of " << steps;
      ASSERT_EQ(parts.val, (step_range{parts.train.last, parts.train.last + steps * (100 - train) / 200}));
      ASSERT_EQ(parts.test, (step_range{parts.val.last, steps}));
    }
}

TEST(split_by_time, cuts_where_pyg_temporal_does) {
  // temporal_signal_split: int(train_ratio * snapshot_count).
  const time_split chickenpox = split_by_time(517, 0.8);
  EXPECT_EQ(chickenpox.train, (step_range{0, 413}));  // 413.6
  EXPECT_EQ(chickenpox.val.size(), 0);
  EXPECT_EQ(chickenpox.test, (step_range{413, 517}));
  const time_split three = split_by_time(10, 0.7, 0.1);
  EXPECT_EQ(three.train.last, 7);
  EXPECT_EQ(three.val, (step_range{7, 8}));
  EXPECT_EQ(three.test, (step_range{8, 10}));
  EXPECT_EQ(split_by_time(100, 0.29, 0.71).test.size(), 0) << "0.29 * 100 is below 29";
  EXPECT_EQ(split_by_time(3, 1 / 3.0).train.size(), 1);
  EXPECT_EQ(split_by_time(0).test, (step_range{0, 0}));
  EXPECT_EQ(split_by_time(3, 1).test.size(), 0);
  expect_error([] { split_by_time(3, 0.8, 0.3); }, {"shares", "1 together"});
  expect_error([] { split_by_time(3, -0.1); }, {"shares"});
  expect_error([] { split_by_time(-1); }, {"-1 steps"});
}

}  // namespace
}  // namespace stg
