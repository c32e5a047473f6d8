// Seeds and hops of a batch.
#include "batch_writer.hpp"  // batch_writer

#include <stg/base/error.hpp>  // error

#include <string>  // to_string

namespace stg::detail {

batch_writer::batch_writer(batch& to, batch_scratch& scratch, const graph& large)
    : to_(to),
      scratch_(scratch),
      large_vertices_(large.vertices()),
      numbers_(scratch.marks, large_vertices_, to.vertices) {
  to.vertices.clear(), to.vertex_offsets.clear(), to.edge_offsets.clear();
  to.edge_weights.clear(), to.roots.clear(), to.earlier_degrees.clear();
  scratch.excluded.clear();
  to.pair_src.clear(), to.pair_dst.clear();
  to.seeds = to.true_pairs = 0;
  to.large = large;
  to.graph = graph();
  blocks::let_go(to.memory_of_blocks);
  rows_ = {state_for(to.memory, 1), to.edges};
}

void batch_writer::start(std::span<const std::int32_t> seeds) {
  to_.seeds = static_cast<std::int64_t>(seeds.size());
  to_.vertex_offsets.push_back(0);
  to_.edge_offsets.push_back(0);
  for (std::size_t i = 0; i < seeds.size(); ++i)
    if (seeds[i] < 0 || seeds[i] >= large_vertices_)
      throw error("seed " + std::to_string(i) + " is vertex " + std::to_string(seeds[i]) + "; it must be in [0, " +
                  std::to_string(large_vertices_) + ")");
}

void batch_writer::begin(std::span<const std::int32_t> seeds) {
  start(seeds);
  for (std::size_t i = 0; i < seeds.size(); ++i)
    if (const std::int32_t local = local_of(seeds[i]); local != static_cast<std::int32_t>(i))
      throw error("seeds " + std::to_string(local) + " and " + std::to_string(i) + " are both vertex " +
                  std::to_string(seeds[i]) + "; give each vertex once");
  to_.vertex_offsets.push_back(to_.seeds);
}

void batch_writer::begin_apart(std::span<const std::int32_t> seeds) {
  start(seeds);
  for (const std::int32_t seed : seeds) add(seed);
  to_.vertex_offsets.push_back(to_.seeds);
}

void batch_writer::end_hop() {
  to_.vertex_offsets.push_back(static_cast<std::int64_t>(to_.vertices.size()));
  to_.edge_offsets.push_back(rows_.edges());
}

void batch_writer::make_all_seeds() {
  to_.seeds = static_cast<std::int64_t>(to_.vertices.size());
  to_.vertex_offsets.assign({0, to_.seeds});
}

void batch_writer::finish() {
  const std::int64_t looked_into = *(to_.vertex_offsets.end() - 2);
  rows_.finish(to_.vertices, to_.vertices, {looked_into, to_.large.in_degrees(), to_.earlier_degrees});
  to_.graph = graph_access::of(to_.memory);
}

}  // namespace stg::detail
