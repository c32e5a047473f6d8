// Scratch that is lent for as long as a batch takes, one to a thread.
#pragma once

#include <exception>  // uncaught_exceptions
#include <memory>     // make_unique, unique_ptr
#include <mutex>      // lock_guard, mutex
#include <utility>    // move
#include <vector>     // vector

namespace stg::detail {

template <class Scratch> struct pool_of {
  std::mutex lock{};
  std::vector<std::unique_ptr<Scratch>> free{};
};

/// Scratch of the pool, given back at the end; where that is an exception, it goes: what draws leave for the next may
/// be half done.
template <class Scratch> class lent {
 public:
  explicit lent(pool_of<Scratch>& pool) : pool_(pool) {
    {
      const std::lock_guard hold(pool.lock);
      if (!pool.free.empty()) {
        scratch_ = std::move(pool.free.back());
        pool.free.pop_back();
      }
    }
    if (!scratch_) scratch_ = std::make_unique<Scratch>();
  }
  ~lent() {
    if (std::uncaught_exceptions() > exceptions_) return;
    const std::lock_guard hold(pool_.lock);
    try {
      pool_.free.push_back(std::move(scratch_));
    } catch (...) {  // no memory to keep it in: the next call makes another
    }
  }
  lent(const lent&) = delete;
  lent& operator=(const lent&) = delete;
  Scratch& operator*() { return *scratch_; }

 private:
  pool_of<Scratch>& pool_;
  std::unique_ptr<Scratch> scratch_{};
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace stg::detail
