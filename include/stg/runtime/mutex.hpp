// A mutex of one flag: <mutex> would have every program read the clocks of <chrono>.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <atomic>  // atomic_flag, memory_order_acquire

namespace stg::detail {

/// For moments: whoever finds it taken sleeps until it is free.
class mutex {
 public:
  void take() {
    while (taken_.test_and_set(std::memory_order_acquire)) taken_.wait(true, std::memory_order_relaxed);
  }
  void give_back() {
    taken_.clear(std::memory_order_release);
    taken_.notify_one();
  }

 private:
  std::atomic_flag taken_;
};

/// A mutex that is taken for as long as this lives.
class lock {
 public:
  explicit lock(mutex& of) : of_(of) { of_.take(); }
  lock(const lock&) = delete;
  lock& operator=(const lock&) = delete;
  ~lock() { of_.give_back(); }

 private:
  mutex& of_;
};

}  // namespace stg::detail
