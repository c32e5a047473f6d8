// Arrays of the host copied to a device in one block of memory.
#pragma once

#include <stg/runtime/tensor.hpp>  // memory, allocate_at, copy_memory

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <vector>   // vector

namespace stg::detail {

/// Adds arrays, then copies all of them; each begins on a multiple of 256 bytes, as kernels with wide loads want it.
class copied_arrays {
 public:
  /// `there` is where the array's copy begins, once it is made.
  template <class T> void add(const std::vector<T>& array, const T** there) {
    const auto point = [](void* to, const std::byte* at) {
      *static_cast<const T**>(to) = reinterpret_cast<const T*>(at);
    };
    all_.push_back({array.data(), bytes_, static_cast<std::int64_t>(array.size() * sizeof(T)), there, point});
    bytes_ += (all_.back().bytes + 255) / 256 * 256;
  }
  /// The block that holds the copies. `what` is named when there is no memory.
  memory copy(location where, const char* what) const {
    memory block = allocate_at(where, bytes_, false, what);
    for (const entry& a : all_) copy_memory(where, block.get() + a.offset, host, a.from, a.bytes);
    for (const entry& a : all_) a.point(a.there, block.get() + a.offset);
    return block;
  }

 private:
  struct entry {
    const void* from;
    std::int64_t offset, bytes;
    void* there;
    void (*point)(void* there, const std::byte* at);
  };
  std::vector<entry> all_;
  std::int64_t bytes_ = 0;
};

}  // namespace stg::detail
