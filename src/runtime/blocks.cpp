// The rows and edges of each hop of a sample: the first ones of the sample's graph.
#include <stg/runtime/blocks.hpp>  // blocks

#include <stg/base/error.hpp>  // error

#include <algorithm>  // max, min
#include <atomic>     // atomic_thread_fence
#include <cstddef>    // size_t
#include <iterator>   // ssize
#include <memory>     // make_shared
#include <string>     // to_string
#include <utility>    // move
#include <vector>     // vector

#include "graph_state.hpp"  // graph_access, state

namespace stg {

namespace {
std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
}  // namespace

struct blocks::state {
  /// Out-edges that end in the first rows.
  struct out_rows {
    std::vector<std::int64_t> offsets, ids;
    std::vector<std::int32_t> neighbours;
  };

  graph whole;
  std::vector<std::int64_t> vertex_offsets;  // empty of a whole graph
  // The first (vertices + 1) of them; what is the same for all blocks stays when memory is used again.
  std::vector<std::int64_t> nothing;            // 0, 0, …: rows without edges
  std::vector<std::int64_t> counted;            // 0, 1, …
  std::vector<std::int32_t> themselves;         // 0, 1, …
  std::vector<std::int64_t> degrees;            // sums of degrees
  std::vector<std::vector<std::int64_t>> ends;  // by hop: 0, 1, … up to its rows, and no further
  std::vector<out_rows> out;                    // by hop, but for those that have all edges

  bool is_whole() const { return vertex_offsets.empty(); }
  int hops() const { return is_whole() ? ir::all_hops : static_cast<int>(vertex_offsets.size()) - 2; }
  std::int64_t rows(int hop) const {
    if (is_whole() || hop >= hops()) return whole.vertices();
    return vertex_offsets[at(hop + 1)];
  }

