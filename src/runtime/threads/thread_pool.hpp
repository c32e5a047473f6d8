// Threads that help a caller with its work, and for whom it does not wait: one that wakes up late finds the work done.
// The end of an OpenMP region waits for every thread of its team, which on a busy machine is a time slice of the
// scheduler for each region.
#pragma once

#include <atomic>   // atomic
#include <cstdint>  // uint32_t
#include <mutex>    // mutex
#include <vector>   // vector

namespace stg {

/// One caller is helped at a time. Helpers are started when they are first asked for and live as long as the process,
/// so a pool must, too: after work they look for more of it for a moment, then sleep.
class thread_pool {
 public:
  /// processors(k): where helper k may run, empty for wherever the thread may that starts it. Asked by that thread.
  explicit thread_pool(std::vector<int> (*processors)(int helper)) : processors_(processors) {}

  /// Runs work(context) on the caller, and at the same time on each of up to `helpers` threads that comes before the
  /// caller's is over; returns when all that began are over. False, and nothing has run, for a caller that is itself
  /// running work of a pool, and while another caller is helped. `work` must not throw.
  bool run(int helpers, void (*work)(void* context), void* context);

 private:
  enum class entry { inside, full, closed };
  static constexpr std::uint32_t open = 1, one_inside = 2, inside_mask = 0xFFFE, one_helper = 0x10000;
  static constexpr int most_helpers = 0x7FFF;

  void start(int helpers);
  void help(const std::vector<int>& processors);
  std::uint32_t await_round(std::uint32_t last, bool looks);
  void call_sleepers();
  entry enter();
  void leave();
  void close();

  std::vector<int> (*const processors_)(int);
  std::mutex busy_;                // of the caller that is helped
  int refused_ = -1;               // helpers that the system has not given
  void (*work_)(void*) = nullptr;  // read by those inside alone
  void* context_ = nullptr;
  std::atomic<int> started_{0}, sleeping_{0};        // helpers
  alignas(64) std::atomic<std::uint32_t> round_{0};  // changes when there is work
  alignas(64) std::atomic<std::uint32_t> state_{0};  // whether one may enter, how many are inside, how many may be
};

}  // namespace stg
