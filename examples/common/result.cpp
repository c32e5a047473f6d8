// The result line, with as many digits as a comparison with the literature needs.
#include <common/result.hpp>  // result

#include <cmath>     // sqrt
#include <cstdio>    // snprintf
#include <iostream>  // cout
#include <limits>    // numeric_limits
#include <numeric>   // accumulate
#include <utility>   // move

namespace common {

result::result(std::string dataset, std::string model)
    : dataset_(std::move(dataset)), model_(std::move(model)), start_(std::chrono::steady_clock::now()) {}

void result::add(double test_accuracy) { accuracies_.push_back(test_accuracy); }

double result::mean() const {
  if (accuracies_.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::accumulate(accuracies_.begin(), accuracies_.end(), 0.0) / static_cast<double>(accuracies_.size());
}

double result::standard_deviation() const {
  if (accuracies_.size() < 2) return 0;
  const double center = mean();
  double squares = 0;
  for (double accuracy : accuracies_) squares += (accuracy - center) * (accuracy - center);
  return std::sqrt(squares / static_cast<double>(accuracies_.size() - 1));
}

std::string result::line(double seconds) const {
  char numbers[160];
  std::snprintf(numbers, sizeof numbers, " seeds=%zu test_accuracy_mean=%.4f test_accuracy_std=%.4f seconds=%.1f",
                accuracies_.size(), mean(), standard_deviation(), seconds);
  return "result dataset=" + dataset_ + " model=" + model_ + numbers;
}

void result::print() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  std::cout << line(elapsed.count()) << std::endl;
}

}  // namespace common
