// The part of a backend that has to do with memory, where that is the host's.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <span>     // span

#include <stg/runtime/arena.hpp>     // arena
#include <stg/runtime/binding.hpp>   // bound_input
#include <stg/runtime/location.hpp>  // location

namespace stg::codegen {

/// Where programs run in the host's memory nothing is brought anywhere.
struct host_memory {
  static constexpr bool looks_at_labels = false;  // bind_inputs did, where they lie on the host
  using arena = stg::arena;
  static arena make_arena() { return {}; }
  static location place() { return host; }

  /// Bytes that a call needs for inputs that are given as numbers, and those inputs brought there.
  static std::int64_t bytes_of_numbers(int) { return 0; }
  static void bring_numbers(std::span<bound_input>, std::byte*) {}
  static void copy(std::byte* to, const std::byte* from, std::int64_t bytes) {
    __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  /// A number that lies where programs run; and the number 1 there, as a cotangent.
  template <class T> static T number_at(const T* p) { return *p; }
  template <class T> static const std::byte* one() {
    static constexpr T number = 1;
    return reinterpret_cast<const std::byte*>(&number);
  }
};

}  // namespace stg::codegen
