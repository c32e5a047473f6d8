// test: draft runtime
// Learning rates from epoch to epoch, and when training stops.
#include "expect_error.hpp"         // expect_error
#include "support/trained_set.hpp"  // trained_set, filled_set

#include <stg/runtime/early_stopping.hpp>  // early_stopping
#include <stg/runtime/schedule.hpp>        // constant, stepwise, exponential, cosine, linear_warm_up, reduce_on_plateau

#include <gtest/gtest.h>

#include <cmath>   // nan, sqrt
#include <limits>  // numeric_limits
#include <vector>  // vector

namespace stg {
namespace {

using set = test::trained_set;

template <class Rate> void expect_rates(const Rate& rate, const std::vector<double>& expected) {
  for (std::size_t epoch = 0; epoch < expected.size(); ++epoch)
    EXPECT_NEAR(rate(static_cast<std::int64_t>(epoch)), expected[epoch], 1e-15) << epoch;
}

TEST(schedule, follows_its_formula) {
  expect_rates(schedule::constant{0.01}, {0.01, 0.01, 0.01});
  expect_rates(schedule::stepwise{.from = 0.8, .every = 2, .factor = 0.5}, {0.8, 0.8, 0.4, 0.4, 0.2});
  expect_rates(schedule::exponential{.from = 0.8, .factor = 0.5}, {0.8, 0.4, 0.2, 0.1});
  const double quarter = (1 + std::sqrt(0.5)) / 2;  // (1 + cos 45°) / 2
  expect_rates(schedule::cosine{.from = 1, .over = 4}, {1, quarter, 0.5, 1 - quarter, 0, 0, 0});
  expect_rates(schedule::cosine{.from = 3, .over = 2, .to = 1}, {3, 2, 1, 1});
  expect_rates(schedule::linear_warm_up(4, schedule::exponential{.from = 0.8, .factor = 0.5}),
               {0.2, 0.4, 0.6, 0.8, 0.8, 0.4, 0.2});
  expect_rates(schedule::linear_warm_up(0, schedule::constant{2}), {2, 2});
}

TEST(schedule, refuses_what_is_none) {
  test::expect_error([] { schedule::cosine{.from = 1, .over = 0}(0); }, {".over is 0", "give 1 epoch or more"});
  test::expect_error([] { schedule::stepwise{.from = 1, .every = -2}(0); }, {".every is -2"});
  test::expect_error([] { schedule::cosine{.from = 1, .over = 3}(-1); }, {"asked for epoch -1", "epochs begin at 0"});
  test::expect_error([] { schedule::linear_warm_up(3, schedule::constant{1})(-1); }, {"asked for epoch -1"});
  test::expect_error([] { schedule::constant{1}(-1); }, {"asked for epoch -1"});
  test::expect_error([] { schedule::reduce_on_plateau({.from = -1}); }, {"learning rate is -1; give"});
  test::expect_error([] { schedule::reduce_on_plateau({.from = -1e-9}); }, {"learning rate is -1e-09; give"});
  test::expect_error([] { schedule::reduce_on_plateau({.from = 1, .factor = 1}); }, {".factor is 1"});
  test::expect_error([] { schedule::reduce_on_plateau({.from = 1, .patience = -1}); }, {".patience"});
  for (const double wrong : {-1e-4, std::nan(""), std::numeric_limits<double>::infinity()})
    test::expect_error([&] { schedule::reduce_on_plateau({.from = 1, .threshold = wrong}); },
                       {"a plateau's .threshold is ", "give a finite number, 0 or more"});
  test::expect_error([] { schedule::reduce_on_plateau({.from = 1, .least = -2}); }, {"a plateau's .least is -2"});
  test::expect_error([] { schedule::reduce_on_plateau({.from = 1, .smallest_step = -1e-8}); },
                     {"a plateau's .smallest_step is -1e-08"});
  test::expect_error([] { schedule::linear_warm_up(-3, schedule::constant{1}); },
                     {"a warm-up lasts -3 epochs; give 0 or more"});
}

/// Rates after each of the values.
std::vector<double> rates(const schedule::plateau_options& options, const std::vector<double>& values) {
  schedule::reduce_on_plateau rate(options);
  std::vector<double> all;
  for (const double value : values) all.push_back(rate(value));
  return all;
}

TEST(schedule, reduces_on_a_plateau) {
  using all = std::vector<double>;
  const schedule::plateau_options halve{.from = 8, .factor = 0.5, .patience = 2};
  EXPECT_EQ(rates(halve, {5, 4, 4, 4, 4, 4, 4, 4}), (all{8, 8, 8, 8, 4, 4, 4, 2}));  // the third in a row, and again
  EXPECT_EQ(rates(halve, {5, 5, 5, 4, 4, 4, 3}), (all{8, 8, 8, 8, 8, 8, 8}));
  EXPECT_EQ(rates(halve, {1, 0.99995, 0.99992, 0.99991}), (all{8, 8, 8, 4})) << "less than a threshold better";
  EXPECT_EQ(rates(halve, {1, std::nan(""), std::nan(""), std::nan("")}), (all{8, 8, 8, 4}));
  const schedule::plateau_options rising{.from = 8, .factor = 0.5, .patience = 0, .larger_is_better = true};
  EXPECT_EQ(rates(rising, {0.1, 0.2, 0.15, 0.3, 0.3}), (all{8, 8, 4, 4, 2}));
  const schedule::plateau_options cooled{.from = 8, .factor = 0.5, .patience = 0, .cooldown = 2};
  EXPECT_EQ(rates(cooled, {1, 1, 1, 1, 1, 1}), (all{8, 4, 4, 4, 2, 2}));
  const schedule::plateau_options bounded{.from = 8, .factor = 0.5, .patience = 0, .least = 3};
  EXPECT_EQ(rates(bounded, {1, 1, 1, 1}), (all{8, 4, 3, 3}));
}

/// What torch.optim.lr_scheduler.ReduceLROnPlateau gives, version 2.2.1.
TEST(schedule, reductions_that_change_nothing_are_not_made) {
  const auto expect = [](schedule::plateau_options options, const std::vector<double>& expected) {
    const std::vector<double> got = rates(options, std::vector<double>(expected.size(), 1.0));
    for (std::size_t t = 0; t < got.size(); ++t) EXPECT_NEAR(got[t], expected[t], 1e-15) << t;
  };
  expect({.from = 1e-6, .patience = 0}, {1e-6, 1e-7, 1e-8, 1e-8, 1e-8});
  expect({.from = 1e-8, .patience = 0}, {1e-8, 1e-8, 1e-8});
  expect({.from = 2e-7, .factor = 0.9, .patience = 0}, {2e-7, 1.8e-7, 1.62e-7, 1.458e-7});
  expect({.from = 1e-7, .factor = 0.95, .patience = 0}, {1e-7, 1e-7, 1e-7});
  expect({.from = 1e-7, .patience = 0, .least = 9.5e-8}, {1e-7, 1e-7});
  expect({.from = 1e-8, .patience = 0, .smallest_step = 0}, {1e-8, 1e-9, 1e-10, 1e-11});
}

TEST(early_stopping, keeps_the_best_parameters) {
  set params = test::filled_set<set>(0, {7, 3}, {5, 4}, {3});
  early_stopping stopping(params, {.patience = 2});
  const auto epoch = [&](double value) {
    for_each(params, [&](std::string_view, auto& t) { t.fill(static_cast<float>(value)); });
    return stopping.stop_after(value);
  };
  test::expect_error([&] { stopping.best(); }, {"has seen no number yet"});
  test::expect_error([&] { stopping.restore(); }, {"has seen no number yet"});
  EXPECT_FALSE(epoch(std::nan("")));
  EXPECT_FALSE(epoch(3));
  const std::uint64_t before = tensor_bytes_allocated();
  EXPECT_FALSE(epoch(4));
  EXPECT_FALSE(epoch(2));
  EXPECT_FALSE(epoch(2));
  EXPECT_TRUE(epoch(5));
  EXPECT_EQ(stopping.best(), 2);
  EXPECT_EQ(stopping.best_epoch(), 3);
  stopping.restore();
  EXPECT_EQ(tensor_bytes_allocated(), before);
  for_each(params, [&](std::string_view name, const auto& t) {
    for (const auto w : t) EXPECT_EQ(w, 2) << name;
  });
}

TEST(early_stopping, asks_for_as_much_as_it_is_told) {
  set params = test::filled_set<set>(0, {7, 3}, {5, 4}, {3});
  early_stopping stopping(params, {.patience = 2, .min_delta = 0.5, .larger_is_better = true});
  for (const double value : {1.0, 1.5, 1.75}) EXPECT_EQ(stopping.stop_after(value), false) << value;
  EXPECT_EQ(stopping.best(), 1.75);
  EXPECT_FALSE(stopping.stop_after(2.25));
  EXPECT_TRUE(stopping.stop_after(2.0));
  EXPECT_EQ(stopping.best_epoch(), 2);
  test::expect_error([&] { early_stopping(params, {.patience = 0}); }, {"patience of 0"});
  test::expect_error([&] { early_stopping(params, {.min_delta = -1}); }, {"min_delta of -1"});
}

}  // namespace
}  // namespace stg
