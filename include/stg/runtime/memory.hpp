// Placing the buffers of a call in one block: values whose lifetimes do not overlap share memory.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t
#include <span>     // span

namespace stg {

/// A value to be kept from one unit to a later one, both included. `offset` is its place.
struct buffer {
  std::int64_t bytes = 0;
  int first = 0, last = 0;
  std::int64_t offset = 0;
  int over = -1;          // the earlier buffer that this one may overwrite, row by row; -1: none
  bool is_over = false;   // it does: both have as many bytes, and one ends in the other's first unit
  bool is_under = false;  // a later one overwrites this one
};

/// The room of a buffer of so many bytes: whole cache lines.
constexpr std::int64_t in_lines(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Places buffers, largest first, each at the lowest offset without overlap with a buffer that lives at the same time.
/// Tries two orders of equally large ones, as given and by their time of life, and takes the smaller result. Offsets
/// are multiples of 64; a buffer that may overwrite an earlier one, and can, has its offset. Returns the bytes of the
/// whole block: the peak memory of a call.
std::int64_t place(std::span<buffer> buffers);

}  // namespace stg
