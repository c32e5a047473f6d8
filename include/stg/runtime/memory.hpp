// Placing the buffers of a call in one block: values whose lifetimes do not overlap share memory.
#pragma once

#include <cstdint>  // int64_t
#include <span>     // span

namespace stg {

/// A value that has to be kept from one unit to another, both included. `offset` is where it was placed.
struct buffer {
  std::int64_t bytes = 0;
  int first = 0, last = 0;
  std::int64_t offset = 0;
};

/// Places buffers, largest first, each at the lowest offset where it overlaps no buffer that lives at the same time. Of
/// two orders of equally large ones, as given and by their time of life, the one that takes less. Offsets are multiples
/// of 64. Returns the bytes of the whole block: the peak memory of a call.
std::int64_t place(std::span<buffer> buffers);

}  // namespace stg
