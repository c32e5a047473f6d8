// Scheduling: who runs next, who waits for whom, and what it means when nobody can run.
#include "emulator/machine.hpp"

#include <algorithm>  // min
#include <bit>        // countr_zero
#include <numeric>    // iota
#include <stdexcept>  // invalid_argument
#include <utility>    // swap

namespace stg::emulator {
namespace {

constexpr const char* collective_names[] = {"sync", "shuffle", "ballot", "any", "reduce"};

/// More words for a group in a message than its threads would be too many.
std::string group_name(int lanes) {
  return lanes > 32 ? std::string("the block") : "group<" + std::to_string(lanes) + ">";
}

}  // namespace

const char* name(fault_kind kind) {
  constexpr const char* names[] = {
      "divergent barrier",  "inactive lane", "misaligned access",   "out of bounds",           "uninitialized memory",
      "unfinished copy",    "race",          "race between blocks", "constant memory written", "uneven reduction",
      "dependence on order"};
  return names[static_cast<int>(kind)];
}

std::string runs(const std::vector<int>& threads) {
  std::string text;
  for (std::size_t i = 0, end; i < threads.size(); i = end) {
    for (end = i + 1; end < threads.size() && threads[end] == threads[end - 1] + 1;) ++end;
    if (!text.empty()) text += ", ";
    text += std::to_string(threads[i]);
    if (end - i > 1) text += "-" + std::to_string(threads[end - 1]);
  }
  return (threads.size() == 1 ? "thread " : "threads ") + text;
}

void machine::fail(fault_kind kind, const std::string& text) const {
  throw fault(kind, "block " + std::to_string(block_) + ": " + text);
}

void machine::launch(const gpu::grid& grid, const options& options, thread_body body, const void* kernel) {
  if (grid.threads < 1 || grid.threads > 1024) throw std::invalid_argument("emulator: a block has 1 to 1024 threads");
  if (grid.blocks < 0) throw std::invalid_argument("emulator: a grid has no negative number of blocks");
  if (body_) throw std::logic_error("emulator: a kernel launches nothing");
  memory_.begin_launch(grid, options.checks);
  grid_ = grid;
  options_ = options;
  body_ = body;
  kernel_ = kernel;
  random_state_ = options.schedule;
  threads_.resize(grid.threads);
  starting_.resize(grid.threads);
  for (int level = 0; level < 7; ++level) meetings_[level].resize((grid.threads >> level) + 1);

  std::vector<std::int64_t> order;
  if (options.schedule != 0) {
    order.resize(grid.blocks);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  }
  for (std::int64_t i = 0; i < grid.blocks && !failure_; ++i) {
    block_ = order.empty() ? i : order[i];
    run_block();
  }
  body_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void machine::run_block() {
  memory_.begin_block(block_);
  finished_ = 0;
  ready_first_ = not_started_ = 0;
  ready_.clear();
  idle_fibers_.clear();
  for (int thread = grid_.threads; thread-- > 0;) {
    threads_[thread] = {};
    idle_fibers_.push_back(thread);
    if (options_.schedule != 0) make_ready(thread);
  }
  const auto run = [](void* self, int fiber) { return static_cast<machine*>(self)->run_threads(fiber); };
  fibers_.prepare(grid_.threads, run, this);
  if (const int first = fiber_of_next(); first != fibers::outside) fibers_.enter(first);
  if (!failure_ && finished_ < grid_.threads) {
    try {
      fail_deadlock();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  if (failure_) cancel();
}

/// What a fiber does when it is changed to: it starts a thread, and whoever else can start when that one has finished.
int machine::run_threads(int fiber) noexcept {
  int thread = starting_[fiber];
  do {
    threads_[thread].fiber = fiber;
    run_thread(thread);
    if (failure_ || cancelling_) return fibers::outside;
    thread = take_ready();
    if (thread < 0) return fibers::outside;
  } while (threads_[thread].fiber < 0);
  idle_fibers_.push_back(fiber);
  return threads_[thread].fiber;
}

void machine::run_thread(int thread) noexcept {
  try {
    body_(kernel_, *this, thread);
  } catch (const cancelled&) {
  } catch (...) {
    failure_ = std::current_exception();
  }
  threads_[thread].finished = true;
  ++finished_;
}

/// Lets every thread that is in the middle of its kernel leave it by an exception, so that its stack is empty for the
/// next block.
void machine::cancel() {
  cancelling_ = true;
  for (int thread = 0; thread < grid_.threads; ++thread)
    if (threads_[thread].fiber >= 0 && !threads_[thread].finished) fibers_.enter(threads_[thread].fiber);
  cancelling_ = false;
  for (auto& level : meetings_)
    for (meeting& meeting : level) meeting = {};
}

machine::meeting& machine::meeting_of(int thread, int lanes) {
  if (lanes > 32) return meetings_[6][0];
  const int level = std::countr_zero(static_cast<unsigned>(lanes));
  return meetings_[level][thread >> level];
}

bool machine::meet(int thread, int lanes, collective what, void* brought, place where) {
  meeting& meeting = meeting_of(thread, lanes);
  const int needed = lanes > 32 ? grid_.threads : lanes;
  if (meeting.arrived == 0) {
    meeting.what = what;
    meeting.where = where;
  } else if (meeting.what != what || meeting.where != where) {
    const bool barriers = meeting.what == collective::sync && what == collective::sync;
    fail(barriers ? fault_kind::divergent_barrier : fault_kind::inactive_lane,
         "thread " + std::to_string(thread) + " is at " + collective_names[static_cast<int>(what)] + " of " +
             group_name(lanes) + " (" + where.text() + "), while of the same group " + describe(meeting, lanes));
  }
  threads_[thread].brought = brought;
  if (++meeting.arrived == needed) return true;
  threads_[thread].waits_for = lanes;
  wait(thread);
  return false;
}

void machine::release(int thread, int lanes) {
  meeting_of(thread, lanes).arrived = 0;
  const int first = first_lane(thread, lanes), count = lanes > 32 ? grid_.threads : lanes;
  for (int lane = first; lane < first + count; ++lane) {
    threads_[lane].waits_for = 0;
    if (lane != thread) make_ready(lane);
  }
  if (options_.schedule == 0 || count == 1) return;
  make_ready(thread);
  wait(thread);
}

void machine::wait(int thread) {
  if (const int next = fiber_of_next(); next != threads_[thread].fiber) fibers_.change(threads_[thread].fiber, next);
  if (cancelling_) throw cancelled{};
}

/// The thread that runs next, or -1 when none can. In ascending order the threads that have started go on before others
/// start: a warp that waits for nobody else is done before the next one needs stacks of its own.
int machine::take_ready() {
  if (ready_first_ == ready_.size()) {
    ready_first_ = 0;
    ready_.clear();
    return options_.schedule == 0 && not_started_ < grid_.threads ? not_started_++ : -1;
  }
  if (options_.schedule == 0) {
    if (ready_first_ >= 4096) {
      ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(ready_first_));
      ready_first_ = 0;
    }
    return ready_[ready_first_++];
  }
  std::swap(ready_[random() % ready_.size()], ready_.back());
  const int thread = ready_.back();
  ready_.pop_back();
  return thread;
}

int machine::fiber_of_next() {
  const int thread = take_ready();
  if (thread < 0) return fibers::outside;
  if (threads_[thread].fiber >= 0) return threads_[thread].fiber;
  const int fiber = idle_fibers_.back();
  idle_fibers_.pop_back();
  starting_[fiber] = thread;
  return fiber;
}

/// SplitMix64 (Steele, Lea and Flood, 2014): every seed gives another sequence, neighbouring ones included.
std::uint64_t machine::random() {
  std::uint64_t z = random_state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

void machine::fail_shuffle(int thread, int lanes, int from, place where) const {
  fail(fault_kind::inactive_lane, runs({thread}) + " shuffles from lane " + std::to_string(from) + " of " +
                                      group_name(lanes) + " (" + where.text() + ")");
}

void machine::fail_reduction(int thread, int lanes, place where) const {
  fail(fault_kind::uneven_reduction, "lanes of the " + group_name(lanes) + " of " + runs({thread}) +
                                         " get different bits: the op is not commutative (" + where.text() + ")");
}

void machine::fail_group(int thread, int lanes, place where) const {
  fail(fault_kind::inactive_lane, runs({thread}) + " asks for " +
                                      (lanes > 32 ? "a group of " + std::to_string(lanes) : group_name(lanes)) +
                                      ", but a block of " + std::to_string(grid_.threads) +
                                      " threads does not divide into such groups (" + where.text() + ")");
}

void machine::fail_deadlock() const {
  std::string text;
  std::vector<int> gone;
  fault_kind kind = fault_kind::divergent_barrier;
  int described = 0;
  for (int level = 6; level >= 0; --level) {
    for (std::size_t i = 0; i < meetings_[level].size() && described < 4; ++i) {
      const meeting& meeting = meetings_[level][i];
      if (meeting.arrived == 0) continue;
      if (meeting.what != collective::sync) kind = fault_kind::inactive_lane;
      const int lanes = level == 6 ? whole_block : 1 << level;
      text += (described++ ? "; " : "") + describe(meeting, lanes);
    }
  }
  for (int thread = 0; thread < grid_.threads; ++thread)
    if (threads_[thread].finished) gone.push_back(thread);
  if (!gone.empty()) text += "; " + runs(gone) + (gone.size() == 1 ? " has" : " have") + " left the kernel";
  fail(kind, text);
}

/// "threads 0-3 wait at sync of group<8> (sweep.hpp:12)".
std::string machine::describe(const meeting& meeting, int lanes) const {
  std::vector<int> waiting;
  for (int thread = 0; thread < grid_.threads; ++thread)
    if (threads_[thread].waits_for == lanes && &const_cast<machine*>(this)->meeting_of(thread, lanes) == &meeting)
      waiting.push_back(thread);
  return runs(waiting) + (waiting.size() == 1 ? " waits at " : " wait at ") +
         collective_names[static_cast<int>(meeting.what)] + " of " + group_name(lanes) + " (" + meeting.where.text() +
         ")";
}

}  // namespace stg::emulator
