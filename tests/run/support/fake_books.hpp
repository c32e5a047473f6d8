// What a CUDA of the host's knows: books of all that is alive, work that runs late, and which call is to fail.
#pragma once

#include <chrono>              // milliseconds, steady_clock
#include <condition_variable>  // condition_variable
#include <cstdlib>             // free
#include <deque>               // deque
#include <functional>          // function
#include <map>                 // map
#include <memory>              // shared_ptr
#include <mutex>               // mutex, unique_lock
#include <string>              // string
#include <thread>              // this_thread::get_id
#include <utility>             // exchange, move
#include <vector>              // vector

#include <stg/runtime/cuda/api.hpp>  // api

namespace stg::test {

using gpu::status;

/// What a machine has.
struct fake_machine {
  int devices = 1;
  int driver = 13000, runtime = 13000;
  int major = 8, minor = 0;
  std::int64_t memory = std::int64_t{1} << 30;  // bytes of each device
};

/// Work of a stream runs when somebody waits for it, and no sooner: who reads too early, or on another stream without
/// waiting, reads wrong numbers. New memory is poisoned in the stream's order. A call that gives something back and is
/// told to fail has given it back all the same, as in CUDA, where such an error is that of earlier work.
///
/// Threads may call at a time: one call runs, with the work that it waits for. Work that waits for another device's
/// holds up its stream until then; who waits for such a stream lets the others call.
class fake_books : public gpu::api {
 public:
  explicit fake_books(fake_machine machine) : machine(machine), used_(machine.devices) {}

  fake_machine machine;
  status launch_error = status::success;  // what the next kernel's launch leaves behind
  std::vector<std::string> ranges;        // of a profile, in the order of their beginnings
  std::vector<std::string> misuses;       // what CUDA would have called undefined

  /// The n-th call from now on fails, and none after it. 0: none does.
  void fail(int nth, status with) { countdown_ = nth, failure_ = with, reached_ = false; }
  /// From the n-th call on there is no memory, for the device and to be pinned, until `recover`.
  void exhaust(int nth) { fail(nth, status::success), exhausting_ = true; }
  void recover() { countdown_ = 0, exhausting_ = false; }
  /// Whether that call was reached.
  bool reached() const { return reached_; }
  int calls() const { return calls_; }

