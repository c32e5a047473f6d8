// A graph in blocks of rows that fit into a number of bytes: for layers computed one after the other.
#pragma once

#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler

#include <cstdint>  // int64_t
#include <vector>   // vector

namespace stg {

/// The limit of a block, and its measure.
struct block_limit {
  std::int64_t bytes = std::int64_t{256} << 20;
  std::int64_t vertex_bytes = 0;  ///< of each vertex of a block: its rows of inputs and of what the layer makes
  std::int64_t edge_bytes = 28;   ///< of each edge: 28 for the block itself, and what it is bound to
};

/// Consecutive rows with all their in-edges, as batches of one hop: a layer that looks one hop far gives the seeds of a
/// block the same values as on the whole graph, up to the rounding of dense products, whose rows are grouped
/// differently. A block has as many rows as fit; vertices shared by several rows count once. All blocks together have
/// every edge once. Errors: a limit that is not above 0, sizes that are negative or, of all vertices and edges, 2^63
/// bytes and more, and a vertex whose in-edges alone do not fit, with their bytes.
///
///   const stg::row_blocks blocks(graph, {.bytes = 64 << 20, .vertex_bytes = 4 * (128 + 64)});
///   stg::batch b;
///   for (std::int64_t i = 0; i < blocks.count(); ++i) {
///     blocks.block(i, b);
///     const auto y = layer(b.graph, h = stg::gather(H, b.vertices), W = params[W]);
///     out.rows(blocks.first_row(i), blocks.first_row(i + 1)).assign(y.rows(0, b.seeds));
///   }
class row_blocks {
 public:
  row_blocks(const graph& g, const block_limit& limit);

  std::int64_t count() const { return static_cast<std::int64_t>(first_.size()) - 1; }
  /// Row first_row(count()) is the number of vertices. Error when there is no such block.
  std::int64_t first_row(std::int64_t block) const;
  /// Its rows, [first_row(block), first_row(block + 1)), as seeds. Error when there is no such block.
  void block(std::int64_t block, batch& to) const;

 private:
  neighbour_sampler all_;
  std::vector<std::int64_t> first_{0};
};

}  // namespace stg
