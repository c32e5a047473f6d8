// Batches whose micro batches are shared among ranks: what loaders of all kinds of batches have.
#pragma once

#include <stg/distributed/micro_batch.hpp>    // items_of_batch, owned_rows, batch_share_of
#include <stg/distributed/vertex_owners.hpp>  // vertex_owners
#include <stg/sampling/loader_options.hpp>    // batches_of_epoch

#include <cstdint>      // int32_t, int64_t, uint64_t
#include <functional>   // function
#include <memory>       // unique_ptr
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // forward, move
#include <vector>       // vector

namespace stg {

/// How a distributed loader divides its seeds: all ranks say the same.
struct distributed_loader_options {
  std::int64_t batch_size = 1024;  ///< seeds of a batch, on all ranks together
  int micro_batches = 8;           ///< that a batch is divided into: as many as there are ranks, or more
  bool shuffle = true;             ///< seeds in another order every epoch, else as they are given
  bool drop_last = false;          ///< no last batch of fewer seeds
  std::uint64_t seed = 0;          ///< of the orders and of all that is drawn
  int ahead = 4;                   ///< batches that are sampled, or being sampled, besides the one in use
  int threads = 1;                 ///< that sample them; 0: each is sampled when it is asked for
  bool blocks = false;             ///< they come with their blocks, so that `b.blocks()` costs a step nothing
  std::int64_t cache_bytes = 0;    ///< for rows of other ranks that are kept: of vertices with most out-edges
};

namespace detail {

template <class Batch> struct distributed_loading;

/// The owners of a vertex set; of a plain graph, without a name.
struct owners_of_set {
  std::string set{};
  vertex_owners owners;
};

template <class Batch> class distributed_loader_of {
  using large = decltype(Batch::large);

 public:
  /// Makes a micro batch of some items of a batch, which is drawn by a number. Called by several threads at a time. The
  /// items that are drawn and the number do not depend on ranks, and neither may the micro batch.
  using maker = std::function<void(Batch& to, const items_of_batch& items, std::uint64_t number)>;

  /// Batches of an epoch.
  std::int64_t batches() const;
  int micro_batches() const;
  communicator& ranks() const;
  /// The large graph, or the large graphs.
  const large& of() const&;
  large of() && { return of(); }

  using batches_of_epoch = detail::batches_of_epoch<distributed_loader_of, batch_share_of<Batch>>;
  /// The batches of an epoch, counted from 0, once: as many on every rank. Error for a negative one.
  batches_of_epoch epoch(std::int64_t epoch) &;
  void epoch(std::int64_t epoch) && = delete;  // stg: the loader is gone with its batches; give it a name first

 protected:
  distributed_loader_of(std::vector<owners_of_set> owners, const large& of, std::vector<std::int32_t> items, maker make,
                        const distributed_loader_options& options);
  distributed_loader_of(distributed_loader_of&&) noexcept;
  ~distributed_loader_of();

  const vertex_owners& owners_of(std::string_view set) const;
  template <TensorElement T> row_place add_owned(std::string_view set, const_tensor<T> from) try {
    check_rows(set, from.shape(), from.place(), true);
    return add(std::make_unique<owned_rows<T>>(std::move(from)), set);
  } catch (const std::bad_alloc&) {
    no_memory();
  }
  template <class Source, class Tensor> row_place add_rows(std::string_view set, Tensor&& from) {
    check_rows(set, from.shape(), from.place(), false);
    return add(make_source<Source>(std::forward<Tensor>(from)), set, false);
  }
  template <TensorElement T>
  row_place add_edges(std::string_view relation, const graph& edges, const edge_values<T>& from) {
    static_cast<void>(edges.to_input_order(from));  // for its errors
    return add(make_source<edge_source<T>>(from.values().clone()), relation, true);
  }

 private:
  friend batches_of_epoch;
  const batch_share_of<Batch>* take(std::int64_t number);
  void check_rows(std::string_view set, const dimensions& shape, location lies, bool are_own) const;
  row_place add(std::unique_ptr<row_source> source, std::string_view of, bool is_relation);
  row_place add(std::unique_ptr<owned_source> source, std::string_view set);

  std::unique_ptr<distributed_loading<Batch>> state_;
};

}  // namespace detail

}  // namespace stg
