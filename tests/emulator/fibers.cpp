// Fibers on Boost.Context, with AddressSanitizer told of every change of stacks.
#include "emulator/fibers.hpp"

#include <boost/context/detail/fcontext.hpp>            // make_fcontext, jump_fcontext
#include <boost/context/protected_fixedsize_stack.hpp>  // a stack with a guard page below it

#include "emulator/asan.hpp"  // leave_stack, enter_stack

namespace stg::emulator {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::transfer_t;

constexpr std::size_t stack_bytes =
    has_asan ? 256 << 10 : 64 << 10;  // AddressSanitizer's frames are several times as large

/// Stacks that began at the same place of their pages would push each other's first frames out of the cache: each
/// begins some lines further down than the one before, within the first 8 KiB.
constexpr std::size_t stagger(int fiber) { return static_cast<std::size_t>(fiber * 9 % 128) * 64; }

}  // namespace

// boost::context::fiber would be the public door to the same switch. Its own frames run between two stacks, where
// AddressSanitizer takes them for the frames of the other one, and it can go from a fiber to the next only by way of a
// third.
struct fibers::context {
  fibers* pool = nullptr;
  int index = outside;
  boost::context::protected_fixedsize_stack allocator{stack_bytes};
  boost::context::stack_context memory;
  fcontext_t position = nullptr;  // where it goes on
  const void* bottom = nullptr;   // of its stack
  std::size_t bytes = 0;
  void* kept = nullptr;  // what AddressSanitizer keeps for it while it does not run

  context(fibers* pool, int index) : pool(pool), index(index) {
    if (index == outside) return;
    memory = allocator.allocate();
    bottom = static_cast<const char*>(memory.sp) - memory.size;
    bytes = memory.size;
    position = boost::context::detail::make_fcontext(static_cast<char*>(memory.sp) - stagger(index),
                                                     memory.size - stagger(index), &context::main);
  }
  ~context() {
    if (index == outside) return;
    unpoison(bottom, bytes);
    allocator.deallocate(memory);
  }
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  /// Changes from this one, which runs, to another. Returns when someone changes back.
  void change(context& to) {
    goes_to = &to;
    leave_stack(&kept, to.bottom, to.bytes);
    arrive(boost::context::detail::jump_fcontext(to.position, this));
  }

 private:
  /// After a change from `from` to this one.
  void arrive(transfer_t from) {
    auto& left = *static_cast<context*>(from.data);
    left.position = from.fctx;
    enter_stack(kept, &left.bottom, &left.bytes);  // the stack of outside is not known before
  }

  /// The first frame of a fiber, which it never leaves. It begins before AddressSanitizer knows of the change.
  __attribute__((no_sanitize("address"))) static void main(transfer_t from) {
    static_cast<context*>(from.data)->goes_to->run(from);
  }
  [[noreturn]] void run(transfer_t from) {
    arrive(from);
    for (;;) change(pool->at(pool->run_(pool->argument_, index)));
  }

  context* goes_to = nullptr;
};

fibers::fibers() : outside_(std::make_unique<context>(this, outside)) {}
fibers::~fibers() = default;

fibers::context& fibers::at(int fiber) { return fiber == outside ? *outside_ : *contexts_[fiber]; }

void fibers::prepare(int count, body run, void* argument) {
  run_ = run;
  argument_ = argument;
  while (static_cast<int>(contexts_.size()) < count)
    contexts_.push_back(std::make_unique<context>(this, static_cast<int>(contexts_.size())));
}

void fibers::enter(int fiber) { outside_->change(at(fiber)); }
void fibers::change(int from, int to) { at(from).change(at(to)); }

}  // namespace stg::emulator
