// A graph of edges that are in order already: in-edges copied, out-edges counted and put in place, without sorting.
#include "graph_state.hpp"   // state, identity_of_edge
#include "sorted_edges.hpp"  // build_rows

#include <stg/runtime/parallel.hpp>  // parallel_if_worth, threads

#include <algorithm>  // fill, max, min
#include <utility>    // exchange

namespace stg::detail {

namespace {

std::size_t to_size(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Calls body(part, first_row, last_row, first_edge) for parts of all rows with about as many edges each.
template <class Body>
void over_rows(std::int64_t vertices, edge_span edges, std::int64_t picoseconds_of_edge, const Body& body) {
  constexpr std::int64_t edges_of_part = 1 << 14;
  const std::int64_t parts = std::max<std::int64_t>(1, (edges.size + vertices) / edges_of_part);
  const auto first_row = [&](std::int64_t part) { return vertices * part / parts; };
  parallel_if_worth((edges.size + vertices) * picoseconds_of_edge / 1000, parts, [&](std::int64_t part) {
    const std::int64_t first = first_row(part);
    body(part, first, first_row(part + 1), edges.before(edge_key(0, first)));
  });
}

/// Writes out-edges: how many each of several blocks of edges has for every source, where in the rows its first goes,
/// and then each edge. Blocks follow one another within a row, so the order is that of ids however many there are.
/// What loops read and write is named before them: stores could change what is reached through references.
void place_out_edges(std::int64_t vertices, edge_span edges, std::vector<std::int64_t>& counts, graph::state& to) {
  constexpr std::int64_t least_edges = 1 << 15, nanoseconds_of_edge = 2;
  const std::int64_t most = std::max<std::int64_t>(1, edges.size / std::max(least_edges, vertices));
  const std::int64_t blocks = std::min<std::int64_t>(threads(), most);
  counts.resize(to_size(blocks * vertices));
  std::int64_t* const count_of = counts.data();
  const auto first_of = [&](std::int64_t block) { return edges.size * block / blocks; };
  parallel_if_worth(edges.size, blocks, [&](std::int64_t block) {
    std::int64_t* const count = count_of + block * vertices;
    const std::uint64_t* const keys = edges.keys;
    const std::int64_t first = first_of(block), last = first_of(block + 1);
    std::fill(count, count + vertices, 0);
    for (std::int64_t e = first; e < last; ++e) ++count[source_of(keys[e])];
  });
  std::int64_t* const offsets = to.out_offsets.data();
  std::int32_t* const degrees = to.out_degrees.data();
  std::int64_t sum = 0;
  for (std::int64_t v = 0; v < vertices; ++v) {
    const std::int64_t before = sum;
    offsets[v] = before;
    for (std::int64_t block = 0; block < blocks; ++block) {
      std::int64_t& count = count_of[block * vertices + v];
      sum += std::exchange(count, sum);
    }
    degrees[v] = static_cast<std::int32_t>(sum - before);
  }
  offsets[vertices] = sum;
  parallel_if_worth(edges.size * nanoseconds_of_edge, blocks, [&](std::int64_t block) {
    std::int64_t* const next = count_of + block * vertices;
    std::int32_t* const neighbours = to.out_neighbours.data();
    std::int64_t* const ids = to.out_ids.data();
    const std::uint64_t* const keys = edges.keys;
    const std::int64_t first = first_of(block), last = first_of(block + 1);
    for (std::int64_t e = first; e < last; ++e) {
      const std::int64_t place = next[source_of(keys[e])]++;
      neighbours[place] = destination_of(keys[e]);
      ids[place] = e;
    }
  });
}

}  // namespace

void build_rows(std::int64_t vertices, edge_span edges, std::int64_t most_edges, std::vector<std::int64_t>& counts,
                graph::state& to) {
  to.resize(vertices, edges.size, most_edges);
  to.in_offsets[to_size(vertices)] = edges.size;
  over_rows(vertices, edges, 1500, [&](std::int64_t, std::int64_t first, std::int64_t last, std::int64_t e) {
    std::int64_t* const offsets = to.in_offsets.data();
    std::int32_t *const neighbours = to.in_neighbours.data(), *const degrees = to.in_degrees.data();
    const edge_span all = edges;
    for (std::int64_t v = first; v < last; ++v) {
      const std::int64_t begin = e;
      offsets[v] = begin;
      for (; e < all.size && destination_of(all.keys[e]) == v; ++e) neighbours[e] = source_of(all.keys[e]);
      degrees[v] = static_cast<std::int32_t>(e - begin);
    }
  });
  place_out_edges(vertices, edges, counts, to);
  to.finish();
}

std::uint64_t identity_of(std::int64_t vertices, edge_span edges) {
  std::vector<std::uint64_t> sums(to_size(std::max<std::int64_t>(1, (edges.size + vertices) >> 14)));
  over_rows(vertices, edges, 3000, [&](std::int64_t part, std::int64_t first, std::int64_t last, std::int64_t e) {
    std::uint64_t sum = 0;
    for (std::int64_t v = first; v < last; ++v) {
      for (; e < edges.size && destination_of(edges.keys[e]) == v; ++e)
        sum += identity_of_edge(e, source_of(edges.keys[e]));
      sum += identity_of_row_end(v, e);
    }
    sums[to_size(part)] = sum;
  });
  std::uint64_t sum = identity_of_rows(vertices);
  for (const std::uint64_t s : sums) sum += s;
  return identity_of_sum(sum);
}

edge_identity identity_of_steps(std::span<const std::uint64_t> identities) {
  std::uint64_t sum = identity_of_rows(static_cast<std::int64_t>(identities.size()));
  for (std::size_t t = 0; t < identities.size(); ++t)
    sum += identity_term(2, static_cast<std::int64_t>(t), static_cast<std::int64_t>(identities[t]));
  return static_cast<edge_identity>(identity_of_sum(sum));
}

}  // namespace stg::detail
