// Threads that fill the slots of a ring.
#include "made_ahead.hpp"  // made_ahead

#include <algorithm>  // none_of
#include <exception>  // exception

namespace stg::detail {

made_ahead::made_ahead(int threads, int ahead, std::function<void(std::size_t, std::int64_t)> fill)
    : wanted_threads_(at(threads)), fill_(std::move(fill)), slots_(threads > 0 ? at(ahead) + 1 : 1) {}

void made_ahead::stop() {
  {
    const std::lock_guard hold(lock_);
    stops_ = true;
  }
  changed_.notify_all();
  for (std::thread& t : threads_) t.join();
  threads_.clear();
}

void made_ahead::work() {
  std::unique_lock hold(lock_);
  for (;;) {
    changed_.wait(hold, [&] {
      return stops_ || (!waits_ && next_ - oldest_ < static_cast<std::int64_t>(slots_.size()) &&
                        slots_[slot_of(next_)].is == slot::free);
    });
    if (stops_) return;
    const std::int64_t number = next_++;
    slot& mine = slots_[slot_of(number)];
    mine.is = slot::being_made;
    hold.unlock();
    mine.failure = nullptr;
    try {
      fill_(slot_of(number), number);
    } catch (...) {
      mine.failure = std::current_exception();
    }
    hold.lock();
    mine.is = slot::ready;
    changed_.notify_all();
  }
}

/// Lets go of what is made, and begins with another number once nobody makes one any more.
void made_ahead::go_to(std::int64_t number, std::unique_lock<std::mutex>& hold) {
  waits_ = true;
  changed_.wait(hold, [&] {
    return std::none_of(slots_.begin(), slots_.end(), [](const slot& s) { return s.is == slot::being_made; });
  });
  for (slot& s : slots_) s.is = slot::free;
  oldest_ = next_ = number;
  in_use_ = waits_ = false;
  changed_.notify_all();
}

void made_ahead::start_at(std::int64_t number) {
  oldest_ = next_ = number;
  while (threads_.size() < wanted_threads_) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::exception&) {  // the system has no more: those that are there do the work, or whoever takes
      break;
    }
  }
  is_open_ = false;
}

std::size_t made_ahead::take(std::int64_t number) {
  if (is_open_) start_at(number);
  if (threads_.empty()) {
    slots_[slot_of(oldest_)].seen = -1;
    oldest_ = number;
    return made_here(number);
  }
  std::unique_lock hold(lock_);
  if (in_use_) {
    slots_[slot_of(oldest_)].is = slot::free;
    ++oldest_;
    in_use_ = false;
    changed_.notify_all();
  }
  if (oldest_ != number) go_to(number, hold);
  in_use_ = true;
  return made_there(number, hold);
}

std::size_t made_ahead::see(std::int64_t number) {
  if (threads_.empty()) return made_here(number);
  std::unique_lock hold(lock_);
  return made_there(number, hold);
}

/// By this thread, unless it is there.
std::size_t made_ahead::made_here(std::int64_t number) {
  const std::size_t here = slot_of(number);
  if (slots_[here].seen == number) return here;
  slots_[here].seen = -1;
  fill_(here, number);
  slots_[here].seen = number;
  return here;
}

std::size_t made_ahead::made_there(std::int64_t number, std::unique_lock<std::mutex>& hold) {
  const std::size_t there = slot_of(number);
  const slot& wanted = slots_[there];
  changed_.wait(hold, [&] { return wanted.is == slot::ready; });
  if (wanted.failure) std::rethrow_exception(wanted.failure);
  return there;
}

}  // namespace stg::detail
