// A growable block of memory, on huge pages when it is large.
#include <stg/base/error.hpp>     // error
#include <stg/runtime/arena.hpp>  // arena

#include <atomic>   // atomic
#include <cstdlib>  // aligned_alloc, free
#include <limits>   // numeric_limits
#include <string>   // to_string

#if defined(__linux__)
#include <sys/mman.h>  // madvise
#endif

namespace stg {

namespace {
constexpr std::int64_t huge_page = std::int64_t{2} << 20;
constexpr std::int64_t line = 64;
std::atomic<std::uint64_t> bytes_allocated{0};
}  // namespace

arena::~arena() { std::free(data_); }

void arena::reserve(std::int64_t bytes) {
  if (bytes < 0) throw error("arena asked for " + std::to_string(bytes) + " bytes; ask for 0 or more");
  if (bytes <= capacity_) return;
  const std::int64_t alignment = bytes >= huge_page ? huge_page : line;
  if (bytes > std::numeric_limits<std::int64_t>::max() - alignment)
    throw error("arena of " + std::to_string(bytes) + " bytes does not fit in memory; use fewer vertices or features");
  const std::int64_t rounded = (bytes + alignment - 1) / alignment * alignment;

  std::free(data_);  // before the larger block: its contents are not kept, and both need not fit at once
  data_ = nullptr;
  capacity_ = 0;
  data_ = static_cast<std::byte*>(
      std::aligned_alloc(static_cast<std::size_t>(alignment), static_cast<std::size_t>(rounded)));
  if (data_ == nullptr)
    throw error("arena of " + std::to_string(bytes) + " bytes does not fit in memory; use fewer vertices or features");
  capacity_ = rounded;
  bytes_allocated.fetch_add(static_cast<std::uint64_t>(rounded), std::memory_order_relaxed);
#if defined(__linux__)
  if (alignment == huge_page) madvise(data_, static_cast<std::size_t>(rounded), MADV_HUGEPAGE);
#endif
}

std::uint64_t arena::total_allocated() { return bytes_allocated.load(std::memory_order_relaxed); }

}  // namespace stg
