// An owner of memory that several hold: it goes with the last of them.
#pragma once

#include <atomic>   // atomic
#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/runtime/const_tensor.hpp>  // memory_owner

namespace stg::detail {

/// Made by new, with one holder. Every holder calls free once.
class shared_owner : public memory_owner {
 public:
  shared_owner() = default;
  shared_owner(const shared_owner&) = delete;
  shared_owner& operator=(const shared_owner&) = delete;

  bool share() noexcept final { return holders_.fetch_add(1, std::memory_order_relaxed) >= 0; }
  void free(std::byte*) noexcept final {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  virtual ~shared_owner() = default;

 private:
  std::atomic<std::int64_t> holders_{1};
};

}  // namespace stg::detail
