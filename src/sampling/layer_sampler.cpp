// Candidates of a layer, counted once each, drawn by their sums of squares, and the edges of those that came.
#include "batch_writer.hpp"  // batch_writer
#include "draws.hpp"         // draws
#include "edge_weights.hpp"  // checked_weights

#include <stg/base/error.hpp>              // error
#include <stg/sampling/layer_sampler.hpp>  // layer_sampler

#include <algorithm>  // min, upper_bound
#include <cmath>      // nextafter
#include <string>     // to_string

namespace stg {

layer_sampler::layer_sampler(const graph& g, std::vector<std::int64_t> draws) : sampler(g), draws_(std::move(draws)) {
  for (std::size_t h = 0; h < draws_.size(); ++h)
    if (draws_[h] < 0)
      throw error("layer_sampler: " + std::to_string(draws_[h]) + " draws in hop " + std::to_string(h + 1) +
                  "; give 0 or more");
}

layer_sampler::layer_sampler(const graph& g, std::vector<std::int64_t> draws, const edge_values<float>& weights)
    : layer_sampler(g, std::move(draws)) {
  weights_ = detail::checked_weights("layer_sampler", of(), weights);
}

void layer_sampler::draw(detail::batch_writer& writer, std::span<const std::int32_t> seeds,
                         std::uint64_t number) const {
  writer.begin(seeds);
  for (std::size_t h = 0; h < draws_.size(); ++h) draw_hop(writer, draws_[h], static_cast<std::uint32_t>(h), number);
}

void layer_sampler::draw_hop(detail::batch_writer& writer, std::int64_t count, std::uint32_t hop,
                             std::uint64_t number) const {
  const adjacency in = of().in_edges();
  detail::batch_scratch& s = writer.scratch();
  const auto& offsets = writer.to().vertex_offsets;
  const std::int64_t first = *(offsets.end() - 2), last = offsets.back();
  const auto weight = [&](std::int64_t v, std::int64_t k) {
    return weights_.empty() ? 1.0 / static_cast<double>(in.degree(v))
                            : static_cast<double>(weights_[static_cast<std::size_t>(k)]);
  };
  const auto each_edge = [&](std::int64_t local, const auto& body) {
    const std::int32_t v = writer.to().vertices[static_cast<std::size_t>(local)];
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k) body(in.neighbour(k), k, weight(v, k));
  };

  // Candidates in the order in which they are met, and their sums of squares.
  s.start_candidates(of().vertices());
  s.sums.clear();
  for (std::int64_t local = first; local < last; ++local)
    each_edge(local, [&](std::int32_t u, std::int64_t, double p) {
      const auto c = static_cast<std::size_t>(s.candidate(u));
      if (c == s.sums.size()) s.sums.push_back(0);
      s.sums[c] += p * p;
    });
  double total = 0;
  for (double& q : s.sums) q = total += q;
  s.counts.assign(s.sums.size(), 0);
  detail::draws random(number, detail::purpose::layer, hop, 0);
  for (std::int64_t i = 0; i < count && total > 0; ++i) {
    const double share = std::min(random.uniform() * total, std::nextafter(total, 0.0));
    ++s.counts[static_cast<std::size_t>(std::upper_bound(s.sums.begin(), s.sums.end(), share) - s.sums.begin())];
  }

  for (std::int64_t local = first; local < last; ++local) {
    writer.reserve_edges(in.degree(writer.to().vertices[static_cast<std::size_t>(local)]));
    each_edge(local, [&](std::int32_t u, std::int64_t k, double p) {
      const auto c = static_cast<std::size_t>(s.candidate(u));
      if (s.counts[c] == 0 || p == 0) return;
      const double q = s.sums[c] - (c == 0 ? 0 : s.sums[c - 1]);
      writer.edge(writer.local_of(u), k);
      writer.to().edge_weights.push_back(
          static_cast<float>(p * s.counts[c] * total / (static_cast<double>(count) * q)));
    });
    writer.end_row();
  }
  writer.end_hop();
}

}  // namespace stg
