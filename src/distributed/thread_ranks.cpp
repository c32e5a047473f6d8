// Ranks as threads: a box of messages for each, which the others put theirs into.
#include <stg/distributed/thread_ranks.hpp>

#include <algorithm>           // clamp, min
#include <atomic>              // atomic
#include <condition_variable>  // condition_variable
#include <cstring>             // memcpy
#include <exception>           // current_exception, exception, exception_ptr
#include <map>                 // map
#include <memory>              // unique_ptr
#include <mutex>               // mutex, unique_lock
#include <random>              // mt19937_64
#include <string>              // string, to_string
#include <thread>              // sleep_for, thread
#include <utility>             // move
#include <vector>              // vector

#include <pthread.h>  // pthread_getcpuclockid
#include <time.h>     // clock_gettime

#include <stg/base/error.hpp>  // error

#include "wait_watch.hpp"

namespace stg {

namespace {

using clock = std::chrono::steady_clock;

struct message_key {
  int from;
  std::uint64_t tag;
  auto operator<=>(const message_key&) const = default;
};

struct message {
  message_room room{};
  clock::time_point arrives{};
};

/// Messages that have been sent to one rank.
struct message_box {
  std::mutex mutex{};
  std::condition_variable filled{};
  std::map<message_key, message> messages{};
};

/// What a rank does, as it says itself.
struct thread_activity {
  std::atomic<bool> waits{false}, runs{false}, returned{false}, busy{false};
  std::atomic<std::uint64_t> ended_waits{0};
  clockid_t processor_time{};  // while it runs

  detail::rank_activity seen() const {
    detail::rank_activity a{waits, returned, ended_waits};
    timespec used{};
    if (!a.waits && runs && clock_gettime(busy ? CLOCK_MONOTONIC : processor_time, &used) == 0)
      a.pulse += static_cast<std::uint64_t>(used.tv_sec) * 1000 + static_cast<std::uint64_t>(used.tv_nsec) / 1'000'000;
    return a;
  }
};

/// For as long as a rank waits.
class marked_as_waiting {
 public:
  explicit marked_as_waiting(thread_activity& of) : of_(of) { of.waits = true; }
  ~marked_as_waiting() {
    ++of_.ended_waits;
    of_.waits = false;
  }

 private:
  thread_activity& of_;
};

/// What the ranks of one run share.
struct shared_boxes {
  shared_boxes(int ranks, const thread_rank_options& with)
      : options(with), boxes(static_cast<std::size_t>(ranks)), activities(static_cast<std::size_t>(ranks)) {}

  message_box& of(int rank) { return boxes[static_cast<std::size_t>(rank)]; }
  thread_activity& activity(int rank) { return activities[static_cast<std::size_t>(rank)]; }
  int size() const { return static_cast<int>(boxes.size()); }

  /// The first rank to fail is the reason for all.
  void fail(int rank, std::string_view why) noexcept {
    {
      const std::lock_guard lock(failure_mutex);
      if (failed_rank >= 0) return;
      failed_rank = rank;
      try {
        reason = why;
      } catch (...) {
        reason.clear();
      }
    }
    wake_all();
  }
  /// Ranks that wait look again.
  void wake_all() {
    for (message_box& box : boxes) {
      const std::lock_guard lock(box.mutex);
      box.filled.notify_all();
    }
  }
  /// Empty while nobody failed.
  std::string failure() {
    const std::lock_guard lock(failure_mutex);
    return failed_rank < 0 ? std::string() : "rank " + std::to_string(failed_rank) + " failed: " + reason;
  }

  const thread_rank_options& options;
  std::vector<message_box> boxes;
  std::vector<thread_activity> activities;
  std::mutex failure_mutex{};
  int failed_rank = -1;
  std::string reason{};
};

class thread_rank final : public communicator {
 public:
  thread_rank(shared_boxes& all, int rank)
      : all_(all), rank_(rank), draws_(all.options.reorder + static_cast<std::uint64_t>(rank)) {
    thread_activity& mine = all.activity(rank);
    mine.runs = pthread_getcpuclockid(pthread_self(), &mine.processor_time) == 0;
  }
  /// The rank has returned, or failed, and its thread ends.
  ~thread_rank() override {
    thread_activity& mine = all_.activity(rank_);
    mine.returned = true;
    mine.runs = false;
    all_.wake_all();
  }

  int rank() const override { return rank_; }
  int size() const override { return all_.size(); }

  using communicator::send;
  void send(int to, std::uint64_t tag, message_room room) override {
    count_call();
    check_rank(to);
    count_sent(room.bytes);
    message sent;
    sent.room = std::move(room);
    sent.arrives = clock::now() + delay();
    message_box& box = all_.of(to);
    const std::lock_guard lock(box.mutex);
    if (!box.messages.emplace(message_key{rank_, tag}, std::move(sent)).second)
      throw error("rank " + std::to_string(rank_) + " sends two messages of tag " + std::to_string(tag) + " to rank " +
                  std::to_string(to));
    box.filled.notify_all();
  }

  void expect(int from, std::uint64_t tag, std::byte* to, std::int64_t bytes) override {
    count_call();
    check_rank(from);
    if (!expected_.emplace(message_key{from, tag}, place{to, bytes}).second)
      throw error("rank " + std::to_string(rank_) + " expects two messages of tag " + std::to_string(tag) +
                  " from rank " + std::to_string(from));
  }

