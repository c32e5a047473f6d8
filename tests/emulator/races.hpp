// Data races: who accessed a word last, and whether a barrier lies between that and now.
#pragma once

#include <array>
#include <cstddef>  // byte
#include <cstdint>  // uint32_t, uintptr_t
#include <memory>   // unique_ptr
#include <unordered_map>
#include <vector>

#include "emulator/access.hpp"  // access
#include "emulator/place.hpp"   // place

namespace stg::emulator {

/// Two accesses of which one writes, by different threads of a block or by different blocks, that no barrier orders.
struct race {
  bool found = false;
  access earlier = access::read;
  int thread = 0;           // of the earlier one, when it is of the same block
  std::int64_t block = -1;  // of the earlier one, when it is of another block
  place where;
  std::uintptr_t address = 0;
};

/// Happens-before as in FastTrack (Flanagan and Freund, 2009), cut down to what barriers of a GPU can say. A barrier
/// smaller than the block lies within one warp. So a thread knows of other warps all that was done before the last
/// barrier of the block, a number called generation that all threads share, and nothing else; of the 32 lanes of its
/// own warp it has a vector clock.
class race_detector {
 public:
  void begin_launch() { ++launch_; }
  void begin_block(std::int64_t block, int threads);
  /// All lanes of the group of `lanes` threads have come to a barrier; more than 32 lanes are the whole block.
  void barrier(int thread, int lanes);

  /// Looks whether an access races, and notes it where it does not. Shared memory gives its offset and `shared`.
  race touch(int thread, access what, std::uintptr_t address, std::size_t bytes, bool shared, place where);

 private:
  /// All accesses of one sort to a cell, as far as a later one may race with them.
  struct access_set {
    enum class form : std::uint8_t { one, lanes, many };

    place where;                   // of the latest
    std::uint32_t generation = 0;  // of the latest; those of an earlier one are ordered before everything that comes
    std::uint32_t clock = 0;       // one: of its thread; lanes: where the clocks of the lanes of its warp lie
    std::int32_t block = -1, other_block = -1;   // two blocks of the launch, or fewer
    std::uint16_t thread = 0, other_thread = 0;  // many: threads of two different warps
    form is = form::one;
    bool constant = false;  // one of them was load_constant
  };
  struct cell {
    access_set reads, writes, atomics;
  };
  using bytes_of_word = std::array<cell, 4>;
  /// A run of memory, a cell for each 4 bytes. A word that is accessed in parts has four cells instead.
  struct region {
    explicit region(std::size_t words) : cells(words), parts(words, -1) {}
    std::vector<cell> cells;
    std::vector<std::int32_t> parts;  // which of `split` has a word's bytes, -1: none
    std::vector<bytes_of_word> split;
    std::uint64_t launch = 0;
  };
  static constexpr std::size_t region_bytes = 1024;

  region& region_of(std::uintptr_t address, bool shared);
  bool touch(region& region, int thread, access what, std::uintptr_t at, std::uintptr_t end, bool shared, place where,
             race& race);
  bool touch(cell& cell, int thread, access what, bool shared, place where, race& race);
  bool conflicts(const access_set& earlier, access what, int thread, bool shared, race& race) const;
  void note(access_set& set, int thread, place where);

  std::uint32_t clock(int thread) const { return known_[thread][thread % 32]; }

  std::uint64_t launch_ = 0;
  std::int64_t block_ = 0;
  std::uint32_t generation_ = 0;
  std::vector<std::array<std::uint32_t, 32>> known_;  // (threads, lanes): up to which clock a thread knows a lane
  std::vector<std::array<std::uint32_t, 32>>
      lane_clocks_;  // of this generation: clocks of the lanes that accessed a cell
  std::unordered_map<std::uintptr_t, std::unique_ptr<region>> global_;  // by address / region_bytes
  std::array<std::pair<std::uintptr_t, region*>, 64> recent_{};         // of global_
  std::unique_ptr<region> shared_;
};

}  // namespace stg::emulator
