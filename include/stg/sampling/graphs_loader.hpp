// Batches of graphs of several kinds one after the other, several made ahead on threads of their own while a step
// computes.
#pragma once

#include <stg/sampling/graphs_sampler.hpp>  // graphs_batch, graphs_sampler
#include <stg/sampling/loader_of.hpp>       // loaded, loader_of, loader_options, row_cache, vertex_rows

#include <cstdint>      // int32_t, int64_t, uint64_t
#include <memory>       // shared_ptr
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg {

namespace detail {
/// A maker of batches around seeds of a set of its graphs.
template <class Sampler>
concept SamplerOfGraphs = requires(const Sampler& s, graphs_batch& to, std::string_view set,
                                   std::span<const std::int32_t> seeds, std::uint64_t number) {
  s.of().vertex_sets();
  s.sample_into(to, set, seeds, number);
};
}  // namespace detail

/// A batch with the rows requested from the loader.
using loaded_graphs = detail::loaded<graphs_batch>;

/// `loader` for graphs of several kinds: seeds are vertices of one set, rows are requested by set and by relation. Of
/// many small graphs side by side (`batch_graphs`) the seeds are their graph set, and all neighbours of two hops are
/// whole graphs: the readout's, and the edges among these vertices.
///
///   stg::graphs_loader loader(stg::graphs_sampler(graph, {.fan_outs = {10, 5}}), paper, train, {.batch_size = 512});
///   const auto K = loader.rows(author, features_of_authors);
///   const auto T = loader.rows(paper, topics);
///   for (const stg::loaded_graphs& b : loader.epoch(0))
///     optimizer.step(step(b.graph, known = b[K], topic = b[T], seen = b.known, params).gradients);
class graphs_loader : public detail::loader_of<graphs_batch> {
 public:
  /// Of a sampler's batches around seeds of a set; each seed is in one batch of an epoch. Errors: the errors of
  /// `loader`, and a set that is not there.
  template <detail::SamplerOfGraphs Sampler, NamedVertexSet Set>
  graphs_loader(Sampler from, Set, std::vector<std::int32_t> seeds, const loader_options& options)
      : graphs_loader(std::move(from), Set::name::view(), std::move(seeds), options) {}
  template <detail::SamplerOfGraphs Sampler>
  graphs_loader(Sampler from, std::string_view set, std::vector<std::int32_t> seeds, const loader_options& options)
      : graphs_loader(detail::shared_sampler(std::move(from)), set, std::move(seeds), options) {}
  /// Without the set: what to write.
  template <detail::SamplerOfGraphs Sampler>
  graphs_loader(Sampler from, std::vector<std::int32_t> seeds, const loader_options& options)
      : graphs_loader(std::move(from), std::string_view(), std::move(seeds), options) {
    static_assert(sizeof(Sampler) == 0,
                  "stg: seeds are of a vertex set: graphs_loader(graphs_sampler(...), paper, seeds, options)");
  }
  /// Of batches that a function makes of items [0, items) of large graphs: of edges of a relation, say. `known` is the
  /// mask of the set whose seeds were given first.
  ///
  ///   stg::graphs_loader loader(graph, graph.edges(writes), [&](stg::graphs_batch& to, std::span<const std::int32_t>
  ///                             edges, std::uint64_t number) { links.sample_into(to, edges, number); }, options);
  graphs_loader(const graphs& of, std::int64_t items, maker make, const loader_options& options);

  // What batches come with: to be asked for before the first epoch, and an error afterwards.

  /// A row for each vertex of a set: of a tensor (vertices of the large set, ...), which must outlive the loader unless
  /// it is moved in, mapped from a file or a view that shares its memory. Error for any other number of rows.
  template <NamedVertexSet Set, TensorElement T> vertex_rows<T> rows(Set, const const_tensor<T>& from) {
    return {add_rows<detail::tensor_source<T>>(Set::name::view(), from.view())};
  }
  template <NamedVertexSet Set, TensorElement T> vertex_rows<T> rows(Set, tensor<T>&& from) {
    return {add_rows<detail::tensor_source<T>>(Set::name::view(), std::move(from))};
  }
  template <NamedVertexSet Set, TensorElement T> vertex_rows<T> rows(Set, const_tensor<T>&& from) {
    return {add_rows<detail::tensor_source<T>>(Set::name::view(), std::move(from))};
  }
  /// Rows of sparse features, which take new memory for each batch.
  template <NamedVertexSet Set, class T> sparse_vertex_rows<T> rows(Set, const sparse_tensor<T>& from) {
    return {add_rows<detail::sparse_source<T>>(Set::name::view(), from)};
  }
  /// Rows that a function writes for vertices of the large set, (vertices, ...); called by several threads at a time,
  /// and now for the cache's rows: of the vertices with most out-edges, along all relations.
  ///
  ///   auto K = loader.rows<float>(author, {128}, [&](std::span<const std::int32_t> v, stg::tensor<float>& to) { … });
  template <TensorElement T, NamedVertexSet Set>
  vertex_rows<T> rows(Set, const dimensions& row, typename detail::cached_source<T>::fetch get, row_cache cache = {}) {
    return {add_fetched<T>(Set::name::view(), row, std::move(get), cache)};
  }
  /// Rows of a tensor, such as one mapped from a slow disk, through a cache.
  template <NamedVertexSet Set, TensorElement T> vertex_rows<T> rows(Set, const_tensor<T> from, row_cache cache) {
    return {add_cached<T>(Set::name::view(), std::move(from), cache)};
  }
  /// A value for each edge of a relation; they are copied. Error for those of other edges.
  template <NamedRelation Relation, TensorElement T> edge_rows<T> edges(Relation, const edge_values<T>& from) {
    return {add_edges(Relation::name::view(), of().relation(Relation::name::view()), from)};
  }

 private:
  graphs_loader(const graphs& of, std::string_view set, std::vector<std::int32_t> seeds, maker make,
                const loader_options& options);
  template <class Sampler>
  graphs_loader(const std::shared_ptr<const Sampler>& by, std::string_view set, std::vector<std::int32_t> seeds,
                const loader_options& options)
      : graphs_loader(
            by->of(), set, std::move(seeds),
            [by, of_set = std::string(set)](graphs_batch& to, std::span<const std::int32_t> items,
                                            std::uint64_t number) { by->sample_into(to, of_set, items, number); },
            options) {}
};

}  // namespace stg
