// thread_ranks: the ranks of a cut as threads of one process, for tests and for a machine of one's own.
#pragma once

#include <stg/runtime/communicator.hpp>  // communicator

#include <chrono>      // microseconds, milliseconds
#include <cstdint>     // int64_t, uint64_t
#include <functional>  // function

namespace stg {

/// Properties of threads in the place of processes. Those that disturb are for tests.
struct thread_rank_options {
  std::chrono::milliseconds patience{30'000};         // how long ranks that all wait do so
  std::chrono::milliseconds silence{20'000};          // how long one may do nothing while others wait for it
  std::chrono::milliseconds longest_work{3'600'000};  // how long one may compute while others wait for it
  std::chrono::microseconds delay{0};                 // of each message
  std::uint64_t reorder = 0;                          // not 0: messages are delayed at random, drawn by this seed
  int failing_rank = -1;                              // throws at its call number `failing_call` of the communicator
  std::int64_t failing_call = 0;
};

/// Runs work(communicator) on so many ranks at a time, each a thread, and returns when all have ended. All share the
/// threads of `parallel`. Error: the first error that a rank threw; the others are ended by it. Errors also for fewer
/// than one rank.
///
///   stg::run_ranks(4, [&](stg::communicator& ranks) {
///     stg::distributed_graph part(cut, ranks);
///     train(part);
///   });
void run_ranks(int count, const std::function<void(communicator&)>& work, const thread_rank_options& how = {});

}  // namespace stg
