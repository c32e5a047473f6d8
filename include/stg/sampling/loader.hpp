// Batches one after the other, several made ahead on threads of their own while a step computes.
#pragma once

#include <stg/sampling/loader_of.hpp>  // loaded, loader_of, loader_options, row_cache, vertex_rows
#include <stg/sampling/sampler.hpp>    // sampler

#include <concepts>     // derived_from, integral, same_as
#include <cstdint>      // int32_t, int64_t
#include <memory>       // shared_ptr
#include <type_traits>  // is_lvalue_reference_v, remove_const_t
#include <utility>      // forward, move
#include <vector>       // vector

#define STG_LOADS_OTHERS \
  "stg: a loader takes a sampler, seeds, and options: loader(neighbour_sampler(...), seeds, {.batch_size = 4})"

#define STG_MOVES_ITS_SAMPLER \
  "stg: a sampler moves into its loader; write loader(std::move(sampler), seeds, {.batch_size = 4})"

namespace stg {

namespace detail {
template <class Sampler>
concept SamplerToMove = std::derived_from<std::remove_cvref_t<Sampler>, sampler>;
/// Moves a sampler out of its argument, also out of an error.
template <class Sampler> std::remove_const_t<Sampler>&& taken(Sampler& from) {
  return std::move(const_cast<std::remove_const_t<Sampler>&>(from));
}
}  // namespace detail

/// A batch with the rows requested from the loader.
using loaded_batch = detail::loaded<batch>;

/// Makes the batches of one epoch after the other. The seeds and draws of a batch follow from the options' seed, the
/// epoch and the batch's index, so it is the same with any number of threads, however far ahead they are. They go on to
/// the next epoch by themselves.
///
/// Memory: `ahead + 1` batches with their rows; it grows to the largest of them, with a quarter to spare, and then
/// nothing is allocated any more. A batch lives until the next one is taken. An epoch may be left at any time, and any
/// epoch may follow; the loader may go at any time, which takes as long as finishing a batch. Exceptions of a thread, a
/// sampler's error or a function's, are thrown where its batch is taken, and the loader can be used again. One thread
/// takes batches.
///
///   stg::loader loader(stg::neighbour_sampler(graph, {.fan_outs = {15, 10}}), train, {.batch_size = 512, .seed = 1});
///   const auto X = loader.rows(features);
///   const auto Y = loader.rows(labels);
///   for (const stg::loaded_batch& b : loader.epoch(0))
///     optimizer.step(step(b.blocks(), x = b[X], label = b[Y], known = b.known, params).gradients);
class loader : public detail::loader_of<batch> {
 public:
  /// Of a sampler's batches; each of `seeds` is in one batch of an epoch. Errors: a batch size below 1, negative
  /// numbers of threads, `ahead` below 1 with threads.
  template <detail::SamplerToMove Sampler>
  loader(Sampler&& from, std::vector<std::int32_t> seeds, const loader_options& options)
      : loader(detail::shared_sampler(detail::taken(from)), std::move(seeds), options) {
    constexpr bool is_moved = !std::is_lvalue_reference_v<Sampler>;
    static_assert(is_moved, STG_MOVES_ITS_SAMPLER);
  }
  loader(std::shared_ptr<const sampler> from, std::vector<std::int32_t> seeds, const loader_options& options);
  /// Of ids of another type: what to write.
  template <std::derived_from<sampler> Sampler, detail::OtherOwnedIds Ids>
  loader(Sampler from, const Ids&, const loader_options& options)
      : loader(std::move(from), std::vector<std::int32_t>(), options) {
    constexpr bool is_a_mask = detail::is_a_mask<Ids>;
    constexpr bool are_seeds = sizeof(Ids) == 0 || is_a_mask;
    static_assert(!is_a_mask, STG_SEEDS_ARE_A_MASK);
    static_assert(are_seeds, STG_SEEDS_ARE_OTHERS);
  }
  /// Of a graph, without seeds, or with a number in place of options: what to write.
  template <std::same_as<graph> Graph, class Seeds>
  loader(const Graph& g, const Seeds&, const loader_options& options) : loader(g, 1, maker(), options) {
    constexpr bool is_a_sampler = sizeof(Seeds) == 0;
    static_assert(is_a_sampler, STG_LOADS_OTHERS);
  }
  template <std::derived_from<sampler> Sampler, class Seeds, std::integral Size>
  loader(Sampler from, const Seeds&, Size) : loader(std::move(from), std::vector<std::int32_t>(), loader_options()) {
    constexpr bool are_options = sizeof(Size) == 0;
    static_assert(are_options, STG_LOADS_OTHERS);
  }
  template <std::derived_from<sampler> Sampler>
  loader(Sampler from, const loader_options& options) : loader(std::move(from), std::vector<std::int32_t>(), options) {
    constexpr bool has_seeds = sizeof(Sampler) == 0;
    static_assert(has_seeds, STG_LOADS_OTHERS);
  }
  /// Of a sampler that takes no seeds: so many batches in an epoch.
  template <std::derived_from<sampler> Sampler>
  static loader without_seeds(Sampler from, std::int64_t batches, const loader_options& options) {
    return {no_seeds(), detail::shared_sampler(std::move(from)), batches, options};
  }
  /// Of batches that a function makes of items [0, items) of a graph.
  loader(const graph& of, std::int64_t items, maker make, const loader_options& options);