  /// Everything that is alive, as "2 streams, 1 block"; empty when there is nothing.
  std::string alive() const {
    std::map<std::string, int> counts;
    for (const auto& [handle, kind] : alive_) ++counts[kind];
    std::string s;
    for (const auto& [kind, count] : counts) s += (s.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
    return s;
  }
  std::int64_t bytes_in_use(int device = 0) const { return used_[device]; }
  int current() { return of_thread().current; }

  /// A kernel: work that runs in the stream's order, or is captured.
  void launch(gpu::stream_handle on, std::function<void()> kernel) {
    const std::unique_lock lock(mutex_);
    if (launch_error != status::success) of_thread().last = std::exchange(launch_error, status::success);
    else if (of(on).device != of_thread().current) misuses.push_back("kernel on a stream of another device");
    else push(on, std::move(kernel));
  }
  /// Work of a stream that runs when the stream has come to it and `is_ready` says so, which is asked again and again.
  void launch_when(gpu::stream_handle on, std::function<bool()> is_ready, std::function<void()> work) {
    const std::unique_lock lock(mutex_);
    of(on).work.push_back({std::move(work), std::move(is_ready)});
  }
  /// Errors of what such work touches. Within that work alone.
  void touch(const void* data, std::int64_t bytes) { in_a_block(data, bytes); }
  /// Something that work may wait for has come.
  void wake() { changed_.notify_all(); }
  int open_ranges = 0;

 protected:
  struct item {
    std::function<void()> run;
    std::function<bool()> is_ready{};  // empty: it is
    item(std::function<void()> work, std::function<bool()> ready = {})
        : run(std::move(work)), is_ready(std::move(ready)) {}
  };
  using works = std::vector<item>;
  struct pool {
    int device = 0;
    std::vector<std::int64_t> idle;
  };
  struct block {
    std::int64_t bytes = 0;
    int device = 0;
    gpu::pool_handle from = nullptr;
    bool given = false;  // in the order of the stream that asked for it
  };
  struct queue {
    int device = 0;
    std::deque<item> work;
    std::shared_ptr<works> into;  // what is captured
  };
  struct point {
    gpu::stream_handle on;
    bool reached;
    int at;
  };
  struct event {
    int device = 0;
    bool timed = false;
    std::shared_ptr<point> last;
  };
  struct product_state {
    gpu::stream_handle on = nullptr;
    bool tf32 = false;
    void* workspace = nullptr;
    std::int64_t workspace_bytes = 0;
  };

  static constexpr std::int64_t poisoned = 1 << 16;  // bytes at the beginning of a block
  static constexpr bool gives_back = true;

  bool exhausted() const { return exhausting_ && countdown_ <= 1; }

  template <class Work> status call(Work work, bool done_anyway = false) {
    std::unique_lock lock(mutex_);
    held_ = &lock;
    ++calls_;
    const bool fails = countdown_ == 1 && !exhausting_;
    status s = !fails || done_anyway ? work() : failure_;
    if (fails) s = failure_;
    if (countdown_ > 0) reached_ = --countdown_ == 0;
    if (s != status::success) of_thread().last = s;
    return s;
  }
  template <class Handle> Handle make(const char* kind) {
    const auto h = reinterpret_cast<Handle>(++next_ * 64);
    alive_[h] = kind;
    return h;
  }
  status gone(void* handle, const std::string& kind) {
    const auto found = alive_.find(handle);
    if (found == alive_.end() || found->second != kind) {
      misuses.push_back(kind + " given back that is not alive");
      return status::invalid_handle;
    }
    alive_.erase(found);
    return status::success;
  }
  queue& of(gpu::stream_handle s) {
    if (streams_.count(s) == 0) misuses.push_back("work on a stream that is not alive");
    return streams_[s];
  }
  void push(gpu::stream_handle s, std::function<void()> work, std::function<bool()> is_ready = {}) {
    queue& q = of(s);
    if (q.into) q.into->push_back({std::move(work), std::move(is_ready)});
    else q.work.push_back({std::move(work), std::move(is_ready)});
  }
  /// Runs the next work of a stream; false: it waits for another device's.
  bool try_step(gpu::stream_handle s) {
    const item& next = of(s).work.front();
    if (next.is_ready && !next.is_ready()) return false;
    const auto work = std::move(of(s).work.front().run);
    of(s).work.pop_front();
    work();
    return true;
  }
  void step(gpu::stream_handle s) {
    const auto begun = std::chrono::steady_clock::now();
    std::unique_lock<std::mutex>* const mine = held_;
    while (!of(s).work.empty() && !try_step(s)) {
      if (std::chrono::steady_clock::now() - begun > std::chrono::seconds(20)) {
        misuses.push_back("a call waits for another device in vain");
        of(s).work.pop_front();
        return;
      }
      changed_.wait_for(*mine, std::chrono::milliseconds(1));
      held_ = mine;
    }
  }
  void run(gpu::stream_handle s) {
    while (!of(s).work.empty()) step(s);
  }
  /// Runs all work of all streams that waits for nothing.
  void run_all_ready() {
    for (const auto& [handle, q] : streams_)
      while (!q.work.empty() && try_step(handle)) {
      }
  }
  /// Whether a stream has come to a point; runs what can be run before it.
  bool reach(const std::shared_ptr<point>& mark) {
    while (mark && !mark->reached && streams_.count(mark->on) != 0 && !of(mark->on).work.empty())
      if (!try_step(mark->on)) return false;
    return true;
  }
  void run_all() {
    for (const auto& [handle, q] : streams_) run(handle);
  }
  std::int64_t idle(int device) const {
    std::int64_t bytes = 0;
    for (const auto& [handle, p] : pools_)
      if (p.device == device)
        for (const std::int64_t b : p.idle) bytes += b;
    return bytes;
  }
  const block* block_of(const void* data, std::int64_t bytes) const {
    const auto* at = static_cast<const std::byte*>(data);
    for (const auto& [start, b] : blocks_) {
      const auto* from = static_cast<const std::byte*>(start);
      if (at >= from && at + bytes <= from + b.bytes) return &b;
    }
    return nullptr;
  }
  void in_a_block(const void* data, std::int64_t bytes) {
    const block* b = block_of(data, bytes);
    if (b == nullptr) misuses.push_back("access outside of device memory");
    else if (!b->given) misuses.push_back("device memory used before its stream came to give it");
  }
  int device_of(const void* data) {
    const block* b = block_of(data, 1);
    return b == nullptr ? -1 : pools_[b->from].device;
  }
  struct thread_state {
    int current = 0;
    status last = status::success;
  };
  thread_state& of_thread() { return threads_[std::this_thread::get_id()]; }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::unique_lock<std::mutex>* held_ = nullptr;  // by the call that runs
  std::map<std::thread::id, thread_state> threads_;
  std::map<void*, std::string> alive_;
  std::map<gpu::pool_handle, pool> pools_;
  std::map<void*, block> blocks_;
  std::map<gpu::stream_handle, queue> streams_;
  std::map<gpu::event_handle, event> events_;
  std::map<gpu::graph_handle, std::shared_ptr<works>> graphs_;
  std::map<gpu::executable_handle, std::shared_ptr<works>> executables_;
  std::map<gpu::product_handle, product_state> products_;
  std::vector<std::int64_t> used_;
  int calls_ = 0, countdown_ = 0, clock_ = 0;
  bool exhausting_ = false, reached_ = false;
  std::uintptr_t next_ = 0;
  status failure_ = status::success;
};

}  // namespace stg::test
