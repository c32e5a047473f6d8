// Candidates of a layer, counted once each, drawn by their sums of squares, and the edges of those that came.
#include "batch_writer.hpp"  // batch_writer
#include "edge_weights.hpp"  // checked_weights
#include "layer_draws.hpp"   // check_draws, layer_draws

#include <stg/runtime/out_of_memory.hpp>   // no_memory
#include <stg/sampling/layer_sampler.hpp>  // layer_sampler

namespace stg {

layer_sampler::layer_sampler(const graph& g, std::vector<std::int64_t> draws) try
    : sampler(g), draws_(std::move(draws)) {
  detail::check_draws("layer_sampler", draws_);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

layer_sampler::layer_sampler(const graph& g, std::vector<std::int64_t> draws, const edge_values<float>& weights) try
    : layer_sampler(g, std::move(draws)) {
  weights_ = detail::checked_weights("layer_sampler", of(), weights);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void layer_sampler::draw(detail::batch_writer& writer, std::span<const std::int32_t> seeds,
                         std::uint64_t number) const {
  writer.begin(seeds);
  for (std::size_t h = 0; h < draws_.size(); ++h) draw_hop(writer, draws_[h], static_cast<std::uint32_t>(h), number);
}

void layer_sampler::draw_hop(detail::batch_writer& writer, std::int64_t count, std::uint32_t hop,
                             std::uint64_t number) const {
  const adjacency in = of().in_edges();
  const auto& offsets = writer.to().vertex_offsets;
  const std::int64_t first = *(offsets.end() - 2), last = offsets.back();
  const auto each_edge = [&](std::int64_t local, const auto& body) {
    const std::int32_t v = writer.to().vertices[detail::at(local)];
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k)
      body(in.neighbour(k), k, detail::share_of_edge(in, weights_, v, k));
  };

  detail::layer_draws layer(writer.scratch(), of().vertices());
  for (std::int64_t local = first; local < last; ++local)
    each_edge(local, [&](std::int32_t u, std::int64_t, double p) { layer.add(u, p); });
  detail::draws random(number, detail::purpose::layer, hop, 0);
  layer.draw(random, count);
  for (std::int64_t local = first; local < last; ++local) {
    writer.reserve_edges(in.degree(writer.to().vertices[detail::at(local)]));
    each_edge(local, [&](std::int32_t u, std::int64_t k, double p) {
      const double w = layer.weight(u, p);
      if (w == 0) return;
      writer.edge(writer.local_of(u), k);
      writer.to().edge_weights.push_back(static_cast<float>(w));
    });
    writer.end_row();
  }
  writer.end_hop();
}

}  // namespace stg
