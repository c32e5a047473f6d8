// The ends of pairs as seeds, and the edges between them that a model must not see.
#include "batch_writer.hpp"  // targets_of_pairs
#include "link_pairs.hpp"    // append_edges_between, pairs_of

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/link_sampler.hpp>  // link_sampler

#include <algorithm>  // fill
#include <string>     // to_string

namespace stg {

namespace {

/// The row that an edge lies in.
std::int32_t destination_of(const graph& g, std::int64_t edge) {
  const adjacency in = g.in_edges();
  std::int64_t low = 0, high = in.rows() - 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (in.end(middle) <= edge) low = middle + 1;
    else high = middle;
  }
  return static_cast<std::int32_t>(low);
}

}  // namespace

namespace detail {

void check_links(const char* by, const link_options& options) {
  if (options.negatives < 0)
    throw error(std::string(by) + ": " + std::to_string(options.negatives) +
                " negatives for each edge; give 0 or more");
}

link_pairs pairs_of(const char* by, const graph& g, std::span<const std::int64_t> edges, const link_options& options,
                    std::uint64_t number) {
  link_pairs pairs;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i] < 0 || edges[i] >= g.edges())
      throw error(std::string(by) + ": edge " + std::to_string(i) + " is " + std::to_string(edges[i]) +
                  "; it must be in [0, " + std::to_string(g.edges()) + ")");
    pairs.src.push_back(g.in_edges().neighbour(edges[i]));
    pairs.dst.push_back(destination_of(g, edges[i]));
  }
  const auto wrong = negative_destinations(g, pairs.src, options.negatives, number, options.which);
  pairs.src.reserve(edges.size() + wrong.size());
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::int64_t k = 0; k < options.negatives; ++k) pairs.src.push_back(pairs.src[i]);
  pairs.dst.insert(pairs.dst.end(), wrong.begin(), wrong.end());
  return pairs;
}

}  // namespace detail

link_sampler::link_sampler(neighbour_sampler from, const link_options& options)
    : from_(std::move(from)), options_(options) {
  detail::check_links("link_sampler", options);
}

void link_sampler::sample_into(batch& to, std::span<const std::int64_t> edges, std::uint64_t number) const try {
  const graph& g = of();
  const detail::link_pairs pairs = detail::pairs_of("link_sampler", g, edges, options_, number);
  std::vector<std::int64_t> hidden;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (options_.leave_out_edges) detail::append_edges_between(g, pairs.src[i], pairs.dst[i], hidden);
    if (options_.leave_out_reverse) detail::append_edges_between(g, pairs.dst[i], pairs.src[i], hidden);
  }
  std::vector<std::int32_t> seeds(pairs.src);
  seeds.insert(seeds.end(), pairs.dst.begin(), pairs.dst.end());
  detail::sort_distinct(seeds);
  from_.sample_without(to, seeds, number, hidden);
  to.true_pairs = static_cast<std::int64_t>(edges.size());
  detail::number_among(seeds, pairs.src, to.pair_src);
  detail::number_among(seeds, pairs.dst, to.pair_dst);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void link_sampler::sample_into(batch& to, std::span<const std::int32_t> edges, std::uint64_t number) const try {
  const std::vector<std::int64_t> wide(edges.begin(), edges.end());
  sample_into(to, std::span<const std::int64_t>(wide), number);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

batch link_sampler::sample(std::span<const std::int64_t> edges, std::uint64_t number) const {
  batch b;
  sample_into(b, edges, number);
  return b;
}

graph batch::pairs() const { return stg::graph::from_edges(graph.vertices(), pair_src, pair_dst); }
graph batch::seed_pairs() const { return stg::graph::from_edges(seeds, pair_src, pair_dst); }

edge_values<float> batch::pair_targets(const stg::graph& of_pairs) const {
  return of_pairs.edge_values(detail::targets_of_pairs(true_pairs, pair_src.size()));
}

}  // namespace stg
