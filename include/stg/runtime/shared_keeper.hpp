// A keeper of memory that several hold: it goes with the last of them.
#pragma once

#include <atomic>   // atomic
#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/runtime/const_tensor.hpp>  // memory_keeper

namespace stg::detail {

/// Made by new, with one holder. Every holder calls free once.
class shared_keeper : public memory_keeper {
 public:
  shared_keeper() = default;
  shared_keeper(const shared_keeper&) = delete;
  shared_keeper& operator=(const shared_keeper&) = delete;

  bool share() noexcept final { return holders_.fetch_add(1, std::memory_order_relaxed) >= 0; }
  void free(std::byte*) noexcept final {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  virtual ~shared_keeper() = default;

 private:
  std::atomic<std::int64_t> holders_{1};
};

}  // namespace stg::detail
