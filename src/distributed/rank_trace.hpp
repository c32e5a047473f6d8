// The lines of a trace of ranks, as calls on parts of cut graphs note them.
#pragma once

#include <chrono>   // steady_clock
#include <string>   // string
#include <utility>  // move

namespace stg::detail {

enum class traced_as { compute, post, wait_rows, wait_sums };

using trace_clock = std::chrono::steady_clock;

/// Whether there is a trace.
bool traces_ranks() noexcept;
void note_for_trace(int rank, traced_as what, std::string&& name, trace_clock::time_point begun) noexcept;

/// A line of the trace, if there is one: from here to the end of its scope. name(): its name.
template <class Name> class traced {
 public:
  traced(int rank, traced_as what, const Name& name) : rank_(rank), what_(what), is_on_(traces_ranks()) {
    if (!is_on_) return;
    name_ = name();
    begun_ = trace_clock::now();
  }
  traced(const traced&) = delete;
  traced& operator=(const traced&) = delete;
  ~traced() {
    if (is_on_) note_for_trace(rank_, what_, std::move(name_), begun_);
  }

 private:
  int rank_;
  traced_as what_;
  bool is_on_;
  std::string name_{};
  trace_clock::time_point begun_{};
};

}  // namespace stg::detail
