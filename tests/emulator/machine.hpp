// The machine that a launch is emulated on: one block at a time, its threads as fibers that change places where they
// wait.
#pragma once

#include <cstddef>    // byte
#include <cstdint>    // int64_t
#include <exception>  // exception_ptr
#include <string>
#include <vector>

#include <stg/codegen/cuda/group.hpp>  // grid

#include "emulator/fault.hpp"         // fault_kind
#include "emulator/fibers.hpp"        // fibers
#include "emulator/memory_watch.hpp"  // memory_watch
#include "emulator/options.hpp"       // options
#include "emulator/place.hpp"         // place

namespace stg::emulator {

/// What threads of a group do together.
enum class collective : std::uint8_t { sync, shuffle, ballot, any, reduce };

/// What counts as the lanes of all groups of more than 32, and of the block itself.
inline constexpr int whole_block = 1024;

class machine {
 public:
  /// Runs thread `thread` of the block that is running.
  using thread_body = void (*)(const void* kernel, machine&, int thread);

  /// Runs all blocks; throws fault, and whatever the kernel throws. Afterwards the machine is as before in either case.
  void launch(const gpu::grid& grid, const options& options, thread_body body, const void* kernel);

  std::int64_t block() const { return block_; }
  const gpu::grid& grid() const { return grid_; }
  memory_watch& memory() { return memory_; }

  /// Comes to a meeting of the aligned run of `lanes` threads that `thread` is among, with the address of what it
  /// brings. True for the last one to come: it works out what the others wait for, then calls release. The others are
  /// suspended until then.
  bool meet(int thread, int lanes, collective what, void* brought, place where);
  void release(int thread, int lanes);
  /// What a thread brought to the meeting that is being worked on.
  void* brought(int thread) const { return threads_[thread].brought; }

  [[noreturn]] void fail(fault_kind kind, const std::string& text) const;
  [[noreturn]] void fail_shuffle(int thread, int lanes, int from, place where) const;
  [[noreturn]] void fail_reduction(int thread, int lanes, place where) const;
  [[noreturn]] void fail_group(int thread, int lanes, place where) const;

 private:
  struct cancelled {};  // thrown in the other threads of a block when one has failed
  struct meeting {
    int arrived = 0;
    collective what = collective::sync;
    place where;
  };
  struct thread_state {
    void* brought = nullptr;
    int waits_for = 0;  // lanes of the group that it waits for, 0: it does not wait
    int fiber = -1;     // that it runs on, -1: it has not started, or has finished
    bool finished = false;
  };

  void run_block();
  int run_threads(int fiber) noexcept;
  void run_thread(int thread) noexcept;
  void cancel();
  [[noreturn]] void fail_deadlock() const;
  std::string describe(const meeting& meeting, int lanes) const;

  void wait(int thread);
  void make_ready(int thread) { ready_.push_back(thread); }
  int take_ready();
  int fiber_of_next();
  std::uint64_t random();

  meeting& meeting_of(int thread, int lanes);
  int first_lane(int thread, int lanes) const { return lanes > 32 ? 0 : thread / lanes * lanes; }

  emulator::fibers fibers_;
  gpu::grid grid_;
  emulator::options options_;
  thread_body body_ = nullptr;
  const void* kernel_ = nullptr;
  std::int64_t block_ = 0;
  std::uint64_t random_state_ = 0;

  memory_watch memory_;
  std::vector<thread_state> threads_;
  std::vector<meeting> meetings_[7];  // by the logarithm of their lanes, the last for the whole block
  std::vector<int> ready_;            // from ready_first_ on, the threads that can run
  std::size_t ready_first_ = 0;
  int not_started_ = 0;  // the first thread that has not started, in ascending order
  std::vector<int> idle_fibers_;
  std::vector<int> starting_;  // (fibers): the thread that a fiber starts with
  int finished_ = 0;
  std::exception_ptr failure_;
  bool cancelling_ = false;
};

/// The threads of a list as runs: "0-7, 9".
std::string runs(const std::vector<int>& threads);

}  // namespace stg::emulator
