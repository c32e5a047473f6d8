// Cutting rows where the next one would be too much.
#include <stg/base/error.hpp>           // error
#include <stg/sampling/row_blocks.hpp>  // row_blocks

#include <numeric>  // iota
#include <string>   // to_string

namespace stg {

row_blocks::row_blocks(const graph& g, const block_limit& limit) : all_(g, {.fan_outs = {all_neighbours}}) {
  if (limit.bytes < 1 || limit.vertex_bytes < 0 || limit.edge_bytes < 0)
    throw error("row_blocks: blocks of " + std::to_string(limit.bytes) + " bytes with " +
                std::to_string(limit.vertex_bytes) + " a vertex and " + std::to_string(limit.edge_bytes) +
                " an edge; give a limit above 0, and sizes of 0 or more");
  const adjacency in = all_.of().in_edges();
  // The block, counted from 1, that each vertex was last counted in: once as a row, or as a neighbour before.
  std::vector<std::int64_t> counted_in(static_cast<std::size_t>(in.rows()), 0);
  std::int64_t bytes = 0;
  const auto add = [&](std::int64_t v) {
    const auto block = static_cast<std::int64_t>(first_.size());
    std::int64_t more = in.degree(v) * limit.edge_bytes;
    const auto count = [&](std::int64_t u) {
      if (counted_in[static_cast<std::size_t>(u)] == block) return;
      counted_in[static_cast<std::size_t>(u)] = block;
      more += limit.vertex_bytes;
    };
    count(v);
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k) count(in.neighbour(k));
    return bytes += more;
  };
  for (std::int64_t v = 0; v < in.rows(); ++v) {
    if (add(v) <= limit.bytes) continue;
    if (first_.back() < v) {  // begins a block of its own
      first_.push_back(v);
      bytes = 0;
      if (add(v) <= limit.bytes) continue;
    }
    throw error("row_blocks: vertex " + std::to_string(v) + " takes " + std::to_string(bytes) + " bytes with its " +
                std::to_string(in.degree(v)) + " in-edges, and a block has " + std::to_string(limit.bytes) +
                "; give that many");
  }
  if (in.rows() > 0) first_.push_back(in.rows());
}

void row_blocks::block(std::int64_t block, batch& to) const {
  if (block < 0 || block >= count())
    throw error("row_blocks: no block " + std::to_string(block) + "; there are " + std::to_string(count()));
  std::vector<std::int32_t> rows(static_cast<std::size_t>(first_row(block + 1) - first_row(block)));
  std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(first_row(block)));
  all_.sample_into(to, rows, 0);
}

}  // namespace stg
