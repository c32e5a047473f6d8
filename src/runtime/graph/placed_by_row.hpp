// Edges in the order of their rows, by counting: nothing is sorted, and threads place blocks of edges.
#pragma once

#include <stg/runtime/parallel.hpp>  // parallel_if_worth, threads

#include <algorithm>  // fill, max, min
#include <cstdint>    // int32_t, int64_t
#include <utility>    // exchange
#include <vector>     // vector

namespace stg::detail {

/// Calls put(e, place) for every edge e: edges of a row come one after another, in the order in which they are given,
/// and rows in ascending order. row_of(e): the row of an edge. offsets: (rows + 1), the first place of each row;
/// degrees: (rows). `counts` is memory that is used again: how many edges each of several blocks of edges has for every
/// row, then where its next one goes. Blocks follow one another within a row, so the order does not depend on how many
/// there are. What the two functions read and write they hold by value: stores could change what references reach.
/// Nothing is allocated once threads are at work.
template <class RowOf, class Put>
void place_by_row(std::int64_t rows, std::int64_t edges, std::vector<std::int64_t>& counts, std::int64_t* offsets,
                  std::int32_t* degrees, RowOf row_of, Put put) {
  constexpr std::int64_t least_edges = 1 << 15, nanoseconds_of_edge = 2;
  const std::int64_t most = std::max<std::int64_t>(1, edges / std::max(least_edges, rows));
  const std::int64_t blocks = std::min<std::int64_t>(threads(), most);
  counts.resize(static_cast<std::size_t>(blocks * rows));
  std::int64_t* const count_of = counts.data();
  const auto first_of = [&](std::int64_t block) { return edges * block / blocks; };
  parallel_if_worth(edges, blocks, [&](std::int64_t block) {
    std::int64_t* const count = count_of + block * rows;
    const RowOf row = row_of;
    const std::int64_t first = first_of(block), last = first_of(block + 1);
    std::fill(count, count + rows, 0);
    for (std::int64_t e = first; e < last; ++e) ++count[row(e)];
  });
  std::int64_t sum = 0;
  for (std::int64_t v = 0; v < rows; ++v) {
    const std::int64_t before = sum;
    offsets[v] = before;
    for (std::int64_t block = 0; block < blocks; ++block) sum += std::exchange(count_of[block * rows + v], sum);
    degrees[v] = static_cast<std::int32_t>(sum - before);
  }
  offsets[rows] = sum;
  parallel_if_worth(edges * nanoseconds_of_edge, blocks, [&](std::int64_t block) {
    std::int64_t* const next = count_of + block * rows;
    const RowOf row = row_of;
    const Put to = put;
    const std::int64_t first = first_of(block), last = first_of(block + 1);
    for (std::int64_t e = first; e < last; ++e) to(e, next[row(e)]++);
  });
}

}  // namespace stg::detail
