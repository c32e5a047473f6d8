// Slots in a ring: threads fill those that are free, one number after another, and one thread takes them.
#pragma once

#include "vertex_numbers.hpp"  // at

#include <condition_variable>  // condition_variable
#include <cstddef>             // size_t
#include <cstdint>             // int64_t
#include <exception>           // exception_ptr
#include <functional>          // function
#include <mutex>               // mutex, unique_lock
#include <thread>              // thread
#include <vector>              // vector

namespace stg::detail {

/// Things have numbers from 0 on. [oldest, next) are being made or made; `oldest` may be in use. What a thread throws
/// comes out where its number is taken.
class made_ahead {
 public:
  /// fill(slot, number) makes a thing; several threads at a time, each in a slot of its own. Where there are none, and
  /// where the system gives none, each is made when it is taken.
  made_ahead(int threads, int ahead, std::function<void(std::size_t, std::int64_t)> fill);
  made_ahead(const made_ahead&) = delete;
  made_ahead& operator=(const made_ahead&) = delete;
  /// Takes as long as a thing that is being made. What `fill` works on has to be there until then.
  ~made_ahead() { stop(); }

  std::size_t slots() const { return slots_.size(); }
  /// Whether nothing was taken yet.
  bool is_open() const { return is_open_; }
  /// The slot of a thing, which nobody writes to until the next one is taken.
  std::size_t take(std::int64_t number);
  /// The slot of a thing behind the one that was taken, as many behind as there are slots: it is made, and stays until
  /// it is taken.
  std::size_t see(std::int64_t number);
  void stop();

 private:
  /// Whoever changes `is` from free or to it holds the lock.
  struct slot {
    enum { free, being_made, ready } is = free;
    std::exception_ptr failure{};
    std::int64_t seen = -1;  // the number that is made there, where there are no threads
  };
  std::size_t slot_of(std::int64_t number) const { return at(number % static_cast<std::int64_t>(slots_.size())); }
  void work();
  void start_at(std::int64_t number);
  void go_to(std::int64_t number, std::unique_lock<std::mutex>& hold);
  std::size_t made_here(std::int64_t number);
  std::size_t made_there(std::int64_t number, std::unique_lock<std::mutex>& hold);

  const std::size_t wanted_threads_;
  const std::function<void(std::size_t, std::int64_t)> fill_;
  std::mutex lock_{};
  std::condition_variable changed_{};
  std::vector<slot> slots_;
  std::int64_t oldest_ = 0, next_ = 0;
  bool in_use_ = false, stops_ = false, waits_ = false, is_open_ = true;
  std::vector<std::thread> threads_{};
};

}  // namespace stg::detail
