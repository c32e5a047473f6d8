// Layer-wise sampling: so many draws for all vertices of a hop together.
#pragma once

#include <stg/sampling/sampler.hpp>  // sampler

#include <cstdint>  // int64_t
#include <memory>   // shared_ptr
#include <vector>   // vector

namespace stg {

namespace detail {
struct layer_draws;
}  // namespace detail

/// Each hop draws so many of the in-neighbours of the last hop's vertices, with replacement, in proportion to
/// q(u) = Σ P(u, v)² over the edges into them, and takes the edges of the drawn ones. An edge's weight in
/// `batch::edge_weights` is P(u, v) · times drawn / (draws · q(u) / Σ q), so that over all numbers the sum of weighted
/// rows has the mean Σ P(u, v) x(u), the sum over all in-edges. P is the edge's weight; without weights 1 / in-degree,
/// of which that sum is the mean of the neighbours. Zou et al., NeurIPS 2019 (LADIES), whose layers are blocks of their
/// own; here a vertex keeps the edges of the hop that first looks into it.
///
/// Errors: a hop of a negative number of draws or of 2^31 and more, and weights as at `neighbour_sampler`.
///
///   const stg::layer_sampler sampler(graph, {512, 512});
///   const stg::batch b = sampler.sample(seeds, 7);
///   step(b.graph, x = X, w = b.weights(), params);          // sum(e(w) * e.src(h))
class layer_sampler final : public sampler {
 public:
  /// draws: of hop 1, hop 2, and so on.
  layer_sampler(const graph& g, std::vector<std::int64_t> draws);
  layer_sampler(const graph& g, std::vector<std::int64_t> draws, const edge_values<float>& weights);
  layer_sampler(layer_sampler&&) noexcept = default;

 private:
  void draw(detail::batch_writer& to, std::span<const std::int32_t> seeds, std::uint64_t number) const override;

  std::shared_ptr<detail::layer_draws> draws_;
};

}  // namespace stg
