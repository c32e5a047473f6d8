// When to stop training, and the parameters of the best epoch.
#pragma once

#include <array>        // array
#include <concepts>     // convertible_to
#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_convertible_v

#include <stg/runtime/named_values.hpp>    // named_values
#include <stg/runtime/optimizer_base.hpp>  // named_state
#include <stg/runtime/tensor.hpp>          // tensor

namespace stg {

class communicator;

struct early_stopping_options {
  std::int64_t patience = 10;     // so many epochs in a row without a better value stop the training
  double min_delta = 0;           // a value is better when it beats the best by more
  bool larger_is_better = false;  // for accuracies
  communicator* ranks = nullptr;  // of a cut graph: rank 0's values count for all, which then stop together
};

namespace detail {
struct no_parameters_kept {};
/// The best value so far and how long ago it was.
class best_value {
 public:
  explicit best_value(const early_stopping_options&);
  /// Takes an epoch's value; whether it is the best. What is no number is not.
  bool take(double value);
  bool is_over() const { return since_ >= options_.patience; }
  /// Error when there is none.
  double best() const;
  std::int64_t best_epoch() const { return epochs_ - 1 - since_; }

  tensor<double> numbers() const;
  static void check(const tensor<double>& numbers, const std::string& file);
  void numbers(const tensor<double>& numbers);

 private:
  early_stopping_options options_;
  bool any_ = false;
  double best_ = 0;
  std::int64_t epochs_ = 0, since_ = 0;
};
}  // namespace detail

#define STG_KEEPS_GRADIENTS \
  "stg: early_stopping keeps parameters, and these are gradients; write early_stopping(params)"

#define STG_KEEPS_A_TEMPORARY \
  "stg: early_stopping refers to its parameters; give them a name first: auto params = stg::parameters<loss>()"

/// Watches a value of every epoch and keeps a copy of the parameters of the best one, where they lie; after the first
/// it allocates nothing. The parameters are referred to and must outlive it. save_state keeps where it is. Error of the
/// constructor: patience below 1, a min_delta that is negative or no number.
///
///   stg::early_stopping stopping(params, {.patience = 20, .larger_is_better = true});
///   for (int epoch = 0; epoch < 1000; ++epoch) {
///     …
///     if (stopping.stop_after(validation_accuracy)) break;
///   }
///   stopping.restore();                                     // params are those of the best epoch
template <class Parameters> class early_stopping {
 public:
  STG_SAYS_SET(!detail::is_gradients<Parameters>, STG_KEEPS_GRADIENTS)
  explicit early_stopping(Parameters& parameters, const early_stopping_options& options = {})
      : parameters_(&parameters), kept_(parameters.zeros()), value_(options) {
    STG_CHECK_SET(!detail::is_gradients<Parameters>, STG_KEEPS_GRADIENTS);
  }

  explicit early_stopping(Parameters&& parameters, const early_stopping_options& options = {})
      : early_stopping(parameters, options) {
    constexpr bool has_a_name = Parameters::count < 0;
    static_assert(has_a_name, STG_KEEPS_A_TEMPORARY);
  }
  /// Of a number in place of options: what to write.
  template <std::convertible_to<double> Number, class... More>
  early_stopping(Parameters& parameters, const Number&, const More&...) : early_stopping(parameters) {
    constexpr bool are_options = sizeof(Number) == 0;
    static_assert(are_options,
                  "stg: early_stopping takes options, not a number; write early_stopping(params, {.patience = 30})");
  }

  /// Takes an epoch's value and keeps the parameters when it is the best; whether training has gone on for `patience`
  /// epochs without a better one. Error when a parameter has got another shape than it had at first.
  [[nodiscard(STG_STOP_IS_NOT_USED)]] bool stop_after(double value) {
    if (value_.take(value)) copy(*parameters_, kept_);
    return value_.is_over();
  }
  /// Of what is no number: what to write.
  template <class Result>
    requires(!std::is_convertible_v<const Result&, double>)
  bool stop_after(const Result&) {
    constexpr bool is_a_number = sizeof(Result) == 0;
    static_assert(is_a_number, "stg: stop_after takes a number of the epoch, such as now.loss or an accuracy");
    return true;
  }
  /// The best value, and its epoch, counted from 0. Error when no number was taken.
  double best() const { return value_.best(); }
  std::int64_t best_epoch() const { return value_.best(), value_.best_epoch(); }
  /// Makes the parameters those of the best epoch. Error when no number was taken.
  void restore() {
    value_.best();
    copy(kept_, *parameters_);
  }

  // What save_state writes.
  static constexpr std::string_view state_name = "early_stopping";
  std::array<detail::named_state<Parameters>, 1> state_sets() { return {{{"best", &kept_}}}; }
  tensor<double> state_numbers() const { return value_.numbers(); }
  void check_state(const tensor<double>& numbers, const std::string& file) const { value_.check(numbers, file); }
  void state_numbers(const tensor<double>& numbers) { value_.numbers(numbers); }

 private:
  static void copy(const Parameters& from, Parameters& to) {
    boost::hana::for_each(from.items(), [&](const auto& item) {
      constexpr int at = Parameters::template position<typename std::remove_cvref_t<decltype(item)>::name>();
      detail::tensor_of(to.template get<at>()).assign(detail::tensor_of(item.value));
    });
  }

  Parameters* parameters_;
  Parameters kept_;
  detail::best_value value_;
};

/// Without parameters: what to write.
template <> class early_stopping<detail::no_parameters_kept> {
 public:
  template <class Options = early_stopping_options> explicit early_stopping(const Options&) {
    constexpr bool fits = sizeof(Options) == 0;
    static_assert(fits,
                  "stg: early_stopping takes the parameters that it keeps first; write early_stopping(params, {...})");
  }
  [[nodiscard(STG_STOP_IS_NOT_USED)]] bool stop_after(double) { return true; }
  double best() const { return 0; }
  std::int64_t best_epoch() const { return 0; }
  void restore() {}
};
early_stopping(early_stopping_options)->early_stopping<detail::no_parameters_kept>;

}  // namespace stg
