// heartbeat: a sign of life between processes, beside MPI. Each pair of ranks has a TCP connection.
#pragma once

#include <atomic>      // atomic
#include <chrono>      // milliseconds, steady_clock
#include <cstdint>     // uint32_t, uint64_t
#include <functional>  // function
#include <mutex>       // mutex
#include <string>      // string
#include <thread>      // thread
#include <vector>      // vector

#include "open_socket.hpp"  // open_socket
#include "wait_watch.hpp"   // rank_activity

namespace stg::detail {

struct heartbeat_options {
  std::chrono::milliseconds every{500};       // between two beats
  std::chrono::milliseconds silence{20'000};  // of a rank that others take for lost
  std::chrono::milliseconds grace{2'000};     // for this rank to end by itself, once another is lost
  std::chrono::milliseconds to_connect{20'000};
  std::function<void(const std::string& why)> end{};  // ends this process; why: the verdict
};

/// Tells the other ranks twice a second that this one lives, and whether it waits or computes, by a thread of its own.
/// A process that dies closes its connections, whatever ended it, so the others know at once; one that is stopped or
/// cut off falls silent. The rank's own thread asks `verdict` while it waits. Where it does not end within `grace`,
/// since it computes, or hangs in a call of MPI, the beating thread ends the process.
class heartbeat {
 public:
  using clock = std::chrono::steady_clock;

  /// Opens a port on all networks. Error where there is none.
  heartbeat(int rank, int size, heartbeat_options options);
  /// Takes leave of the others.
  ~heartbeat();

  /// The host's name, the port and the addresses of this rank, for `connect` of the others.
  const std::string& address() const { return address_; }
  /// Connects all ranks, by their addresses. job: a number that no other program has. Error with a rank that cannot be
  /// reached.
  void connect(const std::vector<std::string>& addresses, std::uint64_t job);

  /// Begins and ends a wait for messages.
  void waits(bool does) {
    if (!does) ++ended_waits_;
    waits_ = does;
  }
  /// Begins and ends a call that may take long without the processor.
  void busy(bool is) { is_busy_ = is; }
  rank_activity activity(int rank);
  /// Whether a rank is lost; `verdict` is why.
  bool is_over() const { return is_over_; }
  std::string verdict();
  /// Whether the verdict is what a failing rank told, which it has said to the user.
  bool was_told() const { return was_told_; }
  /// Tells the others that this rank ends, and why.
  void fail(std::string_view why) noexcept;
  /// Tells the others that this rank has returned from its work.
  void returned();
  bool all_returned();

 private:
  enum class word : std::uint32_t { computes, waits, returned, failed, leaves };
  struct beat {
    word says{};
    std::uint32_t length = 0;  // of a text behind it
    std::uint64_t pulse = 0;
  };
  struct hello {
    std::uint64_t job;
    std::int32_t from, to;
  };
  struct peer {
    open_socket line{};
    rank_activity does{};
    bool left = false;
    clock::time_point heard{};
    std::string read{};  // of a beat that has not come whole
  };

  void leave();
  void beat_on();
  void wait_for_something(std::chrono::milliseconds at_most);
  void take_new_lines();
  bool reach(int rank, const std::string& address);
  void keep_line(int rank, open_socket line);
  int first_without_line();
  void hear(int rank);
  void take_beat(int rank, const beat& b, std::string_view text);
  void look_for_silence(clock::time_point now);
  void lose(const std::string& why);
  void tell(word says, std::string_view text = {});
  void tell(peer& p, word says, std::string_view text);
  void look_at_work();

  const int rank_;
  const heartbeat_options options_;
  open_socket port_{};
  std::string address_{};
  std::uint64_t job_ = 0;
  std::mutex mutex_{};  // of all below, but for atomics
  std::vector<peer> peers_;
  std::string verdict_{};
  clock::time_point lost_at_{}, looked_at_{};
  bool has_returned_ = false;
  std::uint64_t work_ = 0, busy_beats_ = 0;
  std::atomic<bool> is_over_{false}, was_told_{false}, waits_{false}, is_busy_{false}, ends_{false};
  std::atomic<std::uint64_t> ended_waits_{0};
  std::thread beating_{};
};

}  // namespace stg::detail
