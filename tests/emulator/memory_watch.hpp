// What a block does to memory: its shared memory, and a look at every access to that and to global memory.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <string>
#include <vector>

#include <stg/codegen/cuda/group.hpp>  // grid

#include "emulator/access.hpp"   // access
#include "emulator/fault.hpp"    // fault_kind
#include "emulator/options.hpp"  // checks
#include "emulator/place.hpp"    // place
#include "emulator/races.hpp"    // race_detector

namespace stg::emulator {

class memory_watch {
 public:
  ~memory_watch();

  void begin_launch(const gpu::grid& grid, const emulator::checks& checks);
  void begin_block(std::int64_t block);

  std::byte* shared() const { return shared_; }
  bool checking() const { return checking_; }

  void barrier(int thread, int lanes) {
    if (checks_.races) races_.barrier(thread, lanes);
  }
  /// Throws fault where a thread must not access `bytes` bytes at p; notes the access where it may.
  void check(int thread, access what, const void* p, std::size_t bytes, std::size_t alignment, place where);
  /// Notes a copy to shared memory; it is made when the thread waits for it.
  void copy(int thread, void* to, const void* from, std::size_t bytes, place where);
  void wait_copies(int thread, place where);

 private:
  /// For each byte of shared memory, the number of the block that has written it last, and that has a copy to it under
  /// way.
  struct byte_state {
    std::uint64_t written = 0, copied_to = 0;
  };
  struct pending_copy {
    std::byte* to;
    const std::byte* from;
    std::size_t bytes;
    place where;
  };

  /// Whether an address belongs to shared memory or to what lies around it.
  bool near_shared(const void* p) const;
  std::size_t offset(const void* p) const { return static_cast<const std::byte*>(p) - shared_; }
  void check_shared(int thread, access what, const void* p, std::size_t bytes, place where);
  void check_race(int thread, access what, const void* p, std::size_t bytes, place where);
  std::string sentence(int thread, access what, const void* p, place where) const;
  [[noreturn]] void fail(fault_kind kind, const std::string& text) const;

  emulator::checks checks_ = {};
  bool checking_ = false;
  std::int64_t block_ = 0;
  int threads_ = 0;
  std::uint64_t serial_ = 0;  // of blocks that have run on this machine

  std::vector<std::byte> arena_;  // shared memory with room around it
  std::byte* shared_ = nullptr;
  std::size_t shared_bytes_ = 0;
  std::vector<byte_state> states_;                 // (shared bytes)
  std::vector<std::vector<pending_copy>> copies_;  // (threads)
  race_detector races_;
};

}  // namespace stg::emulator
