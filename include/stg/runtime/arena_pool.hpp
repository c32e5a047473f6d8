// Arenas that calls of one program take and give back, so that only the first call allocates.
#pragma once

#include <algorithm>  // lower_bound
#include <cstddef>    // byte
#include <cstdint>    // int64_t
#include <memory>     // shared_ptr
#include <mutex>      // mutex
#include <utility>    // move, swap
#include <vector>     // vector

#include <stg/runtime/arena.hpp>  // arena

namespace stg {

/// Idle arenas, shared by the calls and tapes of one compiled program. Safe to use from several threads.
class arena_pool {
 public:
  /// The smallest idle arena with that many bytes, else the largest, else an empty one: tapes of several graphs that
  /// come and go in any order then find what they left behind, and none of them grows.
  arena take(std::int64_t bytes) {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return arena();
    auto fits = at(bytes);
    if (fits == idle_.end()) --fits;
    arena a = std::move(*fits);
    idle_.erase(fits);
    return a;
  }
  void give_back(arena a) {
    const std::scoped_lock lock(mutex_);
    if (a.capacity() > 0) idle_.insert(at(a.capacity()), std::move(a));
  }

 private:
  std::vector<arena>::iterator at(std::int64_t bytes) {
    return std::lower_bound(idle_.begin(), idle_.end(), bytes,
                            [](const arena& a, std::int64_t b) { return a.capacity() < b; });
  }

  std::mutex mutex_;
  std::vector<arena> idle_;  // by capacity
};

/// Memory of a pool for as long as this lives.
class pooled_arena {
 public:
  explicit pooled_arena(std::shared_ptr<arena_pool> pool) : pool_(std::move(pool)) {}
  pooled_arena(pooled_arena&&) noexcept = default;
  pooled_arena& operator=(pooled_arena&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(arena_, other.arena_);
    return *this;
  }
  ~pooled_arena() {
    if (pool_) pool_->give_back(std::move(arena_));
  }

  /// Makes at least `bytes` available at data(). Contents are not kept when that takes another block.
  void reserve(std::int64_t bytes) {
    if (bytes <= arena_.capacity()) return;
    pool_->give_back(std::move(arena_));
    arena_ = pool_->take(bytes);
    arena_.reserve(bytes);
  }
  std::byte* data() { return arena_.data(); }

 private:
  std::shared_ptr<arena_pool> pool_;
  arena arena_;
};

}  // namespace stg
