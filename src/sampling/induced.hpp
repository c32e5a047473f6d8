// All edges among the vertices of a batch.
#pragma once

#include "batch_writer.hpp"  // batch_writer

#include <stg/runtime/adjacency.hpp>  // adjacency

namespace stg::detail {

/// The same graph. Error for one of several kinds of vertices.
const graph& of_one_kind(const graph& g);

/// Makes all vertices that are there seeds, and writes the edges of each whose source is there, too.
inline void write_induced(batch_writer& writer) {
  const adjacency in = writer.kinds().relations()[0].edges.in_edges();
  const written_set& there = writer.set();
  sampled_rows& rows = writer.relation().rows;
  const std::int64_t count = writer.make_all_seeds();
  for (std::int64_t local = 0; local < count; ++local) {
    const std::int32_t v = there.vertices[at(local)];
    rows.reserve(in.degree(v));
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k)
      if (const std::int32_t u = there.numbers.find(in.neighbour(k)); u >= 0) rows.add(u, k);
    rows.end_row();
  }
  writer.end_hop();
}

}  // namespace stg::detail
