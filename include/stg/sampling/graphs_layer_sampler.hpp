// Layer-wise sampling of graphs of several kinds: so many draws of each set for all vertices of a hop together.
#pragma once

#include <stg/sampling/graphs_sampler.hpp>  // graphs_batch

#include <cstdint>      // int32_t, int64_t, uint64_t
#include <memory>       // shared_ptr
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg {

namespace detail {
struct layer_draws;
}  // namespace detail

/// How often vertices of a set are drawn in each hop.
struct set_draws {
  std::string set{};
  std::vector<std::int64_t> draws{};
};
template <NamedVertexSet Set> set_draws draws(Set, std::vector<std::int64_t> of_hops) {
  return {std::string(Set::name::view()), std::move(of_hops)};
}

struct graphs_layer_options {
  std::vector<std::int64_t> draws{};  ///< of each set that has none of its own; none: these are not drawn
  std::vector<set_draws> of{};        ///< of these
};

/// What `layer_sampler` does, by set: in each hop so many draws of each set, with replacement, among its vertices that
/// have an edge, of any relation, into those that the last hop reached, in proportion to q(u) = Σ P(u, v)² over these
/// edges; taken are the edges of those that came, of all relations. An edge's weight in `graphs_batch::weights` is
/// P(u, v) · times drawn / (draws · q(u) / Σ q), so that for each relation the sum of weighted rows has the mean
/// Σ P(u, v) x(u) over its in-edges. P is the edge's weight (`by_weight`); without weights 1 / in-degree in the
/// relation. Of graphs of one set and one relation it is the batch of `layer_sampler`. Zou et al., NeurIPS 2019
/// (LADIES), by the budgets of sets of Hu et al., WWW 2020, whose draws are without replacement and without such
/// weights.
///
/// Errors: graphs on a device; numbers of draws that are negative or from 2^31 on, draws of a set that is not there or
/// named twice, and of unequal numbers of hops; weights and seeds as at `graphs_sampler`.
///
///   const stg::graphs_layer_sampler sampler(g, {.draws = {512, 512}, .of = {stg::draws(author, {256, 0})}});
///   const stg::graphs_batch b = sampler.sample(paper, seeds, 7);
///   step(b.graph, share = b.weights(writes), words = …, params);          // sum(by(share) * by.src(h))
class graphs_layer_sampler : public detail::sampler_of_graphs {
 public:
  graphs_layer_sampler(const graphs& g, const graphs_layer_options& options);

  /// P of a relation's edges.
  template <NamedRelation Relation> graphs_layer_sampler by_weight(Relation, const edge_values<float>& weights) && {
    weigh(Relation::name::view(), weights);
    return std::move(*this);
  }

  template <NamedVertexSet Set>
  graphs_batch sample(Set, std::span<const std::int32_t> seeds, std::uint64_t number) const {
    graphs_batch b;
    sample_into(b, Set::name::view(), seeds, number);
    return b;
  }
  /// Samples into an existing batch's memory. After an error the batch is empty.
  template <NamedVertexSet Set>
  void sample_into(graphs_batch& to, Set, std::span<const std::int32_t> seeds, std::uint64_t number) const {
    sample_into(to, Set::name::view(), seeds, number);
  }
  void sample_into(graphs_batch& to, std::string_view set, std::span<const std::int32_t> seeds,
                   std::uint64_t number) const;

 private:
  void weigh(std::string_view relation, const edge_values<float>& weights);

  std::shared_ptr<detail::layer_draws> draws_;
};

}  // namespace stg
