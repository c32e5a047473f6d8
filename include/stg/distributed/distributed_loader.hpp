// Batches of a plain graph whose micro batches are shared among ranks, with rows of features that lie at the owners of
// vertices.
#pragma once

#include <stg/distributed/distributed_loader_of.hpp>  // distributed_loader_of, distributed_loader_options
#include <stg/sampling/link_sampler.hpp>              // link_sampler
#include <stg/sampling/loader.hpp>                    // SamplerToMove, shared_sampler

#include <cstdint>      // int32_t, int64_t
#include <memory>       // shared_ptr
#include <type_traits>  // is_lvalue_reference_v
#include <utility>      // move
#include <vector>       // vector

namespace stg {

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
class distributed_loader : public detail::distributed_loader_of<batch> {
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
  /// Of links: seeds are edges by id. The pairs of a batch's micro batches are those of a batch of all its edges, with
  /// their negatives, and none shows an edge that the batch of all leaves out.
  ///
  ///   stg::distributed_loader loader(owners, stg::link_sampler(std::move(neighbours), {}), edges, {.seed = 1});
  distributed_loader(const vertex_owners& owners, link_sampler from, std::vector<std::int32_t> edges,
                     const distributed_loader_options& options);
  /// Of micro batches that a function makes of items [0, items) of a graph: of seeds with times, say.
  ///
  ///   stg::distributed_loader loader(owners, graph, count, [&](stg::batch& to, const stg::items_of_batch& items,
  ///                                  std::uint64_t number) { … }, options);
  distributed_loader(const vertex_owners& owners, const graph& of, std::int64_t items, maker make,
                     const distributed_loader_options& options);

  // What batches come with: to be asked for before the first epoch, in the same order on all ranks.

  /// Rows of this rank's vertices, (own vertices, ...) in the order of `owners.own_vertices()`; other ranks have the
  /// others. The tensor must outlive the loader unless it is moved in. Error for another number of rows.
  template <TensorElement T> vertex_rows<T> own_rows(const const_tensor<T>& of_rank) {
    return {add_owned<T>("", of_rank.view())};
  }
  template <TensorElement T> vertex_rows<T> own_rows(tensor<T>&& of_rank) {
    return {add_owned<T>("", std::move(of_rank))};
  }
  /// A row for each vertex, (vertices of the large graph, ...), from this rank: as of `loader`.
  template <TensorElement T> vertex_rows<T> rows(const const_tensor<T>& from) {
    return {add_rows<detail::tensor_source<T>>("", from.view())};
  }
  template <TensorElement T> vertex_rows<T> rows(tensor<T>&& from) {
    return {add_rows<detail::tensor_source<T>>("", std::move(from))};
  }
  template <TensorElement T> vertex_rows<T> rows(const_tensor<T>&& from) {
    return {add_rows<detail::tensor_source<T>>("", std::move(from))};
  }
  template <class T> sparse_vertex_rows<T> rows(const sparse_tensor<T>& from) {
    return {add_rows<detail::sparse_source<T>>("", from)};
  }
  /// A value for each edge of the large graph, from this rank; they are copied. Error for values of other edges.
  template <TensorElement T> edge_rows<T> edges(const edge_values<T>& from) { return {add_edges("", of(), from)}; }

 private:
  distributed_loader(const vertex_owners& owners, const std::shared_ptr<const link_sampler>& from,
                     std::vector<std::int32_t> edges, const distributed_loader_options& options);
};

}  // namespace stg
