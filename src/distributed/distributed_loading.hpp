// The state of a distributed loader: micro batches made ahead, and how far the rows of each batch have come.
#pragma once

#include <stg/distributed/distributed_loader_of.hpp>  // distributed_loader_of
#include <stg/sampling/loader_options.hpp>            // loader_options

#include <cstddef>      // byte
#include <cstdint>      // int32_t, int64_t, uint64_t
#include <exception>    // uncaught_exceptions
#include <memory>       // unique_ptr
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include "../sampling/epoch_orders.hpp"  // epoch_orders
#include "../sampling/loading.hpp"       // requested_rows
#include "../sampling/made_ahead.hpp"    // made_ahead
#include "row_exchange.hpp"              // asked_rows, row_exchange

namespace stg::detail {

/// The share of a batch, in memory that is used again.
template <class Batch> class share_room : public batch_share_of<Batch> {
 public:
  void make_room(std::int64_t micro_batches, std::size_t sets) {
    this->micro_ = std::make_unique<micro_batch_of<Batch>[]>(at(micro_batches));
    of_set.resize(sets);
  }
  micro_batch_of<Batch>& nth(std::int64_t i) { return this->micro_[at(i)]; }
  void set_count(std::int64_t n) { this->count_ = n; }

  std::vector<std::int32_t> items{};  // of the whole batch
  /// Rows of a set's vertices that other ranks have.
  struct set_rows {
    asked_rows asked{};
    std::vector<std::vector<std::byte*>> owned{};  // by micro batch: its rows of each table
  };
  std::vector<set_rows> of_set{};
};

/// A batch's rows come in three steps, in the thread that takes batches: a rank asks for them, answers the others, and
/// waits for them. A batch is asked for two batches before it is taken and answered one before, so that messages are on
/// the way while a step computes; never beyond the end of an epoch. All ranks take the same batches, so they do the
/// same steps in the same order, of one vertex set after another.
template <class Batch> struct distributed_loading {
  using large_graph = decltype(Batch::large);
  using maker = typename distributed_loader_of<Batch>::maker;

  distributed_loading(std::vector<owners_of_set> owners, const large_graph& of, std::vector<std::int32_t> items,
                      maker how, const distributed_loader_options& with);
  ~distributed_loading();

  const batch_share_of<Batch>* take(std::int64_t number);
  std::int64_t first_of(std::int64_t epoch) const;
  row_place add(requested_rows plain);
  row_place add(std::unique_ptr<owned_source> owned, std::string_view set);
  /// The exchange of a set's rows. Error for a set that is not there.
  row_exchange& exchange_of(std::string_view set);
  communicator& ranks() const { return exchanges_[0].rows.ranks(); }

  const distributed_loader_options options;
  const std::int64_t batches;
  const large_graph large;

 private:
  struct requested {
    requested_rows plain{};                 // this rank has all rows, or
    std::unique_ptr<owned_source> owned{};  // those of its vertices,
    std::size_t set = 0;                    // of this set
  };
  struct exchange_of_set {
    std::string set;
    row_exchange rows;
  };

  std::int64_t first_micro() const;
  std::int64_t last_micro() const;
  std::size_t number_of(std::string_view set) const;
  void check_open() const;
  bool is_needed() const;
  void agree();
  void fill_caches();
  void fill(share_room<Batch>& to, std::int64_t number);
  void fill(share_room<Batch>& to, micro_batch_of<Batch>& b, std::int64_t i);
  void bring(std::int64_t number);
  void answer(std::int64_t number);
  share_room<Batch>& complete(std::int64_t number);
  void drain();
  /// Exchanges messages, of each set that has rows of other ranks: after an error nobody knows which of them still
  /// come.
  template <class Body> void exchanging(const Body& body) {
    is_broken_ = true;
    for (std::size_t s = 0; s < exchanges_.size(); ++s)
      if (exchanges_[s].rows.is_needed()) body(s, exchanges_[s].rows);
    is_broken_ = false;
  }
  share_room<Batch>& room_of(std::int64_t number) { return made_[ahead_.see(number)]; }

  const std::uint64_t id_;
  const std::uint64_t hash_of_items_;
  std::vector<exchange_of_set> exchanges_;
  const maker make_;
  std::vector<requested> sources_{};
  epoch_orders orders_;
  made_ahead ahead_;
  std::vector<share_room<Batch>> made_;
  bool has_agreed_ = false, is_broken_ = false;
  std::int64_t next_ = 0;                                 // the batch to be taken, if batches go on
  std::int64_t asked_ = 0, answered_ = 0, complete_ = 0;  // the first batches that are not
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace stg::detail
