// A growable block of memory, on huge pages when it is large.
#include "pages.hpp"  // allocate_pages

#include <stg/base/error.hpp>             // error
#include <stg/runtime/arena.hpp>          // arena
#include <stg/runtime/out_of_memory.hpp>  // no_memory_for

#include <atomic>   // atomic
#include <cstdlib>  // free
#include <limits>   // numeric_limits
#include <string>   // to_string

namespace stg {

namespace {
std::atomic<std::uint64_t> bytes_of_arenas{0};

[[noreturn]] void too_large(std::int64_t bytes) {
  detail::no_memory_for("a call's values", bytes, "use fewer vertices or features");
}
}  // namespace

arena::~arena() { std::free(data_); }

void arena::reserve(std::int64_t bytes) {
  if (bytes < 0) throw error("arena asked for " + std::to_string(bytes) + " bytes; ask for 0 or more");
  if (bytes <= capacity_) return;
  const std::int64_t whole = bytes >= detail::huge_page ? detail::huge_page : detail::cache_line;
  if (bytes > std::numeric_limits<std::int64_t>::max() - whole) too_large(bytes);
  const std::int64_t rounded = (bytes + whole - 1) / whole * whole;

  std::free(data_);  // before the larger block: its contents are not kept, and both need not fit at once
  data_ = nullptr;
  capacity_ = 0;
  data_ = detail::allocate_pages(rounded);
  if (data_ == nullptr) too_large(bytes);
  capacity_ = rounded;
  bytes_of_arenas.fetch_add(static_cast<std::uint64_t>(rounded), std::memory_order_relaxed);
}

std::uint64_t arena::total_allocated() { return bytes_of_arenas.load(std::memory_order_relaxed); }

}  // namespace stg
