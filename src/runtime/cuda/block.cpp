// A growable block of device memory.
#include <stg/runtime/cuda/block.hpp>

#include <stg/runtime/cuda/stream.hpp>  // stream

#include <atomic>  // atomic
#include <limits>  // numeric_limits

namespace stg::gpu {

namespace {
std::atomic<std::uint64_t> bytes_allocated{0};
constexpr std::int64_t whole = 512;  // what CUDA's pools round to
}  // namespace

block::~block() { device_->free(data_, device_->stream()); }

void block::reserve(std::int64_t bytes, const purpose& why) {
  if (bytes < 0) throw error(to_string(why) + ": block of " + std::to_string(bytes) + " bytes; ask for 0 or more");
  if (bytes <= capacity_) return;
  const std::int64_t rounded =
      bytes > std::numeric_limits<std::int64_t>::max() - whole ? bytes : (bytes + whole - 1) / whole * whole;
  if (device_->is_captured() || stream(device_).is_capturing(why))
    throw error(to_string(why) + ": a captured step needs more memory than there is; run it once before the capture");

  device_->free(data_, device_->stream());  // before the larger block: both need not fit at once
  data_ = nullptr;
  capacity_ = 0;
  data_ = static_cast<std::byte*>(device_->allocate(rounded, device_->stream(), why));
  capacity_ = rounded;
  bytes_allocated.fetch_add(static_cast<std::uint64_t>(rounded), std::memory_order_relaxed);
}

std::uint64_t block::total_allocated() { return bytes_allocated.load(std::memory_order_relaxed); }

}  // namespace stg::gpu
