// Placing the buffers of a call in one block: values whose lifetimes do not overlap share memory.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t
#include <span>     // span

namespace stg {

/// A value that has to be kept from one unit to another, both included. `offset` is where it was placed.
struct buffer {
  std::int64_t bytes = 0;
  int first = 0, last = 0;
  std::int64_t offset = 0;
  int over = -1;          // the buffer, an earlier one, that this one may be written over, row by row; -1: none
  bool is_over = false;   // that is done: both have as many bytes, and one ends in the unit where the other begins
  bool is_under = false;  // another one is written over this one
};

/// What a buffer of so many bytes takes up: whole cache lines.
constexpr std::int64_t in_lines(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Places buffers, largest first, each at the lowest offset where it overlaps no buffer that lives at the same time. Of
/// two orders of equally large ones, as given and by their time of life, the one that takes less. Offsets are multiples
/// of 64; one that may be written over another, and can be, has its offset. Returns the bytes of the whole block: the
/// peak memory of a call.
std::int64_t place(std::span<buffer> buffers);

}  // namespace stg
