// Lists that a call works with and leaves to the next one.
#pragma once

#include <cstddef>  // size_t
#include <deque>    // deque

namespace stg::codegen {

/// A Lists for as long as it lives, as the thread's last call left it, since a training step allocates nothing. What
/// runs within a call, such as the steps of a scan, has one of its own.
template <class Lists> class kept_lists {
 public:
  kept_lists() {
    if (depth == all.size()) all.emplace_back();
    mine_ = &all[depth++];
  }
  ~kept_lists() { --depth; }
  kept_lists(const kept_lists&) = delete;
  kept_lists& operator=(const kept_lists&) = delete;
  Lists* operator->() const { return mine_; }
  Lists& operator*() const { return *mine_; }

 private:
  Lists* mine_;
  static thread_local std::deque<Lists> all;  // whose elements stay where they are
  static thread_local std::size_t depth;
};
template <class Lists> thread_local std::deque<Lists> kept_lists<Lists>::all;
template <class Lists> thread_local std::size_t kept_lists<Lists>::depth = 0;

}  // namespace stg::codegen
