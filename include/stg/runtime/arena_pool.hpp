// Arenas that calls of one program take and give back, so that only the first call allocates.
#pragma once

#include <memory>   // shared_ptr
#include <mutex>    // mutex
#include <utility>  // move
#include <vector>   // vector

#include <stg/runtime/arena.hpp>  // arena

namespace stg {

/// A stack of idle arenas, shared by the calls and tapes of one compiled program. Safe to use from several threads.
class arena_pool {
 public:
  arena take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return arena();
    arena a = std::move(idle_.back());
    idle_.pop_back();
    return a;
  }
  void give_back(arena a) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(a));
  }

 private:
  std::mutex mutex_;
  std::vector<arena> idle_;
};

/// An arena of a pool for as long as this lives.
class pooled_arena {
 public:
  explicit pooled_arena(std::shared_ptr<arena_pool> pool) : pool_(std::move(pool)), arena_(pool_->take()) {}
  pooled_arena(pooled_arena&&) noexcept = default;
  pooled_arena& operator=(pooled_arena&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(arena_, other.arena_);
    return *this;
  }
  ~pooled_arena() {
    if (pool_) pool_->give_back(std::move(arena_));
  }
  arena& operator*() { return arena_; }
  arena* operator->() { return &arena_; }

 private:
  std::shared_ptr<arena_pool> pool_;
  arena arena_;
};

}  // namespace stg
