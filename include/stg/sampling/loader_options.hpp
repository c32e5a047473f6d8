// How loaders divide their seeds into batches, and how these are gone through.
#pragma once

#include <stg/base/instead.hpp>           // STG_INSTEAD_FIELD
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <cstddef>   // ptrdiff_t
#include <cstdint>   // int64_t, uint64_t
#include <iterator>  // default_sentinel_t, input_iterator_tag
#include <memory>    // make_shared, shared_ptr
#include <utility>   // move

#define STG_EPOCH_WITHOUT_A_NUMBER \
  "stg: an epoch has a number, by which its batches are drawn; write loader.epoch(epoch)"
#define STG_LOOPS_OVER_A_LOADER "stg: batches are those of an epoch; write for (const auto& b : loader.epoch(0))"

namespace stg {

/// How a loader divides its seeds, and how far it goes ahead.
struct loader_options {
  std::int64_t batch_size = 1024;  ///< seeds of a batch
  bool shuffle = true;             ///< seeds in another order every epoch, else as they are given
  bool drop_last = false;          ///< no last batch of fewer seeds
  std::uint64_t seed = 0;          ///< of the orders and of all that is drawn
  int ahead = 4;                   ///< batches that are made, or being made, besides the one in use
  int threads = 1;                 ///< that make them; 0: each is made when it is asked for
  bool blocks = false;             ///< they come with their blocks, so that `b.blocks()` costs a step nothing
  STG_INSTEAD_FIELD(num_workers, "stg: batches are made by {.threads = 2}, so many {.ahead = 4}")
  STG_INSTEAD_FIELD(num_neighbors, "stg: in-edges of each hop are a sampler's: neighbour_sampler(g, {.fan_outs = {5}})")
};

/// Rows kept in memory of a slower source: of the vertices with most out-edges.
struct row_cache {
  std::int64_t rows = 0;
};

namespace detail {

/// A sampler that a loader holds. Error when there is no memory for it.
template <class Sampler> std::shared_ptr<const Sampler> shared_sampler(Sampler from) try {
  return std::make_shared<const Sampler>(std::move(from));
} catch (const std::bad_alloc&) {
  no_memory();
}

/// The batches of an epoch: a range, gone through once.
template <class Loader, class Batch> class batches_of_epoch {
 public:
  class iterator {
   public:
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    const Batch& operator*() const { return *now_; }
    const Batch* operator->() const { return now_; }
    iterator& operator++() {
      ++next_;
      now_ = next_ < end_ ? of_->take(next_) : nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return now_ == nullptr; }

   private:
    friend batches_of_epoch;
    iterator(Loader* of, std::int64_t first, std::int64_t end) : of_(of), next_(first), end_(end) {
      if (first < end) now_ = of->take(first);
    }
    Loader* of_;
    std::int64_t next_, end_;
    const Batch* now_ = nullptr;
  };

  iterator begin() { return {of_, first_, first_ + count_}; }
  std::default_sentinel_t end() const { return {}; }

 private:
  friend Loader;
  batches_of_epoch(Loader& of, std::int64_t first, std::int64_t count) : of_(&of), first_(first), count_(count) {}
  Loader* of_;
  std::int64_t first_, count_;
};

}  // namespace detail

}  // namespace stg
