// Counts what the program that includes this, in one file, takes from the heap with new, under sanitizers too; and lets
// one of these fail.
#pragma once

#include <atomic>   // atomic
#include <cstddef>  // size_t
#include <cstdint>  // int64_t
#include <cstdlib>  // aligned_alloc, free, malloc
#include <new>      // align_val_t, bad_alloc, nothrow_t

namespace stg::test {

inline std::atomic<std::int64_t> new_calls{0};
/// The count at which new throws; -1: never.
inline std::atomic<std::int64_t> fails_at{-1};

inline void* counted(std::size_t bytes, std::size_t alignment) {
  if (new_calls++ == fails_at) throw std::bad_alloc();
  void* const memory = alignment == 0 ? std::malloc(bytes)
                                      : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace stg::test

// Not inlined: g++ would see new and free as a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) { return stg::test::counted(bytes, 0); }
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return stg::test::counted(bytes, static_cast<std::size_t>(alignment));
}
// Of those that throw nothing, std::stable_sort takes its memory.
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return stg::test::counted(bytes, 0);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  try {
    return stg::test::counted(bytes, static_cast<std::size_t>(alignment));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