  void receive(int from, std::uint64_t tag) override {
    count_call();
    const auto wanted = expected_.find({from, tag});
    if (wanted == expected_.end())
      throw error("rank " + std::to_string(rank_) + " waits for a message of tag " + std::to_string(tag) +
                  " from rank " + std::to_string(from) + " that it does not expect");
    message arrived = take(wanted->first);
    const place& to = wanted->second;
    if (arrived.room.bytes != to.bytes)
      throw error("rank " + std::to_string(rank_) + " expects " + std::to_string(to.bytes) + " bytes from rank " +
                  std::to_string(from) + ", which sends " + std::to_string(arrived.room.bytes) +
                  "; do all ranks run the same program on parts of one graph?");
    if (to.bytes > 0) std::memcpy(to.data, arrived.room.data.get(), static_cast<std::size_t>(to.bytes));
    keep(std::move(arrived.room));
    expected_.erase(wanted);
  }

  bool has_come(int from, std::uint64_t tag) override {
    message_box& box = all_.of(rank_);
    const std::lock_guard lock(box.mutex);
    const auto found = box.messages.find(message_key{from, tag});
    return found != box.messages.end() && found->second.arrives <= clock::now();
  }

  void wait_until(int from, const std::function<bool()>& is_there) override {
    constexpr std::chrono::microseconds nap(50);
    if (is_there()) return;
    const thread_rank_options& o = all_.options;
    detail::wait_watch watch(*this, from, {o.patience, o.silence, o.longest_work});
    const marked_as_waiting mark(all_.activity(rank_));
    while (!is_there()) {
      if (const std::string why = all_.failure(); !why.empty()) throw error(why + "; " + waited());
      if (from >= 0 && all_.activity(from).returned && watch.has_lasted(std::chrono::seconds(2)))
        watch.refuse_returned();
      watch.look([&](int rank) { return all_.activity(rank).seen(); });
      std::this_thread::sleep_for(nap);
    }
  }

  void fail(std::string_view why) noexcept override { all_.fail(rank_, why); }
  void busy(bool is) override { all_.activity(rank_).busy = is; }

 private:
  struct place {
    std::byte* data;
    std::int64_t bytes;
  };

  void check_rank(int other) const {
    if (other < 0 || other >= size())
      throw error("rank " + std::to_string(rank_) + " names rank " + std::to_string(other) + "; there are " +
                  std::to_string(size()));
  }
  void count_call() {
    if (all_.options.failing_rank == rank_ && calls_++ == all_.options.failing_call)
      throw error("rank " + std::to_string(rank_) + " fails at its call " + std::to_string(calls_ - 1) + ", as asked");
  }
  clock::duration delay() {
    clock::duration d = all_.options.delay;
    if (all_.options.reorder != 0) d += std::chrono::microseconds(draws_() % 500);
    return d;
  }

  message take(const message_key& key) {
    thread_activity& mine = all_.activity(rank_);
    const thread_rank_options& o = all_.options;
    detail::wait_watch watch(*this, key.from, {o.patience, o.silence, o.longest_work});
    const auto between_looks =
        std::clamp(std::min(o.patience, o.silence) / 8, std::chrono::milliseconds(1), std::chrono::milliseconds(250));
    message_box& box = all_.of(rank_);
    std::unique_lock lock(box.mutex);
    for (marked_as_waiting mark(mine);;) {
      const bool has_returned = all_.activity(key.from).returned;  // it sends no more than lies in the box by now
      const auto found = box.messages.find(key);
      const clock::time_point now = clock::now();
      if (found != box.messages.end() && found->second.arrives <= now) {
        message arrived = std::move(found->second);
        box.messages.erase(found);
        return arrived;
      }
      if (const std::string why = all_.failure(); !why.empty()) throw error(why + "; " + waited());
      if (found == box.messages.end() && has_returned) watch.refuse_returned();
      watch.look([&](int rank) { return all_.activity(rank).seen(); });
      const clock::time_point next = now + between_looks;
      box.filled.wait_until(lock, found != box.messages.end() ? std::min(next, found->second.arrives) : next);
    }
  }
  std::string waited() const { return "rank " + std::to_string(rank_) + " waited for " + to_string(waits_for()); }

  shared_boxes& all_;
  int rank_;
  std::mt19937_64 draws_;
  std::int64_t calls_ = 0;
  std::map<message_key, place> expected_{};
};

}  // namespace

void run_ranks(int count, const std::function<void(communicator&)>& work, const thread_rank_options& how) {
  if (count < 1) throw error("run_ranks: " + std::to_string(count) + " ranks; ask for one at least");
  shared_boxes all(count, how);
  std::mutex mutex;
  std::exception_ptr first;
  const auto run = [&](int rank) {
    thread_rank mine(all, rank);
    const auto note = [&](std::string_view why) {
      {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
      }
      mine.fail(why);
    };
    try {
      work(mine);
    } catch (const std::exception& e) {
      note(e.what());
    } catch (...) {
      note("it threw what is no std::exception");
    }
  };
  std::vector<std::thread> others;
  for (int rank = 1; rank < count; ++rank) others.emplace_back(run, rank);
  run(0);
  for (std::thread& t : others) t.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace stg