  void prepare(std::span<const std::int32_t> vertices, std::span<const std::int32_t> in_degrees);
  void find_out_edges(std::int64_t rows, std::int64_t sources, out_rows& to) const;
  adjacency in_edges(int hop) const;
  adjacency out_edges(int hop) const;
  kind_rows of(const ir::block_kind& k) const;
};

namespace {

/// Where global ids are found of the first rows of a graph.
adjacency as_in(const graph& whole, const adjacency& rows, bool has_edges = true) {
  const graph::state& s = detail::graph_access::state_of(whole);
  return rows.within_larger(graph::state::ids_of(s.larger_vertices),
                            has_edges ? graph::state::ids_of(s.larger_edges) : nullptr);
}

}  // namespace

void blocks::state::prepare(std::span<const std::int32_t> vertices, std::span<const std::int32_t> in_degrees) {
  const std::int64_t n = whole.vertices();
  nothing.resize(std::max(nothing.size(), at(n + 1)));
  for (std::size_t k = counted.size(); k < at(n + 1); ++k) counted.push_back(static_cast<std::int64_t>(k));
  for (std::size_t k = themselves.size(); k < at(n + 1); ++k) themselves.push_back(static_cast<std::int32_t>(k));
  degrees.resize(at(n + 1));
  const std::int64_t looked_into = is_whole() ? n : vertex_offsets[vertex_offsets.size() - 2];
  const adjacency in = whole.in_edges();
  degrees[0] = 0;
  for (std::int64_t v = 0; v < n; ++v)
    degrees[at(v + 1)] = degrees[at(v)] + (v < looked_into ? in.degree(v) : in_degrees[at(vertices[at(v)])]);
  const int kept = is_whole() ? 0 : hops();
  ends.resize(at(kept)), out.resize(at(kept));
  for (int hop = 0; hop < kept; ++hop) {
    const std::int64_t mine = rows(hop);
    ends[at(hop)].resize(at(n + 1));
    for (std::int64_t v = 0; v <= n; ++v) ends[at(hop)][at(v)] = std::min(v, mine);
    if (mine > 0 && in.end(mine - 1) == whole.edges()) continue;  // the graph has them
    find_out_edges(mine, rows(hop + 1), out[at(hop)]);
  }
}

void blocks::state::find_out_edges(std::int64_t rows, std::int64_t sources, out_rows& to) const {
  const adjacency in = whole.in_edges();
  const std::int64_t edges = rows == 0 ? 0 : in.end(rows - 1);
  to.offsets.assign(at(sources + 1), 0);
  to.neighbours.resize(at(edges)), to.ids.resize(at(edges));
  for (std::int64_t e = 0; e < edges; ++e) ++to.offsets[at(in.neighbour(e)) + 1];
  for (std::int64_t v = 0; v < sources; ++v) to.offsets[at(v + 1)] += to.offsets[at(v)];
  for (std::int64_t v = 0; v < rows; ++v)
    for (std::int64_t e = in.begin(v); e < in.end(v); ++e) {
      const std::int64_t place = to.offsets[at(in.neighbour(e))]++;
      to.neighbours[at(place)] = static_cast<std::int32_t>(v);
      to.ids[at(place)] = e;
    }
  for (std::int64_t v = sources; v > 0; --v) to.offsets[at(v)] = to.offsets[at(v - 1)];  // each had run to its end
  to.offsets[0] = 0;
}

adjacency blocks::state::in_edges(int hop) const {
  const graph::state& s = detail::graph_access::state_of(whole);
  if (rows(hop) == whole.vertices()) return s.in;
  return as_in(whole, adjacency(rows(hop), s.in_offsets.data(), s.in_neighbours.data(), nullptr));
}

adjacency blocks::state::out_edges(int hop) const {
  const graph::state& s = detail::graph_access::state_of(whole);
  const std::int64_t sources = rows(hop + 1), edges = in_edges(hop).edges();
  if (is_whole() || (edges == whole.edges() && rows(hop) > 0)) {
    if (sources == whole.vertices()) return s.out;
    return as_in(whole, adjacency(sources, s.out_offsets.data(), s.out_neighbours.data(), s.out_ids.data()));
  }
  const out_rows& mine = out[at(hop)];
  return as_in(whole, adjacency(sources, mine.offsets.data(), mine.neighbours.data(), mine.ids.data()));
}

kind_rows blocks::state::of(const ir::block_kind& k) const {
  using role = ir::block_kind::role;
  const std::int64_t mine = rows(k.hop);
  const adjacency alone = as_in(whole, adjacency(mine, nothing.data(), nullptr, nullptr), false);
  switch (k.what) {
    case role::vertices:
      return {mine, alone, alone};
    case role::edges: {
      const adjacency in = in_edges(k.hop);
      return {in.edges(), in, out_edges(k.hop)};
    }
    case role::rows: {
      const std::int64_t* const from = is_whole() || k.hop >= hops() ? counted.data() : ends[at(k.hop)].data();
      return {mine, as_in(whole, adjacency(mine, counted.data(), themselves.data(), nullptr), false),
              as_in(whole, adjacency(rows(k.from), from, themselves.data(), nullptr), false)};
    }
    case role::degrees:
      return {0, as_in(whole, adjacency(mine, degrees.data(), nullptr, nullptr), false), alone};
  }
  return {};
}

blocks::blocks(const graph& all) {
  auto s = std::make_shared<state>();
  s->whole = all;
  s->prepare({}, {});
  state_ = std::move(s);
}

namespace {

void check(const graph& sample, std::span<const std::int64_t> offsets, std::span<const std::int32_t> vertices,
           std::span<const std::int32_t> degrees) {
  if (offsets.size() < 2 || offsets.front() != 0 || offsets.back() != sample.vertices())
    throw error("blocks: the offsets of hops go from 0 to the sample's " + std::to_string(sample.vertices()) +
                " vertices; give batch.vertex_offsets");
  for (std::size_t h = 1; h < offsets.size(); ++h)
    if (offsets[h] < offsets[h - 1])
      throw error("blocks: offset " + std::to_string(h) + " is " + std::to_string(offsets[h]) +
                  ", below the one before it; give batch.vertex_offsets");
  if (std::ssize(vertices) != sample.vertices())
    throw error("blocks: " + std::to_string(vertices.size()) + " ids of " + std::to_string(sample.vertices()) +
                " vertices; give batch.vertices");
  for (std::size_t v = 0; v < vertices.size(); ++v)
    if (vertices[v] < 0 || vertices[v] >= std::ssize(degrees))
      throw error("blocks: vertex " + std::to_string(v) + " is vertex " + std::to_string(vertices[v]) +
                  " of the large graph, which has " + std::to_string(degrees.size()) + "; give batch.vertices");
}

}  // namespace

blocks::blocks(const graph& sample, std::span<const std::int64_t> vertex_offsets,
               std::span<const std::int32_t> vertices, std::span<const std::int32_t> in_degrees) {
  std::shared_ptr<state> none;
  *this = blocks(sample, vertex_offsets, vertices, in_degrees, none);
}

blocks::blocks(const graph& sample, std::span<const std::int64_t> vertex_offsets,
               std::span<const std::int32_t> vertices, std::span<const std::int32_t> in_degrees,
               std::shared_ptr<state>& memory) {
  check(sample, vertex_offsets, vertices, in_degrees);
  if (memory == nullptr || memory.use_count() > 1) memory = std::make_shared<state>();
  std::atomic_thread_fence(std::memory_order_acquire);  // its last reader is done
  memory->whole = sample;
  memory->vertex_offsets.assign(vertex_offsets.begin(), vertex_offsets.end());
  memory->prepare(vertices, in_degrees);
  state_ = memory;
}

const graph& blocks::whole() const { return state_->whole; }
std::int64_t blocks::seeds() const { return state_->rows(0); }

void blocks::find(std::span<const ir::block_kind> wanted, int hops, kind_rows* found) const {
  if (hops > state_->hops())
    throw error("the program reads vertices " + std::to_string(hops) + " hops away, the blocks have " +
                std::to_string(state_->hops()) + "; sample with a fan-out for each hop");
  for (std::size_t k = 0; k < wanted.size(); ++k) found[k + 1] = state_->of(wanted[k]);
}

}  // namespace stg
