// Memory that starts on a cache line, or on a huge page when it is large.
#include "pages.hpp"  // allocate_pages

#include <cstdlib>  // aligned_alloc
#include <limits>   // numeric_limits

#if defined(__linux__)
#include <sys/mman.h>  // madvise
#endif

namespace stg::detail {

/// Asked for here, so that gdb's printers (debugger.cpp) are part of every program that has memory.
extern const char debugger;
[[gnu::used]] static const char* const linked_with = &debugger;

/// glibc takes larger blocks from the system, unless it has as much left of smaller ones that were freed. Those lie on
/// pages of 4 KiB, which are given back, to come again as huge ones.
[[maybe_unused]] constexpr std::int64_t largest_kept = std::int64_t{32} << 20;

std::byte* allocate_pages(std::int64_t bytes) {
  const std::int64_t alignment = bytes >= huge_page ? huge_page : cache_line;
  if (bytes > std::numeric_limits<std::int64_t>::max() - alignment) return nullptr;
  // Whole huge pages of address space; of the last one the system gives 4 KiB pages as they are touched.
  const std::int64_t rounded = bytes == 0 ? alignment : (bytes + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(static_cast<std::size_t>(alignment), static_cast<std::size_t>(rounded));
#if defined(__linux__)
  if (memory != nullptr && alignment == huge_page) {
    const auto whole = static_cast<std::size_t>(bytes / huge_page * huge_page);
    madvise(memory, whole, MADV_HUGEPAGE);
#if defined(__GLIBC__)
    if (bytes >= largest_kept) madvise(memory, whole, MADV_DONTNEED);
#endif
  }
#endif
  return static_cast<std::byte*>(memory);
}

}  // namespace stg::detail
