// Batches whose micro batches are shared among ranks, with rows of features that lie at the owners of vertices.
#pragma once

#include <stg/distributed/micro_batch.hpp>    // batch_share, owned_rows
#include <stg/distributed/vertex_owners.hpp>  // vertex_owners

#include <concepts>     // derived_from
#include <cstdint>      // int32_t, int64_t, uint64_t
#include <memory>       // shared_ptr, unique_ptr
#include <type_traits>  // is_lvalue_reference_v
#include <utility>      // move
#include <vector>       // vector

namespace stg {

/// How a distributed_loader divides its seeds: all ranks say the same.
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
struct distributed_loading;
}

/// `loader` for data-parallel training on ranks. A batch is that of a `loader` of the same options; its seeds are cut
/// into micro batches, of which each rank samples and computes some: rank r of k has micro batches
/// [m r / k, m (r + 1) / k). Micro batches follow from the options' seed, the epoch and the batch's index, so they are
/// the same on any number of ranks, and `mean_over_ranks` joins their gradients in one order.
///
/// Each rank has the whole graph's edges, in its sampler. Rows of features may lie at the owners of their vertices
/// alone (`own_rows`): a rank asks each other one for the rows of a batch at once. It does so, and answers, in the
/// thread that takes batches, up to two batches before they are needed: so all ranks take the same batches in the same
/// order, the empty share of a small batch included, and let the loader go at the same place.
///
///   stg::distributed_loader loader(owners, stg::neighbour_sampler(graph, {.fan_outs = {15, 10}}), train, {.seed = 1});
///   const auto X = loader.own_rows(stg::gather(features, owners.own_vertices()));
///   const auto Y = loader.rows(labels);
///   auto mean = stg::mean_over_ranks(params, loader);
///   for (const stg::batch_share& batch : loader.epoch(0)) {
///     for (const stg::micro_batch& b : batch) mean.add(b, step(b.blocks(), x = b[X], label = b[Y], params));
///     optimizer.step(mean.all_reduce());
///   }
class distributed_loader {
 public:
  /// Errors: as `loader` has, fewer micro batches than ranks, and a sampler of a graph that is not the cut's. When the
  /// first batch is taken, by all ranks: options, seeds or rows that differ between ranks.
  template <detail::SamplerToMove Sampler>
  distributed_loader(const vertex_owners& owners, Sampler&& from, std::vector<std::int32_t> seeds,
                     const distributed_loader_options& options)
      : distributed_loader(owners, detail::shared_sampler(detail::taken(from)), std::move(seeds), options) {
    constexpr bool is_moved = !std::is_lvalue_reference_v<Sampler>;
    static_assert(is_moved, STG_MOVES_ITS_SAMPLER);
  }
  distributed_loader(const vertex_owners& owners, std::shared_ptr<const sampler> from, std::vector<std::int32_t> seeds,
                     const distributed_loader_options& options);
  distributed_loader(distributed_loader&&) noexcept;
  ~distributed_loader();

  /// Batches of an epoch.
  std::int64_t batches() const;
  int micro_batches() const;
  communicator& ranks() const;

  using batches_of_epoch = detail::batches_of_epoch<distributed_loader, batch_share>;
  /// The batches of an epoch, counted from 0, once: as many on every rank. Error for a negative one.
  batches_of_epoch epoch(std::int64_t epoch) &;
  void epoch(std::int64_t epoch) && = delete;  // stg: the loader is gone with its batches; give it a name first

  // What batches come with: to be asked for before the first epoch, in the same order on all ranks.

  /// Rows of this rank's vertices, (own vertices, ...) in the order of `owners.own_vertices()`; other ranks have the
  /// others. The tensor must outlive the loader unless it is moved in. Error for another number of rows.
  template <TensorElement T> vertex_rows<T> own_rows(const const_tensor<T>& of_rank) {
    check_rows(of_rank.shape(), of_rank.place(), true);
    return {add_owned<T>(of_rank.view())};
  }
  template <TensorElement T> vertex_rows<T> own_rows(tensor<T>&& of_rank) {
    check_rows(of_rank.shape(), of_rank.place(), true);
    return {add_owned<T>(std::move(of_rank))};
  }
  /// A row for each vertex, (vertices of the large graph, ...), from this rank: as of `loader`.
  template <TensorElement T> vertex_rows<T> rows(const const_tensor<T>& from) {
    check_rows(from.shape(), from.place(), false);
    return {add(detail::make_source<detail::tensor_source<T>>(from.view()))};
  }
  template <TensorElement T> vertex_rows<T> rows(tensor<T>&& from) {
    check_rows(from.shape(), from.place(), false);
    return {add(detail::make_source<detail::tensor_source<T>>(std::move(from)))};
  }
  template <TensorElement T> vertex_rows<T> rows(const_tensor<T>&& from) {
    check_rows(from.shape(), from.place(), false);
    return {add(detail::make_source<detail::tensor_source<T>>(std::move(from)))};
  }
  template <class T> sparse_vertex_rows<T> rows(const sparse_tensor<T>& from) {
    check_rows(from.shape(), from.place(), false);
    return {add(detail::make_source<detail::sparse_source<T>>(from))};
  }

 private:
  friend batches_of_epoch;
  const batch_share* take(std::int64_t number);
  void check_rows(const dimensions& shape, location lies, bool are_own) const;
  template <TensorElement T> detail::row_place add_owned(const_tensor<T> from) try {
    return add(std::make_unique<detail::owned_rows<T>>(std::move(from)));
  } catch (const std::bad_alloc&) {
    detail::no_memory();
  }
  detail::row_place add(std::unique_ptr<detail::row_source> source);
  detail::row_place add(std::unique_ptr<detail::owned_source> source);

  std::unique_ptr<detail::distributed_loading> state_;
};

}  // namespace stg
