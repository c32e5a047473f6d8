// Lists that a call works with and leaves to the next one.
#pragma once

#include <mutex>  // lock_guard, mutex

namespace stg::detail {

/// A Lists for as long as it lives, as the last one left it, since a training step allocates nothing. What runs within
/// a call, such as the steps of a scan, has one of its own. There are as many as were ever in use at a time, by all
/// threads; they stay for the process. No thread_local object: making one takes memory, and so does noting that the
/// thread's end destroys it, where there may be none and nobody whom an exception would reach.
template <class Lists> class kept_lists {
 public:
  kept_lists() : mine_(take()) {}
  ~kept_lists() {
    const std::lock_guard hold(lock);
    mine_->next = idle;
    idle = mine_;
  }
  kept_lists(const kept_lists&) = delete;
  kept_lists& operator=(const kept_lists&) = delete;
  Lists* operator->() const { return &mine_->lists; }
  Lists& operator*() const { return mine_->lists; }

 private:
  struct node {
    Lists lists{};
    node* next = nullptr;
  };
  static node* take() {
    {
      const std::lock_guard hold(lock);
      if (node* const last = idle) {
        idle = last->next;
        return last;
      }
    }
    return new node;
  }

  node* const mine_;
  static inline std::mutex lock{};
  static inline node* idle = nullptr;  // the last one that was given back
};

}  // namespace stg::detail
