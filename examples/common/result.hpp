// What an example prints last: one line that a program can read.
#pragma once

#include <chrono>  // steady_clock
#include <string>  // string
#include <vector>  // vector

namespace common {

/// Collects the test accuracy of each seed; the clock runs from construction.
///
///   common::result result("cora", "gcn");
///   result.add(0.81);
///   result.print();  // result dataset=cora model=gcn seeds=1 test_accuracy_mean=0.8100 test_accuracy_std=0.0000
///   seconds=1.2
class result {
 public:
  result(std::string dataset, std::string model);

  /// Test accuracy of one more seed, in [0, 1].
  void add(double test_accuracy);

  /// NaN before the first seed.
  double mean() const;
  /// Sample standard deviation (divided by n - 1), 0 for a single seed.
  double standard_deviation() const;

  /// The line without its newline, for a run that took `seconds`.
  std::string line(double seconds) const;
  /// Writes the line for the time since construction to stdout.
  void print() const;

 private:
  std::string dataset_, model_;
  std::vector<double> accuracies_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace common
