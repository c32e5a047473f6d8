// How a launch is emulated: the order of threads and blocks, and what is watched.
#pragma once

#include <cstdint>  // uint64_t

namespace stg::emulator {

/// Each costs time; all are on unless a test says otherwise. Barriers and collectives are always watched.
struct checks {
  bool memory = true;       // alignment, bounds of shared memory, reads of what was not written, unfinished copies
  bool races = true;        // between threads and between blocks
  bool named_only = false;  // global memory outside of every array that name_memory knows is out of bounds

  static constexpr checks none() { return {false, false, false}; }
  bool any() const { return memory || races || named_only; }
};

struct options {
  /// 0: blocks and threads run in ascending order. Any other number is the seed of another order of both.
  std::uint64_t schedule = 0;
  emulator::checks checks = {};
};

}  // namespace stg::emulator
