// Fibers: stacks that one host thread changes between, a switch in some nanoseconds.
#pragma once

#include <memory>  // unique_ptr
#include <vector>

namespace stg::emulator {

/// A pool that lives as long as the host thread. Fibers run one body after the other, so neither stacks nor contexts
/// are made anew for each block.
class fibers {
 public:
  /// Where all fibers have come from: the stack that called enter.
  static constexpr int outside = -1;
  /// What a fiber runs whenever it is changed to while it has nothing to go on with; returns the fiber to change to
  /// next. It must not throw.
  using body = int (*)(void* argument, int fiber);

  fibers();
  ~fibers();
  fibers(const fibers&) = delete;
  fibers& operator=(const fibers&) = delete;

  /// Makes sure that there are so many fibers, and says what they run.
  void prepare(int count, body run, void* argument);
  /// Changes to a fiber, and returns when one changes to outside.
  void enter(int fiber);
  /// Called on the fiber `from`: goes on with another one, or outside, until someone changes to this one.
  void change(int from, int to);

 private:
  struct context;
  context& at(int fiber);

  std::unique_ptr<context> outside_;
  std::vector<std::unique_ptr<context>> contexts_;
  body run_ = nullptr;
  void* argument_ = nullptr;
};

}  // namespace stg::emulator
