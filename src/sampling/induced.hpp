// All edges among the vertices of a batch.
#pragma once

#include "batch_writer.hpp"  // batch_writer

namespace stg::detail {

/// Makes all vertices that are there seeds, and writes the edges of each whose source is there, too.
inline void write_induced(const adjacency& in, batch_writer& writer) {
  writer.make_all_seeds();
  const std::int64_t count = writer.to().seeds;
  for (std::int64_t local = 0; local < count; ++local) {
    const std::int32_t v = writer.to().vertices[static_cast<std::size_t>(local)];
    writer.reserve_edges(in.degree(v));
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k)
      if (const std::int32_t u = writer.find(in.neighbour(k)); u >= 0) writer.edge(u, k);
    writer.end_row();
  }
  writer.end_hop();
}

}  // namespace stg::detail