  // What batches come with: to be asked for before the first epoch, and an error afterwards.

  /// A row for each vertex: of a tensor (vertices of the large graph, ...), which must outlive the loader unless it is
  /// moved in, mapped from a file or a view that shares its memory. Error for any other number of rows.
  template <TensorElement T> vertex_rows<T> rows(const const_tensor<T>& from) {
    return {add_rows<detail::tensor_source<T>>("", from.view())};
  }
  template <TensorElement T> vertex_rows<T> rows(tensor<T>&& from) {
    return {add_rows<detail::tensor_source<T>>("", std::move(from))};
  }
  template <TensorElement T> vertex_rows<T> rows(const_tensor<T>&& from) {
    return {add_rows<detail::tensor_source<T>>("", std::move(from))};
  }
  /// Rows of sparse features, (vertices, columns), which take new memory for each batch.
  template <class T> sparse_vertex_rows<T> rows(const sparse_tensor<T>& from) {
    return {add_rows<detail::sparse_source<T>>("", from)};
  }
  /// Rows that a function writes, of the shape `row` for vertices of the large graph, (vertices, ...). It is called by
  /// several threads at a time, and now for the cache's rows.
  ///
  ///   auto X = loader.rows<float>({128}, [&](std::span<const std::int32_t> v, stg::tensor<float>& to) { … });
  template <TensorElement T>
  vertex_rows<T> rows(const dimensions& row, typename detail::cached_source<T>::fetch get, row_cache cache = {}) {
    return {add_fetched<T>("", row, std::move(get), cache)};
  }
  /// Rows of a tensor, such as one mapped from a slow disk, through a cache.
  template <TensorElement T> vertex_rows<T> rows(const_tensor<T> from, row_cache cache) {
    return {add_cached<T>("", std::move(from), cache)};
  }
  /// Of what is no tensor: what to write.
  template <class Other>
    requires(!requires(const Other& o) { o.shape(); })
  vertex_rows<float> rows(const Other&) {
    constexpr bool is_a_tensor = sizeof(Other) == 0;
    static_assert(is_a_tensor, "stg: a loader gives rows of a tensor: const auto X = loader.rows(data.features)");
    return {};
  }
  template <class Other>
    requires(!requires(const Other& o) { o.edge_identity(); })
  edge_rows<float> edges(const Other&) {
    constexpr bool is_of_edges = sizeof(Other) == 0;
    static_assert(is_of_edges, "stg: a loader takes values of edges: loader.edges(graph.edge_values(w))");
    return {};
  }
  /// A value for each edge; they are copied. Error for values of any other graph.
  template <TensorElement T> edge_rows<T> edges(const edge_values<T>& from) { return {add_edges("", of(), from)}; }

 private:
  struct no_seeds {};
  loader(no_seeds, std::shared_ptr<const sampler> from, std::int64_t batches, const loader_options& options);
};

}  // namespace stg
