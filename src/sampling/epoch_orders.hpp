// Seeds in the order of each epoch.
#pragma once

#include "batch_writer.hpp"  // at
#include "draws.hpp"         // draws

#include <cstdint>  // int32_t, int64_t, uint64_t
#include <mutex>    // mutex
#include <utility>  // move, swap
#include <vector>   // vector

namespace stg::detail {

/// Seeds in the order of an epoch, each shuffled when its first batch is made.
class epoch_orders {
 public:
  epoch_orders(std::vector<std::int32_t> items, std::uint64_t seed, bool shuffle, std::int64_t kept)
      : items_(std::move(items)), seed_(seed), shuffle_(shuffle), kept_(at(kept)) {}

  std::int64_t size() const { return static_cast<std::int64_t>(items_.size()); }

  /// Items [first, last) of an epoch; in several threads at a time.
  void copy(std::int64_t epoch, std::int64_t first, std::int64_t last, std::vector<std::int32_t>& to) {
    const std::lock_guard lock(lock_);
    const std::vector<std::int32_t>& order = shuffle_ ? order_of(epoch) : items_;
    to.assign(order.begin() + first, order.begin() + last);
  }

 private:
  struct order {
    std::int64_t epoch = -1;
    std::vector<std::int32_t> items{};
  };

  /// In the place of the earliest epoch that is kept. Fisher and Yates, of draws of this epoch.
  const std::vector<std::int32_t>& order_of(std::int64_t epoch) {
    order* earliest = &kept_[0];
    for (order& o : kept_) {
      if (o.epoch == epoch) return o.items;
      if (o.epoch < earliest->epoch) earliest = &o;
    }
    earliest->items = items_;
    draws random(seed_, purpose::order, 0, static_cast<std::uint64_t>(epoch));
    for (std::size_t i = items_.size(); i > 1; --i)
      std::swap(earliest->items[i - 1], earliest->items[random.below(static_cast<std::uint32_t>(i))]);
    earliest->epoch = epoch;
    return earliest->items;
  }

  std::mutex lock_{};
  const std::vector<std::int32_t> items_;
  const std::uint64_t seed_;
  const bool shuffle_;
  std::vector<order> kept_;
};

}  // namespace stg::detail
