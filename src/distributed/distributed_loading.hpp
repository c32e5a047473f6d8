// The state of a distributed_loader: micro batches made ahead, and how far the rows of each batch have come.
#pragma once

#include <stg/distributed/distributed_loader.hpp>  // distributed_loader
#include <stg/sampling/loader_options.hpp>         // loader_options

#include <cstddef>    // byte
#include <cstdint>    // int32_t, int64_t, uint64_t
#include <exception>  // uncaught_exceptions
#include <memory>     // shared_ptr, unique_ptr
#include <span>       // span
#include <vector>     // vector

#include "../sampling/epoch_orders.hpp"  // epoch_orders
#include "../sampling/made_ahead.hpp"    // made_ahead
#include "row_exchange.hpp"              // asked_rows, row_exchange

namespace stg::detail {

/// The share of a batch, in memory that is used again.
class share_room : public batch_share {
 public:
  void make_room(std::int64_t micro_batches) { micro_ = std::make_unique<micro_batch[]>(at(micro_batches)); }
  micro_batch& nth(std::int64_t i) { return micro_[at(i)]; }
  void set_count(std::int64_t n) { count_ = n; }

  std::vector<std::int32_t> items{};  // of the whole batch
  asked_rows asked{};
  std::vector<std::vector<std::byte*>> owned{};  // by micro batch: its rows of each table
};

/// A batch's rows come in three steps, in the thread that takes batches: a rank asks for them, answers the others, and
/// waits for them. A batch is asked for two batches before it is taken and answered one before, so that messages are on
/// the way while a step computes; never beyond the end of an epoch. All ranks take the same batches, so they do the
/// same steps in the same order.
struct distributed_loading {
  distributed_loading(const vertex_owners& owners, std::shared_ptr<const sampler> from, std::vector<std::int32_t> seeds,
                      const distributed_loader_options& how);
  ~distributed_loading();

  const batch_share* take(std::int64_t number);
  std::int64_t first_of(std::int64_t epoch) const;
  row_place add(std::unique_ptr<row_source> plain, std::unique_ptr<owned_source> owned);

  const distributed_loader_options options;
  const std::int64_t batches;
  row_exchange exchange;

 private:
  struct requested {
    std::unique_ptr<row_source> plain{};    // this rank has all rows, or
    std::unique_ptr<owned_source> owned{};  // those of its vertices
  };

  std::int64_t first_micro() const;
  std::int64_t last_micro() const;
  void agree();
  void fill(share_room& to, std::int64_t number);
  void fill(share_room& to, micro_batch& b, std::int64_t i);
  void bring(std::int64_t number);
  void answer(std::int64_t number);
  share_room& complete(std::int64_t number);
  void drain();
  /// Exchanges messages: after an error nobody knows which of them still come.
  template <class Body> void exchanging(const Body& body) {
    is_broken_ = true;
    body();
    is_broken_ = false;
  }
  share_room& room_of(std::int64_t number) { return made_[ahead_.see(number)]; }

  const std::uint64_t id_;
  const std::uint64_t hash_of_seeds_;
  const std::shared_ptr<const sampler> from_;
  std::vector<requested> sources_{};
  epoch_orders orders_;
  made_ahead ahead_;
  std::vector<share_room> made_;
  bool has_agreed_ = false, is_broken_ = false;
  std::int64_t next_ = 0;                                 // the batch to be taken, if batches go on
  std::int64_t asked_ = 0, answered_ = 0, complete_ = 0;  // the first batches that are not
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace stg::detail
