// One growable block of device memory for the buffers of a call.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t, uint64_t
#include <memory>   // shared_ptr
#include <utility>  // exchange, move, swap

#include <stg/runtime/cuda/device.hpp>  // device

namespace stg::gpu {

/// stg::arena on a device: a block that grows and never shrinks, 256-byte aligned. Memory is taken and given back on
/// the device's own stream. Move-only.
class block {
 public:
  explicit block(std::shared_ptr<device> on) : device_(std::move(on)) {}
  block(block&& other) noexcept
      : device_(other.device_),
        data_(std::exchange(other.data_, nullptr)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  block& operator=(block&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~block();

  /// Makes at least `bytes` available at data(); keeps the block and its content when it is large enough, and otherwise
  /// replaces it by one with indeterminate contents. Error when bytes is negative and when a captured step would have
  /// to grow it: the block is as it was. Error when there is no memory: it is empty.
  void reserve(std::int64_t bytes, const purpose& why = {});
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::int64_t capacity() const { return capacity_; }

  /// Bytes that blocks have allocated since the program began; tests read it before and after a step.
  static std::uint64_t total_allocated();

 private:
  std::shared_ptr<device> device_;
  std::byte* data_ = nullptr;
  std::int64_t capacity_ = 0;
};

}  // namespace stg::gpu
