// Merged edges with their new places, and graphs of rows that are sorted already.
#include <stg/base/error.hpp>             // error
#include <stg/runtime/graph.hpp>          // graph
#include <stg/runtime/merged_edges.hpp>   // merged_into
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // lower_bound
#include <string>     // to_string

namespace stg {

std::vector<std::int64_t> detail::merged_into(const graph& from, const graph& to, bool both_ways) try {
  const edge_list list = from.edge_list(), merged = to.edge_list();
  // Edges of a source lie together in the list of `to`, by destination.
  std::vector<std::int64_t> begin(static_cast<std::size_t>(to.sources()) + 1);
  for (const std::int32_t u : merged.src) ++begin[static_cast<std::size_t>(u) + 1];
  for (std::size_t u = 1; u < begin.size(); ++u) begin[u] += begin[u - 1];
  std::vector<std::int64_t> places;
  places.reserve(list.src.size() * (both_ways ? 2 : 1));
  const auto add = [&](std::int32_t u, std::int32_t v) {
    const auto row = static_cast<std::size_t>(u);
    const auto at = std::lower_bound(merged.dst.begin() + begin[row], merged.dst.begin() + begin[row + 1], v);
    places.push_back(at - merged.dst.begin());
  };
  for (std::size_t e = 0; e < list.src.size(); ++e) add(list.src[e], list.dst[e]);
  for (std::size_t e = 0; both_ways && e < list.src.size(); ++e) add(list.dst[e], list.src[e]);
  return places;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

namespace {

template <class Offset, class Column>
graph from_rows(std::span<const Offset> offsets, std::span<const Column> columns) {
  if (offsets.empty()) throw error("graph rows have no offsets; give one more than vertices");
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1, edges = static_cast<std::int64_t>(columns.size());
  std::vector<Column> src(columns.size());
  std::int64_t before = 0;
  for (std::int64_t v = 0; v <= rows; ++v) {
    const auto end = static_cast<std::int64_t>(offsets[static_cast<std::size_t>(v)]);
    const bool is_wrong = (v == 0 && end != 0) || (v == rows && end != edges) || end < before || end > edges;
    if (is_wrong)
      throw error("graph row offset " + std::to_string(v) + " is " + std::to_string(end) +
                  "; it must ascend from 0 to the number of edges, " + std::to_string(edges));
    for (std::int64_t e = before; e < end; ++e) {
      const auto at = static_cast<std::size_t>(e);
      if (e > before && columns[at] < columns[at - 1])
        throw error("graph row " + std::to_string(v - 1) + " has neighbour " + std::to_string(columns[at]) +
                    " behind " + std::to_string(columns[at - 1]) + "; sort each row, or use from_edges");
      src[at] = static_cast<Column>(v - 1);
    }
    before = end;
  }
  return graph::from_edges(rows, std::span<const Column>(src), columns);
}

}  // namespace

graph graph::from_csr(std::span<const std::int64_t> offsets, std::span<const std::int32_t> neighbours) try {
  return from_rows(offsets, neighbours);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
graph graph::from_csr(std::span<const std::int32_t> offsets, std::span<const std::int32_t> neighbours) try {
  return from_rows(offsets, neighbours);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
graph graph::from_csr(std::span<const std::int64_t> offsets, std::span<const std::int64_t> neighbours) try {
  return from_rows(offsets, neighbours);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
