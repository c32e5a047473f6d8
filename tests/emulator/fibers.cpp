// Fibers on Boost.Context, with AddressSanitizer told of every change of stacks.
#include "emulator/fibers.hpp"

#include <utility>  // move

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>  // a stack with a guard page below it

#include "emulator/asan.hpp"  // leave_stack, enter_stack

namespace stg::emulator {
namespace {

constexpr std::size_t stack_bytes =
    has_asan ? 256 << 10 : 64 << 10;  // AddressSanitizer's frames are several times as large

/// Where a stack lies, and what AddressSanitizer keeps for it while another one is in use.
struct stack {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* kept = nullptr;
};

}  // namespace

struct fibers::context {
  boost::context::fiber own, caller;
  stack stack_of_own, stack_of_caller;
  bool in_body = false;
  bool closing = false;

  /// From the fiber to its caller, and back when it is resumed.
  void yield() {
    leave_stack(&stack_of_own.kept, stack_of_caller.bottom, stack_of_caller.bytes);
    caller = std::move(caller).resume();
    enter_stack(stack_of_own.kept, &stack_of_caller.bottom, &stack_of_caller.bytes);
  }
  /// From the caller to the fiber, and back when it suspends.
  void enter() {
    leave_stack(&stack_of_caller.kept, stack_of_own.bottom, stack_of_own.bytes);
    own = std::move(own).resume();
    enter_stack(stack_of_caller.kept, nullptr, nullptr);
  }
};

fibers::fibers() = default;

fibers::~fibers() {
  for (auto& context : contexts_) {
    context->closing = true;
    context->enter();  // returns from its loop, and Boost frees its stack
  }
}

void fibers::prepare(int count, body run, void* argument) {
  run_ = run;
  argument_ = argument;
  while (static_cast<int>(contexts_.size()) < count) {
    const int fiber = static_cast<int>(contexts_.size());
    contexts_.push_back(std::make_unique<context>());
    context* self = contexts_.back().get();
    boost::context::protected_fixedsize_stack allocator(stack_bytes);
    const boost::context::stack_context memory = allocator.allocate();
    self->stack_of_own = {static_cast<const char*>(memory.sp) - memory.size, memory.size};
    self->own =
        boost::context::fiber(std::allocator_arg, boost::context::preallocated(memory.sp, memory.size, memory),
                              allocator, [this, self, fiber](boost::context::fiber&& caller) {
                                enter_stack(nullptr, &self->stack_of_caller.bottom, &self->stack_of_caller.bytes);
                                self->caller = std::move(caller);
                                while (!self->closing) {
                                  run_(argument_, fiber);
                                  self->in_body = false;
                                  self->yield();
                                }
                                leave_stack(nullptr, self->stack_of_caller.bottom, self->stack_of_caller.bytes);
                                return std::move(self->caller);
                              });
  }
  for (int fiber = 0; fiber < count; ++fiber) contexts_[fiber]->in_body = true;
}

bool fibers::resume(int fiber) {
  context& context = *contexts_[fiber];
  context.enter();
  return !context.in_body;
}

void fibers::suspend(int fiber) { contexts_[fiber]->yield(); }

}  // namespace stg::emulator
