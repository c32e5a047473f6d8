// A graph of edges that are in order already: in-edges copied, out-edges counted and put in place, without sorting.
#include "graph_state.hpp"    // state, identity_of_edge
#include "placed_by_row.hpp"  // place_by_row
#include "sorted_edges.hpp"   // build_rows

#include <stg/runtime/parallel.hpp>  // parallel_if_worth

#include <algorithm>  // max

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
  const std::uint64_t* const keys = edges.keys;
  std::int32_t* const neighbours = to.out_neighbours.data();
  std::int64_t* const ids = to.out_ids.data();
  place_by_row(
      vertices, edges.size, counts, to.out_offsets.data(), to.out_degrees.data(),
      [keys](std::int64_t e) { return source_of(keys[e]); },
      [keys, neighbours, ids](std::int64_t e, std::int64_t place) {
        neighbours[place] = destination_of(keys[e]);
        ids[place] = e;
      });
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
