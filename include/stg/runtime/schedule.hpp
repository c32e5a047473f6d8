// Learning rates from epoch to epoch: optimizer.learning_rate(rate(epoch)). Plain objects that know no optimiser.
#pragma once

#include <array>        // array
#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view

#include <stg/runtime/named_values.hpp>    // named_values
#include <stg/runtime/optimizer_base.hpp>  // named_state
#include <stg/runtime/tensor.hpp>          // tensor

namespace stg::detail {
/// The length of a warm-up; error when it is negative.
std::int64_t checked_warm_up(std::int64_t epochs);
}  // namespace stg::detail

/// Each of these but the last is a function of the epoch, counted from 0, or of the step, and keeps nothing, so that a
/// resumed run needs the number of its epoch alone. Errors: a negative epoch, `every` or `over` below 1.
///
///   const stg::schedule::cosine rate{.from = 0.01, .over = 200};
///   for (int epoch = 0; epoch < 200; ++epoch) {
///     optimizer.learning_rate(rate(epoch));
///     …
///   }
namespace stg::schedule {

/// The same for ever.
struct constant {
  double rate;
  [[nodiscard(STG_NUMBER_IS_NOT_USED)]] double operator()(std::int64_t epoch) const;
};

/// from · factor^⌊epoch / every⌋
struct stepwise {
  double from;
  std::int64_t every;
  double factor = 0.1;
  [[nodiscard(STG_NUMBER_IS_NOT_USED)]] double operator()(std::int64_t epoch) const;
};

/// from · factor^epoch
struct exponential {
  double from, factor;
  [[nodiscard(STG_NUMBER_IS_NOT_USED)]] double operator()(std::int64_t epoch) const;
};

/// Half a wave from `from` down to `to`, which stays after `over` epochs: Loshchilov and Hutter, ICLR 2017, equation 5,
/// without restarts.
struct cosine {
  double from;
  std::int64_t over;
  double to = 0;
  [[nodiscard(STG_NUMBER_IS_NOT_USED)]] double operator()(std::int64_t epoch) const;
};

/// For `over` epochs 1, 2, … over-ths of the rate with which another schedule begins, then that schedule from its
/// beginning. Error of the constructor: a negative `over`.
///
///   const stg::schedule::linear_warm_up rate(10, stg::schedule::cosine{.from = 0.01, .over = 190});
template <class Then> class linear_warm_up {
 public:
  linear_warm_up(std::int64_t over, Then then) : over_(detail::checked_warm_up(over)), then_(then) {}
  [[nodiscard(STG_NUMBER_IS_NOT_USED)]] double operator()(std::int64_t epoch) const {
    return 0 <= epoch && epoch < over_ ? then_(0) * static_cast<double>(epoch + 1) / static_cast<double>(over_)
                                       : then_(epoch < 0 ? epoch : epoch - over_);
  }

 private:
  std::int64_t over_;
  Then then_;
};

struct plateau_options {
  double from;                    // the learning rate at first
  double factor = 0.1;            // of every reduction
  std::int64_t patience = 10;     // epochs in a row without a better value that are let pass
  double threshold = 1e-4;        // a value is better when it beats the best by this part of it
  std::int64_t cooldown = 0;      // epochs after a reduction that are not counted
  double least = 0;               // the rate does not go below
  double smallest_step = 1e-8;    // a reduction by no more than this is not made, PyTorch's eps
  bool larger_is_better = false;  // for accuracies
};

/// Reduces the rate when a value has not become better for more than `patience` epochs, as PyTorch's ReduceLROnPlateau
/// does; what is no number is not better. save_state keeps where it is. Errors of the constructor: a rate or factor
/// that no learning rate can come of, a threshold, smallest step or number of epochs that is negative or no number.
///
///   stg::schedule::reduce_on_plateau rate({.from = 0.01, .patience = 5});
///   optimizer.learning_rate(rate(validation_loss));
class reduce_on_plateau {
 public:
  explicit reduce_on_plateau(const plateau_options& options);
  /// Takes an epoch's value and returns the rate of the next.
  double operator()(double value);
  double rate() const { return rate_; }

  // What save_state writes.
  static constexpr std::string_view state_name = "reduce_on_plateau";
  static std::array<detail::named_state<named_values<>>, 0> state_sets() { return {}; }
  tensor<double> state_numbers() const;
  void check_state(const tensor<double>& numbers, const std::string& file) const;
  void state_numbers(const tensor<double>& numbers);

 private:
  plateau_options options_;
  double rate_, best_;
  std::int64_t bad_epochs_ = 0, cooling_ = 0;
};

}  // namespace stg::schedule
