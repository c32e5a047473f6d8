// Fibers: a stack for each thread of a block, all run by the one host thread that resumes them.
#pragma once

#include <cstddef>  // size_t
#include <memory>   // unique_ptr
#include <vector>

namespace stg::emulator {

/// A pool that lives as long as the host thread. A fiber runs one body after the other, so neither stacks nor contexts
/// are made anew for each block.
class fibers {
 public:
  /// What a fiber runs; it must not throw.
  using body = void (*)(void* argument, int fiber);

  fibers();
  ~fibers();
  fibers(const fibers&) = delete;
  fibers& operator=(const fibers&) = delete;

  /// Gives each of the first `count` fibers, none of them in the middle of a body, a body to run when it is next
  /// resumed.
  void prepare(int count, body run, void* argument);
  /// Runs a fiber until it suspends itself or its body returns; called outside of fibers. True when the body has
  /// returned.
  bool resume(int fiber);
  /// Goes back to whoever resumed this fiber, until it is resumed again; called inside of it.
  void suspend(int fiber);

 private:
  struct context;
  std::vector<std::unique_ptr<context>> contexts_;
  body run_ = nullptr;
  void* argument_ = nullptr;
};

}  // namespace stg::emulator
