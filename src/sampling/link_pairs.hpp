// Pairs of a batch of links, and the edges of a graph between two vertices.
#pragma once

#include <stg/runtime/graph.hpp>          // graph
#include <stg/sampling/link_sampler.hpp>  // link_options

#include <algorithm>  // equal_range, lower_bound, sort, unique
#include <cstdint>    // int32_t, int64_t, uint64_t
#include <span>       // span
#include <vector>     // vector

namespace stg::detail {

/// Pairs by the vertices of the large graph: edges, then for the first of them its negatives, and so on.
struct link_pairs {
  std::vector<std::int32_t> src{}, dst{};
};
/// Of some edges. Errors, which `by` begins: an id that is no edge, with its position, and those of
/// `negative_destinations`.
link_pairs pairs_of(const char* by, const graph& g, std::span<const std::int64_t> edges, const link_options& options,
                    std::uint64_t number);
/// Error for negative numbers of negatives.
void check_links(const char* by, const link_options& options);

/// Ids of all edges from one vertex to another: destinations of a row of out-edges ascend.
inline void append_edges_between(const graph& g, std::int32_t src, std::int32_t dst, std::vector<std::int64_t>& to) {
  const adjacency out = g.out_edges();
  const auto [first, last] = std::equal_range(out.neighbours() + out.begin(src), out.neighbours() + out.end(src), dst);
  for (const auto* k = first; k != last; ++k) to.push_back(out.edge_id(k - out.neighbours()));
}

/// Each once, ascending.
inline void sort_distinct(std::vector<std::int32_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}
/// Where each of some vertices stands among seeds, which ascend.
inline void number_among(const std::vector<std::int32_t>& seeds, const std::vector<std::int32_t>& vertices,
                         std::vector<std::int32_t>& to) {
  to.clear();
  for (const std::int32_t v : vertices)
    to.push_back(static_cast<std::int32_t>(std::lower_bound(seeds.begin(), seeds.end(), v) - seeds.begin()));
}

}  // namespace stg::detail
