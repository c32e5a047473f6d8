// trace_ranks: what the ranks of this process compute, send and wait for, as a file that a browser shows.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <memory>  // unique_ptr
#include <string>  // string
#include <vector>  // vector

namespace stg {

/// Milliseconds of one rank, and how many messages it waited for.
struct rank_times {
  double compute = 0;    // units of programs
  double post = 0;       // packing and sending
  double wait_rows = 0;  // for rows of vertices and edges
  double wait_sums = 0;  // for sums over all rows
  int rows = 0, sums = 0;
};

/// A message that a rank waited for: milliseconds that it computed in between its being sent, by the last of the other
/// ranks, and its own wait, and milliseconds of the wait after that. A wait for a rank that has not sent yet is none of
/// the message's.
struct waited_message {
  std::string name;  // `wait for %7, %9`
  double meanwhile = 0, waited = 0;
};

/// While it lives, calls on parts of cut graphs note when each unit runs, is sent and waits, by rank. The end writes
/// the file, in the trace format of Chrome, which ui.perfetto.dev and chrome://tracing show: a row for each rank. Under
/// MPI each process has a trace of its own, so name its file after the rank; the files have one clock if the processes
/// run on one machine. Errors: a file that cannot be written, and a second trace at the same time.
///
///   stg::trace_ranks trace("run.json");
///   step(part, ...);
class trace_ranks {
 public:
  /// A trace without a file: `times` alone.
  trace_ranks();
  explicit trace_ranks(const std::string& path);
  trace_ranks(const trace_ranks&) = delete;
  trace_ranks& operator=(const trace_ranks&) = delete;
  ~trace_ranks();

  rank_times times(int rank) const;
  /// The messages that a rank waited for, in the order in which it did.
  std::vector<waited_message> messages(int rank) const;
  /// The text of the file so far.
  std::string text() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace stg
