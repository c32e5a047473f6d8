// run_log: what a training run tells while it runs: scalars, hyper-parameters, a line of progress, curves.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <concepts>     // floating_point, integral, same_as
#include <cstdint>      // int64_t
#include <memory>       // unique_ptr
#include <optional>     // optional
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move
#include <variant>      // variant
#include <vector>       // vector

namespace stg {

class communicator;

/// What a log writes.
struct run_log_options {
  bool event_files = true;    ///< events.out.tfevents.…: TensorBoard's
  bool json_lines = true;     ///< scalars.jsonl
  bool csv = true;            ///< scalars.csv
  bool progress = true;       ///< a line on stderr, if stderr is a terminal
  std::int64_t steps = 0;     ///< how many steps the run has: for the share that is done and the time left; 0: unknown
  double flush_seconds = 10;  ///< longest time that a scalar waits for the next one before both are written
  /// The first step of a run that is resumed: TensorBoard and curves forget what the earlier run said of this step and
  /// later ones.
  std::optional<std::int64_t> purge_step{};
};

/// One setting of a run: a number, a truth or a text, by name.
struct hyper_parameter {
  std::string name;
  std::variant<bool, std::int64_t, double, std::string> value;

  hyper_parameter(std::string of, std::same_as<bool> auto v) : name(std::move(of)), value(v) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  hyper_parameter(std::string of, T v) : name(std::move(of)), value(static_cast<std::int64_t>(v)) {}
  hyper_parameter(std::string of, std::floating_point auto v) : name(std::move(of)), value(static_cast<double>(v)) {}
  hyper_parameter(std::string of, std::string v) : name(std::move(of)), value(std::move(v)) {}
  hyper_parameter(std::string of, const char* v) : name(std::move(of)), value(std::string(v)) {}
};

/// The log of a training run, in a folder. A new folder is made; a folder that has a log already gets more lines, and
/// one more event file, as when a run is resumed. Scalars lie in memory until there are 64 KiB, until `flush_seconds`
/// have passed, or until `flush`: a process that crashes loses those alone, and files hold whole lines and records. Any
/// number of threads may call. Numbers are written alike in every locale.
///
/// NaN and ∞: an event file holds them as they are, CSV has nan, inf and -inf, JSON lines the texts "NaN", "Infinity"
/// and
/// "-Infinity". A name may hold quotes, commas and letters of any script, and no control character; "loss/train" and
/// "loss/val" share a chart.
///
/// Errors: a folder that cannot be made, a file of the log that is of somebody else, a second log in the folder at the
/// same time, a full disk (what was not written stays in memory, and the next flush tries again), a name that is empty,
/// has control characters or is no UTF-8.
///
///   stg::run_log log("runs/gcn", {.steps = 200});
///   log.hyper_parameters({{"learning rate", 0.01}, {"heads", 8}, {"model", "gat"}});
///   log.add_scalar("loss/train", loss, epoch);
///   log.write_svg("curves.svg");
class run_log {
 public:
  explicit run_log(const std::string& folder, const run_log_options& options = {});
  /// Of several ranks, of which each has its log by the same call: rank 0 writes, and calls of the others do nothing.
  run_log(const std::string& folder, const communicator& ranks, const run_log_options& options = {});
  run_log(const run_log&) = delete;
  run_log& operator=(const run_log&) = delete;
  /// Writes what is left. An error is told on stderr.
  ~run_log();

  /// A number at a step.
  void add_scalar(std::string_view name, double value, std::int64_t step);
  /// The settings of the run, once: a line of JSON, and TensorBoard's table HPARAMS. Errors: a second call, a name
  /// twice.
  void hyper_parameters(const std::vector<hyper_parameter>& settings);
  /// Writes what lies in memory.
  void flush();
  /// Curves of all scalars over steps as a picture, a chart for each part of names before the first '/'; its colours
  /// fit light and dark pages. With `csv` it has the curves of earlier runs in the folder, too. A relative path begins
  /// at the log's folder. Of two values of one step the later one is shown; a curve is interrupted where it is NaN or
  /// ∞. Error: a file that cannot be written.
  void write_svg(const std::string& path);

 private:
  struct state;
  std::unique_ptr<state> state_;  // none on ranks that do not write
};

}  // namespace stg
