// The ends of pairs as seeds, and the edges between them that a model must not see.
#include "batch_writer.hpp"  // at

#include <stg/base/error.hpp>             // error
#include <stg/sampling/link_sampler.hpp>  // link_sampler

#include <algorithm>  // equal_range, fill, lower_bound, sort, unique
#include <string>     // to_string

namespace stg {

namespace {

using detail::at;

/// Ids of all edges from one vertex to another: destinations of a row of out-edges ascend.
void append_edges_between(const graph& g, std::int32_t src, std::int32_t dst, std::vector<std::int64_t>& to) {
  const adjacency out = g.out_edges();
  const auto [first, last] = std::equal_range(out.neighbours() + out.begin(src), out.neighbours() + out.end(src), dst);
  for (const auto* k = first; k != last; ++k) to.push_back(out.edge_id(k - out.neighbours()));
}

}  // namespace

link_sampler::link_sampler(neighbour_sampler from, const link_options& options)
    : from_(std::move(from)), options_(options) {
  if (options.negatives < 0)
    throw error("link_sampler: " + std::to_string(options.negatives) + " negatives for each edge; give 0 or more");
}

/// The row that an edge lies in.
std::int32_t link_sampler::destination(std::int64_t edge) const {
  const adjacency in = of().in_edges();
  std::int64_t low = 0, high = in.rows() - 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (in.end(middle) <= edge) low = middle + 1;
    else high = middle;
  }
  return static_cast<std::int32_t>(low);
}

void link_sampler::sample_into(batch& to, std::span<const std::int64_t> edges, std::uint64_t number) const {
  const graph& g = of();
  std::vector<std::int32_t> src, dst;
  std::vector<std::int64_t> hidden;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i] < 0 || edges[i] >= g.edges())
      throw error("link_sampler: edge " + std::to_string(i) + " is " + std::to_string(edges[i]) +
                  "; it must be in [0, " + std::to_string(g.edges()) + ")");
    src.push_back(g.in_edges().neighbour(edges[i]));
    dst.push_back(destination(edges[i]));
    if (options_.leave_out_edges) append_edges_between(g, src.back(), dst.back(), hidden);
    if (options_.leave_out_reverse) append_edges_between(g, dst.back(), src.back(), hidden);
  }
  const auto wrong = negative_destinations(g, src, options_.negatives, number, options_.which);
  src.reserve(src.size() + wrong.size());
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::int64_t k = 0; k < options_.negatives; ++k) src.push_back(src[i]);
  dst.insert(dst.end(), wrong.begin(), wrong.end());

  std::vector<std::int32_t> seeds(src);
  seeds.insert(seeds.end(), dst.begin(), dst.end());
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  from_.sample_without(to, seeds, number, hidden);
  const auto number_of = [&](std::int32_t v) {
    return static_cast<std::int32_t>(std::lower_bound(seeds.begin(), seeds.end(), v) - seeds.begin());
  };
  to.true_pairs = static_cast<std::int64_t>(edges.size());
  for (const std::int32_t v : src) to.pair_src.push_back(number_of(v));
  for (const std::int32_t v : dst) to.pair_dst.push_back(number_of(v));
}

void link_sampler::sample_into(batch& to, std::span<const std::int32_t> edges, std::uint64_t number) const {
  const std::vector<std::int64_t> wide(edges.begin(), edges.end());
  sample_into(to, std::span<const std::int64_t>(wide), number);
}

batch link_sampler::sample(std::span<const std::int64_t> edges, std::uint64_t number) const {
  batch b;
  sample_into(b, edges, number);
  return b;
}

graph batch::pairs() const { return stg::graph::from_edges(graph.vertices(), pair_src, pair_dst); }

edge_values<float> batch::pair_targets(const stg::graph& of_pairs) const {
  tensor<float> targets({static_cast<std::int64_t>(pair_src.size())});
  std::fill(targets.begin(), targets.begin() + true_pairs, 1.0f);
  return of_pairs.edge_values(targets);
}

}  // namespace stg
