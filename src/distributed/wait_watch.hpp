// wait_watch: whether a rank waits in vain. It tells ranks that compute for long from ranks that stand still.
#pragma once

#include <chrono>   // milliseconds, steady_clock
#include <cstdint>  // uint64_t

#include <stg/runtime/communicator.hpp>  // communicator

namespace stg::detail {

/// What one rank knows of another.
struct rank_activity {
  bool waits = false;       // for a message
  bool returned = false;    // from its work
  std::uint64_t pulse = 0;  // changes while the rank computes, and when one of its waits ends
};

struct wait_limits {
  std::chrono::milliseconds patience, silence, longest_work;  // as in thread_rank_options
};

/// One wait of a rank for a message of another; of rank -1, for all.
class wait_watch {
 public:
  using clock = std::chrono::steady_clock;

  wait_watch(const communicator& waiting, int from, const wait_limits& limits)
      : mine_(waiting), from_(from), limits_(limits), begun_(clock::now()), moved_(begun_) {}

  /// activity(rank) says what the others do. Error when all wait for longer than `patience`, when none of those who
  /// should compute has done so for `silence`, and when one has computed for `longest_work`.
  template <class Activity> void look(const Activity& activity) {
    std::uint64_t pulses = 0;
    int busy = -1;
    for (int r = 0; r < mine_.size(); ++r) {
      if (r == mine_.rank()) continue;
      const rank_activity a = activity(r);
      pulses += a.pulse;
      if (!a.waits && !a.returned && (busy < 0 || r == from_)) busy = r;
    }
    judge(pulses, busy);
  }
  bool has_lasted(clock::duration time) const { return clock::now() - begun_ > time; }
  /// The error where the other has returned, and the message will not come.
  [[noreturn]] void refuse_returned() const;

 private:
  void judge(std::uint64_t pulses, int busy);

  const communicator& mine_;
  int from_;
  wait_limits limits_;
  clock::time_point begun_, moved_;
  bool any_ = false;
  std::uint64_t pulses_ = 0;
};

}  // namespace stg::detail
