// The rows of one set of graphs of several kinds in blocks that fit into a number of bytes: for layers that are
// computed one after another.
#pragma once

#include <stg/sampling/graphs_sampler.hpp>  // graphs_batch, graphs_sampler

#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg {

/// Bytes of each vertex of a set, or of each edge of a relation.
struct bytes_by_name {
  std::string name{};
  std::int64_t bytes = 0;
};
template <NamedVertexSet Set> bytes_by_name vertex_bytes(Set, std::int64_t of_each) {
  return {std::string(Set::name::view()), of_each};
}
template <NamedRelation Relation> bytes_by_name edge_bytes(Relation, std::int64_t of_each) {
  return {std::string(Relation::name::view()), of_each};
}

/// What a block may take, and what it is counted by.
struct graphs_block_limit {
  std::int64_t bytes = std::int64_t{256} << 20;
  std::vector<bytes_by_name> vertex_bytes{};  ///< as `block_limit::vertex_bytes`, by set; 0 of those that are not named
  std::vector<bytes_by_name> edge_bytes{};    ///< as `block_limit::edge_bytes`, by relation; 28 of those not named
};

/// What `row_blocks` is, for the rows of one set: consecutive rows with all their in-edges of every relation that ends
/// in the set, as batches of one hop. A layer is computed for one set after another, and the next layer when all sets
/// have their rows; on a block it gives the seeds the values that it gives them on the whole graphs, up to the rounding
/// of dense products. All blocks together have every edge into the set once. Errors: those of `row_blocks`; sets and
/// relations that are not there, or named twice; and those of `graphs_sampler`.
///
///   const stg::graphs_row_blocks blocks(g, paper, {.bytes = 64 << 20, .vertex_bytes = {stg::vertex_bytes(paper, 512),
///                                                                                     stg::vertex_bytes(author,
///                                                                                     256)}});
///   stg::graphs_batch b;
///   for (std::int64_t i = 0; i < blocks.count(); ++i) {
///     blocks.block(i, b);
///     papers.rows(blocks.first_row(i), blocks.first_row(i + 1))
///         .assign(of_papers(b.blocks(), words = stg::gather(W, b.vertices(paper)), …, params));
///   }
class graphs_row_blocks {
 public:
  template <NamedVertexSet Set>
  graphs_row_blocks(const graphs& g, Set, const graphs_block_limit& limit)
      : graphs_row_blocks(g, Set::name::view(), limit) {}
  graphs_row_blocks(const graphs& g, std::string_view set, const graphs_block_limit& limit);

  std::int64_t count() const { return static_cast<std::int64_t>(first_.size()) - 1; }
  /// Row first_row(count()) is the number of vertices of the set. Error when there is no such block.
  std::int64_t first_row(std::int64_t block) const;
  /// Its rows, [first_row(block), first_row(block + 1)), as seeds. Error when there is no such block.
  void block(std::int64_t block, graphs_batch& to) const;

 private:
  graphs_sampler all_;
  std::string set_;
  std::vector<std::int64_t> first_{0};
};

}  // namespace stg
