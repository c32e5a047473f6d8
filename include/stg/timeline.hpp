// timeline: which unit of which program took the time, and when.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t
#include <memory>   // unique_ptr
#include <string>   // string
#include <vector>   // vector

namespace stg {

/// What all runs of one unit took. Programs are counted from 1 in the order in which they are first called: a step of
/// training is two, forward and gradient. Units have the numbers that explain shows.
struct unit_time {
  int program = 0, unit = 0;
  std::string what{};  // `in-edges: div, mul`: what it goes over, and the operations whose values it writes
  std::int64_t runs = 0;
  double seconds = 0;      // of all runs, by the clock; of a scan those of its steps too
  std::int64_t bytes = 0;  // of all runs: moved at least, as explain counts them; 0 of a scan, whose steps have them
  std::int64_t threads = 0;
};

/// While it lives, programs that run on the CPU note when each of their units begins and ends, in any build; nothing is
/// noted otherwise, and a call asks once whether it is. The end writes the file, in the trace format of Chrome, which
/// ui.perfetto.dev and chrome://tracing show: a row for each thread that calls programs, of the first million runs.
/// One at a time in a process. Errors: a file that cannot be written, a second timeline at the same time.
///
///   stg::timeline run("run.json");
///   step(graph, ...);
///   std::cout << run.table();   // the costliest unit first
///
/// Without a change to a program, STG_TRACE=run.json in its environment does the same for all of its calls.
class timeline {
 public:
  /// Without a file.
  timeline();
  explicit timeline(const std::string& path);
  timeline(const timeline&) = delete;
  timeline& operator=(const timeline&) = delete;
  ~timeline();

  /// Of all units that have run so far, the one that took longest first.
  std::vector<unit_time> units() const;
  /// A line for each: program, unit, runs, milliseconds, their share, GB/s, threads, what.
  std::string table() const;
  /// The text of the file so far.
  std::string text() const;

 private:
  struct file;
  std::unique_ptr<file> file_;
};

}  // namespace stg
