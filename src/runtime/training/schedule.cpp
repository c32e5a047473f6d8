// Learning rates from epoch to epoch.
#include "../tensor/shortest_text.hpp"  // shortest_text
#include "state_numbers.hpp"            // check_shape, check_rate, check_epochs, check_best

#include <algorithm>  // max
#include <cmath>      // cos, isfinite, pow
#include <limits>     // numeric_limits
#include <numbers>    // pi
#include <string>     // string, to_string

#include <stg/base/error.hpp>        // error
#include <stg/runtime/schedule.hpp>  // stepwise, exponential, cosine, reduce_on_plateau

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

}  // namespace

std::int64_t detail::checked_warm_up(std::int64_t epochs) {
  if (epochs < 0) throw error("a warm-up lasts " + std::to_string(epochs) + " epochs; give 0 or more");
  return epochs;
}

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
  const auto check = [](const char* name, double value) {
    if (!(value >= 0) || !std::isfinite(value))
      throw error("a plateau's ." + std::string(name) + " is " + detail::shortest_text(value) +
                  "; give a finite number, 0 or more");
  };
  check("least", options.least);
  check("threshold", options.threshold);
  check("smallest_step", options.smallest_step);
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
    const double reduced = std::max(rate_ * options_.factor, options_.least);
    if (rate_ - reduced > options_.smallest_step) rate_ = reduced;
    cooling_ = options_.cooldown;
    bad_epochs_ = 0;
  }
  return rate_;
}

tensor<double> reduce_on_plateau::state_numbers() const {
  return tensor<double>::from({4}, {rate_, best_, static_cast<double>(bad_epochs_), static_cast<double>(cooling_)});
}
void reduce_on_plateau::check_state(const tensor<double>& numbers, const std::string& file) const {
  detail::check_shape(numbers, 4, file);
  detail::check_rate(numbers(0), file);
  detail::check_best(numbers(1), file);
  detail::check_epochs(numbers(2), file);
  detail::check_epochs(numbers(3), file);
}
void reduce_on_plateau::state_numbers(const tensor<double>& numbers) {
  rate_ = numbers(0);
  best_ = numbers(1);
  bad_epochs_ = static_cast<std::int64_t>(numbers(2));
  cooling_ = static_cast<std::int64_t>(numbers(3));
}

}  // namespace schedule

}  // namespace stg
