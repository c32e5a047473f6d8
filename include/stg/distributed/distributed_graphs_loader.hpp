// Batches of graphs of several kinds whose micro batches are shared among ranks.
#pragma once

#include <stg/distributed/cut.hpp>                    // cut
#include <stg/distributed/distributed_loader_of.hpp>  // distributed_loader_of, distributed_loader_options
#include <stg/sampling/graphs_link_sampler.hpp>       // graphs_link_sampler
#include <stg/sampling/graphs_loader.hpp>             // SamplerOfGraphs, shared_sampler

#include <cstdint>      // int32_t, int64_t, uint64_t
#include <memory>       // shared_ptr
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg {

/// `distributed_loader` for graphs of several kinds, as `graphs_loader` is `loader` for them: seeds are vertices of one
/// set, or edges of a relation, and rows are requested by set and by relation. Rows of a set may lie at the owners of
/// its vertices, by the cut: a rank asks each other one for the rows of a batch once for each set that has any.
///
///   stg::distributed_graphs_loader loader(cut, here, stg::graphs_sampler(graph, {.fan_outs = {10, 5}}), paper, train,
///                                         {.seed = 1});
///   const auto K = loader.own_rows(author, stg::gather(known, loader.owners(author).own_vertices()));
///   const auto T = loader.rows(paper, topics);
class distributed_graphs_loader : public detail::distributed_loader_of<graphs_batch> {
 public:
  /// Errors: as `graphs_loader` and `distributed_loader` have, and a cut of other graphs.
  template <detail::SamplerOfGraphs Sampler, NamedVertexSet Set>
  distributed_graphs_loader(const cut& cut_graphs, communicator& ranks, Sampler from, Set,
                            std::vector<std::int32_t> seeds, const distributed_loader_options& options)
      : distributed_graphs_loader(cut_graphs, ranks, detail::shared_sampler(std::move(from)), Set::name::view(),
                                  std::move(seeds), options) {}
  /// Of links: seeds are edges of the sampler's relation, by id, and pairs as of `distributed_loader`.
  distributed_graphs_loader(const cut& cut_graphs, communicator& ranks, graphs_link_sampler from,
                            std::vector<std::int32_t> edges, const distributed_loader_options& options);
  /// Of micro batches that a function makes of items [0, items) of large graphs: of seeds with times, say.
  distributed_graphs_loader(const cut& cut_graphs, communicator& ranks, const graphs& of, std::int64_t items,
                            maker make, const distributed_loader_options& options);

  /// Who owns the vertices of a set. Error for a set that is not there.
  template <NamedVertexSet Set> const vertex_owners& owners(Set) const& { return owners_of(Set::name::view()); }
  template <NamedVertexSet Set> vertex_owners owners(Set) && { return owners_of(Set::name::view()); }

  // What batches come with: to be asked for before the first epoch, in the same order on all ranks.

  /// Rows of this rank's vertices of a set, in the order of `owners(set).own_vertices()`: as of `distributed_loader`.
  template <NamedVertexSet Set, TensorElement T> vertex_rows<T> own_rows(Set, const const_tensor<T>& of_rank) {
    return {add_owned<T>(Set::name::view(), of_rank.view())};
  }
  template <NamedVertexSet Set, TensorElement T> vertex_rows<T> own_rows(Set, tensor<T>&& of_rank) {
    return {add_owned<T>(Set::name::view(), std::move(of_rank))};
  }
  /// A row for each vertex of a set, from this rank: as of `graphs_loader`.
  template <NamedVertexSet Set, TensorElement T> vertex_rows<T> rows(Set, const const_tensor<T>& from) {
    return {add_rows<detail::tensor_source<T>>(Set::name::view(), from.view())};
  }
  template <NamedVertexSet Set, TensorElement T> vertex_rows<T> rows(Set, tensor<T>&& from) {
    return {add_rows<detail::tensor_source<T>>(Set::name::view(), std::move(from))};
  }
  template <NamedVertexSet Set, TensorElement T> vertex_rows<T> rows(Set, const_tensor<T>&& from) {
    return {add_rows<detail::tensor_source<T>>(Set::name::view(), std::move(from))};
  }
  template <NamedVertexSet Set, class T> sparse_vertex_rows<T> rows(Set, const sparse_tensor<T>& from) {
    return {add_rows<detail::sparse_source<T>>(Set::name::view(), from)};
  }
  /// A value for each edge of a relation, from this rank; they are copied. Error for values of other edges.
  template <NamedRelation Relation, TensorElement T> edge_rows<T> edges(Relation, const edge_values<T>& from) {
    return {add_edges(Relation::name::view(), of().relation(Relation::name::view()), from)};
  }

 private:
  distributed_graphs_loader(const cut& cut_graphs, communicator& ranks,
                            const std::shared_ptr<const graphs_link_sampler>& from, std::vector<std::int32_t> edges,
                            const distributed_loader_options& options);
  distributed_graphs_loader(const cut& cut_graphs, communicator& ranks, const graphs& of, std::string_view set,
                            std::vector<std::int32_t> seeds, maker make, const distributed_loader_options& options);
  template <class Sampler>
  distributed_graphs_loader(const cut& cut_graphs, communicator& ranks, const std::shared_ptr<const Sampler>& by,
                            std::string_view set, std::vector<std::int32_t> seeds,
                            const distributed_loader_options& options)
      : distributed_graphs_loader(
            cut_graphs, ranks, by->of(), set, std::move(seeds),
            [by, of_set = std::string(set)](graphs_batch& to, const items_of_batch& items, std::uint64_t number) {
              by->sample_into(to, of_set, items.mine(), number);
            },
            options) {}
};

}  // namespace stg
