// Arenas that calls of one program take and give back, so that only the first call allocates.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <memory>   // shared_ptr
#include <new>      // bad_alloc
#include <utility>  // move, swap
#include <vector>   // vector

#include <stg/runtime/arena.hpp>  // arena
#include <stg/runtime/mutex.hpp>  // lock, mutex

namespace stg {

/// Idle arenas, shared by the calls and tapes of one compiled program. Safe to use from several threads. Arena: an
/// arena, or what has its interface for other memory.
template <class Arena> class basic_arena_pool {
 public:
  virtual ~basic_arena_pool() = default;
  virtual Arena empty() const = 0;  // one that holds no memory yet

  /// The smallest idle arena with that many bytes, else the largest, else an empty one: tapes of several graphs that
  /// come and go in any order then find what they left behind, and none of them grows.
  Arena take(std::int64_t bytes) {
    const detail::lock held(mutex_);
    if (idle_.empty()) return empty();
    auto fits = at(bytes);
    if (fits == idle_.end()) --fits;
    Arena a = std::move(*fits);
    idle_.erase(fits);
    return a;
  }
  /// Where there is no memory to note an arena in, it goes: the next call makes another.
  void give_back(Arena a) noexcept {
    if (a.capacity() == 0) return;
    const detail::lock held(mutex_);
    try {
      idle_.insert(at(a.capacity()), std::move(a));
    } catch (const std::bad_alloc&) {
    }
  }

 private:
  typename std::vector<Arena>::iterator at(std::int64_t bytes) {
    auto place = idle_.begin();  // there are as many as calls ran at once
    while (place != idle_.end() && place->capacity() < bytes) ++place;
    return place;
  }

  detail::mutex mutex_;
  std::vector<Arena> idle_;  // by capacity
};

/// Memory of a pool for as long as this lives.
template <class Arena> class basic_pooled_arena {
 public:
  explicit basic_pooled_arena(std::shared_ptr<basic_arena_pool<Arena>> pool)
      : pool_(std::move(pool)), arena_(pool_->empty()) {}
  basic_pooled_arena(basic_pooled_arena&&) noexcept = default;
  basic_pooled_arena& operator=(basic_pooled_arena&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(arena_, other.arena_);
    return *this;
  }
  ~basic_pooled_arena() {
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
  std::int64_t capacity() const { return arena_.capacity(); }

 private:
  std::shared_ptr<basic_arena_pool<Arena>> pool_;
  Arena arena_;
};

}  // namespace stg
