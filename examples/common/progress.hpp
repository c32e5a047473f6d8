// How far a training is: one line on the terminal, and a log where one is asked for.
#pragma once

#include <chrono>  // steady_clock
#include <iosfwd>  // ostream
#include <memory>  // unique_ptr
#include <string>  // string

#include <common/options.hpp>  // options
#include <stg/run_log.hpp>     // run_log

namespace common {

/// Rewrites its line on a terminal and is silent on anything else, so that piped output holds results only. With --log
/// the numbers of all epochs go into a folder, too, each seed as a curve of its own.
///
///   common::progress progress(options);
///   progress.update(seed, epoch, loss, validation_accuracy);  // seed and epoch count from 0
class progress {
 public:
  /// Writes to stderr when that is a terminal.
  explicit progress(const options& of) : progress(of, of.epochs) {}
  /// One of several trainings of an example, with its own number of epochs; the name is the log's folder within that
  /// of --log.
  progress(const options& of, int epochs, const std::string& name = {});
  /// Writes to `out` as if it were a terminal, or not.
  progress(int seeds, int epochs, std::ostream& out, bool is_terminal);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// What was reached after an epoch: the training loss, and the accuracy on the validation vertices in [0, 1], NaN
  /// when there are none, which a log leaves out. At most twenty lines a second are written, and always that of a
  /// seed's last epoch.
  void update(int seed, int epoch, double loss, double validation_accuracy);

  /// Clears the line, so that other output starts in an empty one; the destructor does it too.
  void clear();

 private:
  int seeds_, epochs_;
  std::ostream& out_;
  bool is_terminal_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point last_;
  std::unique_ptr<stg::run_log> log_{};
};

}  // namespace common
