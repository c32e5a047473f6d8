// The best value so far, and when to stop.
#include "../tensor/shortest_text.hpp"  // shortest_text
#include "state_numbers.hpp"            // check_shape, check_epochs, check_best

#include <cmath>   // isnan
#include <string>  // string, to_string

#include <stg/base/error.hpp>              // error
#include <stg/runtime/communicator.hpp>    // agreed
#include <stg/runtime/early_stopping.hpp>  // best_value

namespace stg::detail {

best_value::best_value(const early_stopping_options& options) : options_(options) {
  if (options.patience < 1)
    throw error("early stopping has a patience of " + std::to_string(options.patience) + "; give 1 epoch or more");
  if (!(options.min_delta >= 0))
    throw error("early stopping has a min_delta of " + shortest_text(options.min_delta) + "; give 0 or more");
}

bool best_value::take(double value) {
  if (options_.ranks != nullptr) value = agreed(*options_.ranks, value);
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
  check_shape(numbers, 4, file);
  const double any = numbers(0), epochs = numbers(2), since = numbers(3);
  check_epochs(epochs, file);
  check_epochs(since, file);
  if (any != 0 && any != 1)
    refuse_file(file, "says " + shortest_text(any) + " of whether there is a best value, rather than 0 or 1");
  const std::string counts = "counts " + shortest_text(since) + " of " + shortest_text(epochs) + " epochs ";
  if (any == 1) {
    check_best(numbers(1), file);
    if (since >= epochs) refuse_file(file, counts + "since the best value");
  } else if (since != epochs) {
    refuse_file(file, counts + "without a best value");
  }
}

void best_value::numbers(const tensor<double>& numbers) {
  any_ = numbers(0) != 0;
  best_ = numbers(1);
  epochs_ = static_cast<std::int64_t>(numbers(2));
  since_ = static_cast<std::int64_t>(numbers(3));
}

}  // namespace stg::detail
