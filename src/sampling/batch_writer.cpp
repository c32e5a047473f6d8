// Numbering the vertices of a batch, and making its graph without sorting: rows come in order, columns are counted.
#include "batch_writer.hpp"  // batch_writer

#include <stg/base/error.hpp>  // error

#include <algorithm>  // copy, fill
#include <atomic>     // atomic_thread_fence
#include <string>     // to_string

namespace stg::detail {

namespace {

/// Memory for a graph: that of the last one, where nobody else holds it.
graph::state& state_for(batch& b) {
  b.graph = graph();
  if (b.memory && b.memory.use_count() == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);  // its last reader is done
    b.memory->identity.store(0, std::memory_order_relaxed);
  } else {
    b.memory = std::make_shared<graph::state>();
  }
  return *b.memory;
}

}  // namespace

batch_writer::batch_writer(batch& to, batch_scratch& scratch, const graph& large)
    : to_(to), scratch_(scratch), large_vertices_(large.vertices()) {
  if (scratch.marks.size() != at(large_vertices_)) scratch.marks.assign(at(large_vertices_), {});
  if (++scratch.round == 0) {  // after 2^32 batches marks of the first would come up again
    scratch.marks.assign(at(large_vertices_), {});
    scratch.round = 1;
  }
  marks_ = scratch.marks.data();
  round_ = scratch.round;
  to.vertices.clear(), to.edges.clear(), to.vertex_offsets.clear(), to.edge_offsets.clear();
  to.edge_weights.clear(), to.roots.clear();
  scratch.excluded.clear();
  to.pair_src.clear(), to.pair_dst.clear();
  to.seeds = to.true_pairs = 0;
  to.large = large;
  state_ = &state_for(to);
  state_->in_offsets.assign(1, 0);
  state_->in_neighbours.clear();
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
  to_.edge_offsets.push_back(edges_);
}

void batch_writer::make_all_seeds() {
  to_.seeds = static_cast<std::int64_t>(to_.vertices.size());
  to_.vertex_offsets.assign({0, to_.seeds});
}

void batch_writer::reserve_edges(std::int64_t count) {
  grow(state_->in_neighbours, edges_ + count);
  grow(to_.edges, edges_ + count);
  sources_ = state_->in_neighbours.data();
  ids_ = to_.edges.data();
  block_ = edges_;
}

void batch_writer::reach(const std::int32_t* neighbours, const std::int64_t* ids, std::int64_t count) {
  auto next = static_cast<std::int64_t>(to_.vertices.size());
  grow(to_.vertices, next + count + 1);  // one more is written than is there
  std::int32_t* const vertices = to_.vertices.data();
  std::int32_t* const sources = sources_ + edges_;
  batch_scratch::mark* const marks = marks_;
  const std::uint32_t round = round_;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t u = neighbours[i];
    const batch_scratch::mark m = marks[u];
    const bool is_there = m.round == round;
    const std::int32_t local = is_there ? m.local : static_cast<std::int32_t>(next);
    vertices[next] = u;
    next += !is_there;
    marks[u] = {round, local};
    sources[i] = local;
  }
  std::copy(ids, ids + count, ids_ + edges_);
  edges_ += count;
  to_.vertices.resize(at(next));
}

/// Rows of a source hold destinations in the order of edge ids, which ascend with the destination.
void batch_writer::write_out_edges() {
  graph::state& s = *state_;
  const std::int64_t vertices = s.destinations, edges = s.edges;
  std::int64_t* const next = s.out_offsets.data();
  std::int32_t *const neighbours = s.out_neighbours.data(), *const degrees = s.out_degrees.data();
  std::int64_t* const ids = s.out_ids.data();
  const std::int32_t* const sources = s.in_neighbours.data();
  std::fill(degrees, degrees + vertices, 0);
  for (std::int64_t e = 0; e < edges; ++e) ++degrees[sources[e]];
  std::int64_t sum = 0;
  for (std::int64_t v = 0; v < vertices; ++v) {
    next[v] = sum;
    sum += degrees[v];
  }
  for (std::int64_t v = 0; v < vertices; ++v)
    for (std::int64_t e = s.in_offsets[at(v)]; e < s.in_offsets[at(v + 1)]; ++e) {
      const std::int64_t place = next[sources[e]]++;
      neighbours[place] = static_cast<std::int32_t>(v);
      ids[place] = e;
    }
  for (std::int64_t v = vertices; v > 0; --v) next[v] = next[v - 1];  // each begins where the one before it ended
  next[0] = 0;
}

void batch_writer::finish() {
  graph::state& s = *state_;
  const auto vertices = static_cast<std::int64_t>(to_.vertices.size());
  s.sources = s.destinations = vertices;
  s.edges = edges_;
  s.in_neighbours.resize(at(edges_)), to_.edges.resize(at(edges_));
  const std::int64_t rows = static_cast<std::int64_t>(s.in_offsets.size()) - 1;
  grow(s.in_offsets, vertices + 1);
  std::fill(s.in_offsets.begin() + rows + 1, s.in_offsets.end(), edges_);
  grow(s.out_offsets, vertices + 1);
  grow(s.in_degrees, vertices), grow(s.out_degrees, vertices);
  grow(s.out_neighbours, edges_), grow(s.out_ids, edges_);
  for (std::int64_t v = 0; v < vertices; ++v)
    s.in_degrees[at(v)] = static_cast<std::int32_t>(s.in_offsets[at(v + 1)] - s.in_offsets[at(v)]);
  write_out_edges();
  grow(s.larger_vertices, vertices), grow(s.larger_edges, edges_);
  std::copy(to_.vertices.begin(), to_.vertices.end(), s.larger_vertices.begin());
  std::copy(to_.edges.begin(), to_.edges.end(), s.larger_edges.begin());
  s.finish();
  to_.graph = graph_access::of(to_.memory);
}

}  // namespace stg::detail
