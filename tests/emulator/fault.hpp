// What the emulator throws when a kernel does what a GPU would not forgive, or what it may do differently each time.
#pragma once

#include <stdexcept>
#include <string>

namespace stg::emulator {

enum class fault_kind {
  divergent_barrier,    // a barrier that not all threads of its group come to
  inactive_lane,        // a shuffle, ballot or reduction that not all lanes of its group take part in
  misaligned,           // an address that the access does not allow
  out_of_bounds,        // beside the block's shared memory, or beside all named memory
  uninitialized,        // a read of shared memory that nobody wrote in this block
  unfinished_copy,      // an access to what copy_async has not been waited for
  race,                 // two threads of a block, one of them writing, and no barrier between them
  race_between_blocks,  // two blocks of a launch, one of them writing
  constant_written,     // load_constant of what the launch writes
  uneven_reduction,     // an op whose result depends on the lane
  order_dependence,     // other bytes under another schedule
};

const char* name(fault_kind kind);

/// Its text names the kind, the block, the threads, and the address as the array that it lies in.
class fault : public std::runtime_error {
 public:
  fault(fault_kind kind, const std::string& text)
      : std::runtime_error(std::string("emulator: ") + name(kind) + ": " + text), kind_(kind) {}
  fault_kind kind() const { return kind_; }

 private:
  fault_kind kind_;
};

}  // namespace stg::emulator
