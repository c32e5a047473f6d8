// One line on the terminal that says how far a training is.
#pragma once

#include <chrono>  // steady_clock
#include <iosfwd>  // ostream

namespace common {

/// Rewrites its line on a terminal and is silent on anything else, so that piped output holds results only.
///
///   common::progress progress(options.seeds, options.epochs);
///   progress.update(seed, epoch, loss, validation_accuracy);  // seed and epoch count from 0
class progress {
 public:
  /// Writes to stderr when that is a terminal.
  progress(int seeds, int epochs);
  /// Writes to `out` as if it were a terminal, or not.
  progress(int seeds, int epochs, std::ostream& out, bool is_terminal);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// What was reached after an epoch: the training loss, and the accuracy on the validation vertices in [0, 1], NaN
  /// when there are none. At most twenty lines a second are written, and always that of a seed's last epoch.
  void update(int seed, int epoch, double loss, double validation_accuracy);

  /// Clears the line, so that other output starts in an empty one; the destructor does it too.
  void clear();

 private:
  int seeds_, epochs_;
  std::ostream& out_;
  bool is_terminal_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace common
