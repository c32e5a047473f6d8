// One growable block of memory that a tape places its buffers in.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstddef>  // byte
#include <cstdint>  // int64_t, uint64_t
#include <utility>  // exchange

namespace stg {

/// A block that grows and never shrinks, so that a training step allocates only the first time. 64-byte aligned; from
/// 2 MiB on aligned to 2 MiB and advised for huge pages. Move-only; the memory is given back when it goes.
///
///   stg::arena a;
///   a.reserve(plan.bytes());        // contents are not kept when the block grows
///   float* h = reinterpret_cast<float*>(a.data() + plan.offset_of(h));
class arena {
 public:
  arena() = default;
  arena(arena&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  arena& operator=(arena&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~arena();

  /// Makes at least `bytes` available at data(); keeps the block, and what is in it, when it is large enough, and
  /// otherwise replaces it by one with indeterminate contents. Error when bytes is negative or the memory is not to be
  /// had.
  void reserve(std::int64_t bytes);
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::int64_t capacity() const { return capacity_; }

  /// Bytes that arenas have allocated since the program began; tests read it before and after a step.
  static std::uint64_t total_allocated();

 private:
  std::byte* data_ = nullptr;
  std::int64_t capacity_ = 0;
};

}  // namespace stg
