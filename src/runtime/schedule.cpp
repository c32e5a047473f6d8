// Learning rates from epoch to epoch, and when to stop.
#include "shortest_text.hpp"  // shortest_text

#include <algorithm>  // max
#include <cmath>      // cos, floor, isnan, pow
#include <limits>     // numeric_limits
#include <numbers>    // pi
#include <string>     // string

#include <stg/base/error.hpp>              // error
#include <stg/runtime/early_stopping.hpp>  // best_value
#include <stg/runtime/schedule.hpp>        // stepwise, exponential, cosine, reduce_on_plateau

namespace stg {

namespace {

double checked_epoch(std::int64_t epoch) {
  if (epoch < 0) throw error("a schedule is asked for epoch " + std::to_string(epoch) + "; epochs begin at 0");
  return static_cast<double>(epoch);
}
std::int64_t checked_length(const char* name, std::int64_t epochs) {
  if (epochs < 1)
    throw error("a schedule's ." + std::string(name) + " is " + std::to_string(epochs) + "; give 1 epoch or more");
  return epochs;
}

/// What a file gives for an object that watches values.
void check_count(const tensor<double>& numbers, std::int64_t count, const std::string& file) {
  if (!(numbers.shape() == dimensions{count}))
    throw error("checkpoint file " + file + " has shape " + to_string(numbers.shape()) + " rather than (" +
                std::to_string(count) + ",); save it anew");
}
void check_whole(double n, const std::string& file) {
  if (!(n >= 0) || !(n < 0x1p53) || n != std::floor(n))
    throw error("checkpoint file " + file + " counts " + detail::shortest_text(n) + " epochs; save it anew");
}

}  // namespace

namespace schedule {

double constant::operator()(std::int64_t epoch) const { return checked_epoch(epoch), rate; }

double stepwise::operator()(std::int64_t epoch) const {
  checked_epoch(epoch);
  return from * std::pow(factor, static_cast<double>(epoch / checked_length("every", every)));
}

double exponential::operator()(std::int64_t epoch) const { return from * std::pow(factor, checked_epoch(epoch)); }

double cosine::operator()(std::int64_t epoch) const {
  const double part = checked_epoch(epoch) / static_cast<double>(checked_length("over", over));
  return part >= 1 ? to : to + (from - to) * (1 + std::cos(std::numbers::pi * part)) / 2;
}

reduce_on_plateau::reduce_on_plateau(const plateau_options& options)
    : options_(options),
      rate_(detail::checked_learning_rate(options.from)),
      best_(std::numeric_limits<double>::infinity() * (options.larger_is_better ? -1 : 1)) {
  if (!(options.factor >= 0 && options.factor < 1))
    throw error("a plateau's .factor is " + detail::shortest_text(options.factor) + "; give a number in [0, 1)");
  detail::checked_learning_rate(options.least);
  if (options.patience < 0 || options.cooldown < 0)
    throw error("a plateau's .patience or .cooldown is negative; give 0 epochs or more");
}

double reduce_on_plateau::operator()(double value) {
  const bool better =
      options_.larger_is_better ? value > best_ * (1 + options_.threshold) : value < best_ * (1 - options_.threshold);
  if (better) best_ = value;
  bad_epochs_ = better ? 0 : bad_epochs_ + 1;
  if (cooling_ > 0) {
    --cooling_;
    bad_epochs_ = 0;
  }
  if (bad_epochs_ > options_.patience) {
    rate_ = std::max(rate_ * options_.factor, std::min(rate_, options_.least));
    cooling_ = options_.cooldown;
    bad_epochs_ = 0;
  }
  return rate_;
}

tensor<double> reduce_on_plateau::state_numbers() const {
  return tensor<double>::from({4}, {rate_, best_, static_cast<double>(bad_epochs_), static_cast<double>(cooling_)});
}
void reduce_on_plateau::check_state(const tensor<double>& numbers, const std::string& file) const {
  check_count(numbers, 4, file);
  detail::checked_learning_rate(numbers(0));
  check_whole(numbers(2), file);
  check_whole(numbers(3), file);
}
void reduce_on_plateau::state_numbers(const tensor<double>& numbers) {
  rate_ = numbers(0);
  best_ = numbers(1);
  bad_epochs_ = static_cast<std::int64_t>(numbers(2));
  cooling_ = static_cast<std::int64_t>(numbers(3));
}

}  // namespace schedule

namespace detail {

best_value::best_value(const early_stopping_options& options) : options_(options) {
  if (options.patience < 1)
    throw error("early stopping has a patience of " + std::to_string(options.patience) + "; give 1 epoch or more");
  if (!(options.min_delta >= 0))
    throw error("early stopping has a min_delta of " + shortest_text(options.min_delta) + "; give 0 or more");
}

bool best_value::take(double value) {
  const double gain = options_.larger_is_better ? value - best_ : best_ - value;
  const bool better = any_ ? gain > options_.min_delta : !std::isnan(value);
  ++epochs_;
  since_ = better ? 0 : since_ + 1;
  if (better) {
    any_ = true;
    best_ = value;
  }
  return better;
}

double best_value::best() const {
  if (!any_) throw error("early stopping has seen no number yet; give it one by stop_after(value)");
  return best_;
}

tensor<double> best_value::numbers() const {
  return tensor<double>::from({4},
                              {any_ ? 1.0 : 0.0, best_, static_cast<double>(epochs_), static_cast<double>(since_)});
}
void best_value::check(const tensor<double>& numbers, const std::string& file) {
  check_count(numbers, 4, file);
  check_whole(numbers(2), file);
  check_whole(numbers(3), file);
}
void best_value::numbers(const tensor<double>& numbers) {
  any_ = numbers(0) != 0;
  best_ = numbers(1);
  epochs_ = static_cast<std::int64_t>(numbers(2));
  since_ = static_cast<std::int64_t>(numbers(3));
}

}  // namespace detail

}  // namespace stg
