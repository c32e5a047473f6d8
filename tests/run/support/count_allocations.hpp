// Counts every allocation of the program that includes this, in one file: malloc and all that end there.
#pragma once

#include "sanitized.hpp"  // STG_TEST_SANITIZED

#include <atomic>   // atomic
#include <cstddef>  // size_t
#include <cstdint>  // uint64_t

namespace stg::test {

inline std::atomic<std::uint64_t> allocation_count{0};
/// Allocations so far; always 0 under a sanitizer, which has a malloc of its own.
inline std::uint64_t allocations() { return allocation_count.load(std::memory_order_relaxed); }

#if defined(__GLIBC__) && !STG_TEST_SANITIZED
inline constexpr bool counts_allocations = true;
#else
inline constexpr bool counts_allocations = false;
#endif

}  // namespace stg::test

#if defined(__GLIBC__) && !STG_TEST_SANITIZED
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) noexcept {
  stg::test::allocation_count.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  stg::test::allocation_count.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, bytes);
}
void* realloc(void* old, std::size_t bytes) noexcept {
  stg::test::allocation_count.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  stg::test::allocation_count.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, bytes);
}
}
#endif
