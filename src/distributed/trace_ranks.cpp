// A trace of ranks: lines that they note, and the file.
#include <stg/distributed/trace_ranks.hpp>

#include <algorithm>  // max, min
#include <atomic>     // atomic
#include <cstdint>    // int64_t
#include <fstream>    // ofstream
#include <map>        // map
#include <mutex>      // lock_guard, mutex
#include <vector>     // vector

#include <stg/base/error.hpp>  // error

#include "../runtime/chrome_trace.hpp"  // chrome_trace
#include "rank_trace.hpp"               // note_for_trace

namespace stg {

namespace {

struct trace_line {
  int rank;
  detail::traced_as what;
  std::string name;
  std::int64_t begun, took;  // microseconds
};

/// The trace of this process.
struct trace_under_way {
  std::atomic<bool> is_on{false};
  std::mutex mutex{};
  std::vector<trace_line> lines{};
};
trace_under_way& the_trace() {
  static trace_under_way one;
  return one;
}

std::int64_t microseconds(detail::trace_clock::duration d) {
  return std::chrono::duration_cast<std::chrono::microseconds>(d).count();
}

const char* category(detail::traced_as what) {
  switch (what) {
    case detail::traced_as::compute:
      return "compute";
    case detail::traced_as::post:
      return "post";
    default:
      return "wait";
  }
}

}  // namespace

bool detail::traces_ranks() noexcept { return the_trace().is_on.load(std::memory_order_relaxed); }

void detail::note_for_trace(int rank, traced_as what, std::string&& name, trace_clock::time_point begun) noexcept {
  const std::int64_t from = microseconds(begun.time_since_epoch());
  const std::int64_t took = microseconds(trace_clock::now().time_since_epoch()) - from;
  try {
    const std::lock_guard lock(the_trace().mutex);
    if (traces_ranks()) the_trace().lines.push_back({rank, what, std::move(name), from, took});
  } catch (...) {  // a line that finds no memory is left out
  }
}

struct trace_ranks::state {
  std::ofstream file{};
};

trace_ranks::trace_ranks() : state_(std::make_unique<state>()) {
  if (the_trace().is_on.exchange(true)) throw error("trace_ranks: a trace is under way; end it before the next begins");
}
trace_ranks::trace_ranks(const std::string& path) : trace_ranks() {  // whose end comes with an error, too
  state_->file.open(path);
  if (!state_->file) throw error("trace_ranks: " + path + " cannot be written");
}
trace_ranks::~trace_ranks() {
  if (state_->file.is_open()) state_->file << text();
  const std::lock_guard lock(the_trace().mutex);
  the_trace().is_on = false;
  the_trace().lines.clear();
}

rank_times trace_ranks::times(int rank) const {
  rank_times all;
  const std::lock_guard lock(the_trace().mutex);
  for (const trace_line& line : the_trace().lines) {
    if (line.rank != rank) continue;
    const double took = static_cast<double>(line.took) / 1000;
    switch (line.what) {
      case detail::traced_as::compute:
        all.compute += took;
        break;
      case detail::traced_as::post:
        all.post += took;
        break;
      case detail::traced_as::wait_rows:
        all.wait_rows += took, ++all.rows;
        break;
      case detail::traced_as::wait_sums:
        all.wait_sums += took, ++all.sums;
        break;
    }
  }
  return all;
}

namespace {

/// The values of a message, by which the nth post of a rank and the nth wait of another are known to be of one.
std::string values_of(const trace_line& line) {
  return line.name.substr(std::string(line.what == detail::traced_as::post ? "post " : "wait for ").size());
}
std::int64_t end_of(const trace_line& line) { return line.begun + line.took; }

/// When the last rank had sent a message that a rank waits for, of the others, if they are in the trace, else itself.
std::int64_t sent_at(const std::vector<trace_line>& lines, int rank, const std::string& values, int nth) {
  std::map<int, int> posts;  // by rank
  std::int64_t own = 0, others = -1;
  for (const trace_line& line : lines) {
    if (line.what != detail::traced_as::post || values_of(line) != values || posts[line.rank]++ != nth) continue;
    if (line.rank == rank) own = end_of(line);
    else others = std::max(others, end_of(line));
  }
  return others < 0 ? own : others;
}

}  // namespace

std::vector<waited_message> trace_ranks::messages(int rank) const {
  std::vector<waited_message> all;
  std::map<std::string, int> waits;  // by the values of a message
  const std::lock_guard lock(the_trace().mutex);
  const std::vector<trace_line>& lines = the_trace().lines;
  for (const trace_line& wait : lines) {
    if (wait.rank != rank || (wait.what != detail::traced_as::wait_rows && wait.what != detail::traced_as::wait_sums))
      continue;
    const std::int64_t sent = sent_at(lines, rank, values_of(wait), waits[values_of(wait)]++);
    std::int64_t meanwhile = 0;
    for (const trace_line& line : lines)
      if (line.rank == rank && line.what == detail::traced_as::compute)
        meanwhile += std::max<std::int64_t>(0, std::min(end_of(line), wait.begun) - std::max(line.begun, sent));
    const std::int64_t waited = std::max<std::int64_t>(0, end_of(wait) - std::max(wait.begun, sent));
    all.push_back({wait.name, static_cast<double>(meanwhile) / 1000, static_cast<double>(waited) / 1000});
  }
  return all;
}

std::string trace_ranks::text() const {
  const std::lock_guard lock(the_trace().mutex);
  detail::chrome_trace trace;
  for (const trace_line& line : the_trace().lines)
    trace.add(line.rank, "rank " + std::to_string(line.rank), line.name, category(line.what), 1000 * line.begun,
              1000 * line.took);
  return trace.text();
}

}  // namespace stg
