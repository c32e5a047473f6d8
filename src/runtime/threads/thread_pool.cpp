// Waking, entering and leaving: a word of state says who may touch the work at hand.
#include "thread_pool.hpp"  // thread_pool

#include <algorithm>  // min
#include <chrono>     // steady_clock
#include <exception>  // exception
#include <thread>     // thread

#if defined(__linux__)
#include <pthread.h>  // pthread_setaffinity_np
#endif
#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>  // _mm_pause
#endif

namespace stg {

namespace {

/// Set on helpers, and on a caller while it is helped.
thread_local bool is_working = false;

void run_on(const std::vector<int>& processors) {
#if defined(__linux__)
  if (processors.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) CPU_SET(processor, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
#else
  (void)processors;
#endif
}

void rest() {
#if defined(__x86_64__) || defined(_M_X64)
  _mm_pause();
#endif
}

/// How long one who waits looks again and again: first without a pause that others could use, then letting them run.
/// A sleeper comes some 25 us after it is called, which is what a small unit of a program takes.
constexpr int looks_at_once = 256;
constexpr std::chrono::microseconds looks_for{200};

/// Calls is_over() until it is true, which is the result, or for as long as that is worth it.
template <class Condition> bool look(Condition is_over) {
  for (int i = 0; i < looks_at_once; ++i) {
    if (is_over()) return true;
    rest();
  }
  const auto end = std::chrono::steady_clock::now() + looks_for;
  do {
    if (is_over()) return true;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

bool thread_pool::run(int helpers, void (*work)(void* context), void* context) {
  if (is_working) return false;
  const std::unique_lock lock(busy_, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  helpers = std::min(helpers, most_helpers);
  start(helpers);
  work_ = work;
  context_ = context;
  state_.store(open | static_cast<std::uint32_t>(helpers) * one_helper, std::memory_order_release);
  round_.fetch_add(1);
  call_sleepers();
  is_working = true;
  work(context);
  is_working = false;
  close();
  return true;
}

/// Where the system has no more threads, work goes on with fewer.
void thread_pool::start(int helpers) {
  int count = started_.load(std::memory_order_relaxed);
  if (helpers == refused_) return;
  try {
    for (; count < helpers; started_.store(++count, std::memory_order_relaxed))
      std::thread([this, processors = processors_(count)] { help(processors); }).detach();
  } catch (const std::exception&) {
    refused_ = helpers;
  }
}

void thread_pool::help(const std::vector<int>& processors) {
  is_working = true;
  run_on(processors);
  bool looks = true;
  for (std::uint32_t last = 0;;) {
    last = await_round(last, looks);
    call_sleepers();
    const entry got = enter();
    looks = got != entry::full;  // one too many sleeps until it is called
    if (got != entry::inside) continue;
    work_(context_);
    leave();
  }
}

std::uint32_t thread_pool::await_round(std::uint32_t last, bool looks) {
  std::uint32_t now = last;
  const auto is_next = [&] { return (now = round_.load(std::memory_order_acquire)) != last; };
  while (!(looks ? look(is_next) : is_next())) {
    sleeping_.fetch_add(1);
    round_.wait(last);
    sleeping_.fetch_sub(1);
  }
  return now;
}

/// Wakes up to two helpers where fewer are awake than may enter. Those wake others in turn, so that a caller with many
/// helpers begins at once. A helper that falls asleep meanwhile is counted before it looks at the round once more: one
/// of the two sees the other.
void thread_pool::call_sleepers() {
  const std::uint32_t now = state_.load(std::memory_order_relaxed);
  if ((now & open) == 0) return;
  const int awake = started_.load(std::memory_order_relaxed) - sleeping_.load();
  const int missing = static_cast<int>(now / one_helper) - awake;
  for (int k = 0; k < missing && k < 2; ++k) round_.notify_one();
}

thread_pool::entry thread_pool::enter() {
  std::uint32_t now = state_.load(std::memory_order_relaxed);
  do {
    if ((now & open) == 0) return entry::closed;
    if ((now & inside_mask) / one_inside == now / one_helper) return entry::full;
  } while (!state_.compare_exchange_weak(now, now + one_inside, std::memory_order_acquire, std::memory_order_relaxed));
  return entry::inside;
}

void thread_pool::leave() { state_.fetch_sub(one_inside, std::memory_order_release); }

/// Nobody enters any more. Those inside are at their last parts: the caller looks until they are over.
void thread_pool::close() {
  state_.fetch_and(~open, std::memory_order_relaxed);
  while (!look([&] { return (state_.load(std::memory_order_acquire) & inside_mask) == 0; })) {
  }
}

}  // namespace stg
