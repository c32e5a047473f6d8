// The memory part of a backend that runs in the host's memory.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <span>     // span

#include <stg/runtime/arena.hpp>     // arena
#include <stg/runtime/binding.hpp>   // bound_input
#include <stg/runtime/location.hpp>  // location

namespace stg::codegen {

/// Programs run in the host's memory, so nothing is moved.
struct host_memory {
  static constexpr bool looks_at_labels = false;  // bind_inputs did, for those on the host
  using arena = stg::arena;
  static arena make_arena() { return {}; }
  static location place() { return host; }

  /// Bytes that a call needs for inputs given as numbers, and these inputs in their place.
  static std::int64_t bytes_of_numbers(int) { return 0; }
  static void bring_numbers(std::span<bound_input>, std::byte*) {}
  static void copy(std::byte* to, const std::byte* from, std::int64_t bytes) {
    __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  /// A number in memory of the programs; and the number 1 there, as a cotangent.
  template <class T> static T number_at(const T* p) { return *p; }
  template <class T> static const std::byte* one() {
    static constexpr T number = 1;
    return reinterpret_cast<const std::byte*>(&number);
  }
};

}  // namespace stg::codegen
