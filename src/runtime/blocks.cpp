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

#include "copied_arrays.hpp"  // copied_arrays, memory
#include "graph_state.hpp"    // graph_access, state

namespace stg {

namespace {
std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
}  // namespace

struct blocks::state {
  /// Arrays of rows, on the host or on a device.
  struct rows_of_hops {
    const std::int64_t *nothing = nullptr, *counted = nullptr, *degrees = nullptr;
    const std::int32_t* themselves = nullptr;
    /// Of one hop.
    struct hop {
      const std::int64_t* ends = nullptr;
      const std::int64_t *out_offsets = nullptr, *out_ids = nullptr;  // null of hops that have all edges
      const std::int32_t* out_neighbours = nullptr;
    };
    std::vector<hop> of{};
  };
  /// Out-edges that end in the first rows.
  struct out_rows {
    std::vector<std::int64_t> offsets, ids;
    std::vector<std::int32_t> neighbours;
  };

  graph whole;
  std::vector<std::int64_t> vertex_offsets;  // empty of a whole graph
  std::vector<std::int64_t> edges_into;      // by hop
  rows_of_hops at_place;                     // the arrays below, or their copies on a device

  // The first (vertices + 1) of them; what is the same for all blocks stays when memory is used again.
  std::vector<std::int64_t> nothing;            // 0, 0, …: rows without edges
  std::vector<std::int64_t> counted;            // 0, 1, …
  std::vector<std::int32_t> themselves;         // 0, 1, …
  std::vector<std::int64_t> degrees;            // sums of degrees
  std::vector<std::vector<std::int64_t>> ends;  // by hop: 0, 1, … up to its rows, and no further
  std::vector<out_rows> out;                    // by hop, but for those that have all edges

  // Of a copy on a device: these arrays are empty.
  std::shared_ptr<const state> on_host;
  detail::memory on_device;

  bool is_whole() const { return vertex_offsets.empty(); }
  int hops() const { return is_whole() ? ir::all_hops : static_cast<int>(vertex_offsets.size()) - 2; }
  std::int64_t rows(int hop) const {
    if (is_whole() || hop >= hops()) return whole.vertices();
    return vertex_offsets[at(hop + 1)];
  }
  std::int64_t edges(int hop) const { return is_whole() || hop >= hops() ? whole.edges() : edges_into[at(hop)]; }
  /// Whether the graph's out-edges are those into a hop.
  bool has_all_out_edges(int hop) const {
    return edges(hop) == whole.edges() && rows(hop + 1) == whole.vertices() && rows(hop) > 0;
  }

  void prepare(std::span<const std::int32_t> vertices, std::span<const std::int32_t> in_degrees);
  void find_out_edges(std::int64_t rows, std::int64_t sources, out_rows& to) const;
  void copy_to(location where, state& to) const;
  adjacency with_ids(const adjacency& rows, bool has_edges) const;
  adjacency in_edges(int hop) const;
  adjacency out_edges(int hop) const;
  kind_rows of(const ir::block_kind& k) const;
};

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
  ends.resize(at(kept)), out.resize(at(kept)), edges_into.resize(at(kept)), at_place.of.resize(at(kept));
  at_place.nothing = nothing.data(), at_place.counted = counted.data();
  at_place.themselves = themselves.data(), at_place.degrees = degrees.data();
  for (int hop = 0; hop < kept; ++hop) {
    const std::int64_t mine = rows(hop);
    ends[at(hop)].resize(at(n + 1));
    for (std::int64_t v = 0; v <= n; ++v) ends[at(hop)][at(v)] = std::min(v, mine);
    edges_into[at(hop)] = mine == 0 ? 0 : in.end(mine - 1);
    at_place.of[at(hop)] = {ends[at(hop)].data(), nullptr, nullptr, nullptr};
    if (has_all_out_edges(hop)) continue;
    out_rows& there = out[at(hop)];
    find_out_edges(mine, rows(hop + 1), there);
    at_place.of[at(hop)] = {ends[at(hop)].data(), there.offsets.data(), there.ids.data(), there.neighbours.data()};
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

void blocks::state::copy_to(location where, state& to) const {
  to.whole = whole.to(where);
  to.vertex_offsets = vertex_offsets;
  to.edges_into = edges_into;
  to.at_place.of.resize(at_place.of.size());
  detail::copied_arrays arrays;
  arrays.add(nothing, &to.at_place.nothing);
  arrays.add(counted, &to.at_place.counted);
  arrays.add(themselves, &to.at_place.themselves);
  arrays.add(degrees, &to.at_place.degrees);
  for (std::size_t h = 0; h < at_place.of.size(); ++h) {
    rows_of_hops::hop& there = to.at_place.of[h];
    arrays.add(ends[h], &there.ends);
    if (at_place.of[h].out_offsets == nullptr) continue;
    arrays.add(out[h].offsets, &there.out_offsets);
    arrays.add(out[h].ids, &there.out_ids);
    arrays.add(out[h].neighbours, &there.out_neighbours);
  }
  to.on_device = arrays.copy(where, "blocks");
}

/// Rows of the graph know what they are in a larger one.
adjacency blocks::state::with_ids(const adjacency& rows, bool has_edges) const {
  const graph::state& s = detail::graph_access::state_of(whole);
  return rows.within_larger(s.in.global_rows(), has_edges ? s.global_edges() : nullptr);
}

adjacency blocks::state::in_edges(int hop) const {
  const adjacency all = whole.in_edges();
  if (rows(hop) == whole.vertices()) return all;
  return with_ids(adjacency(rows(hop), all.offsets(), all.neighbours(), nullptr), true);
}

adjacency blocks::state::out_edges(int hop) const {
  if (is_whole() || hop >= hops() || has_all_out_edges(hop)) return whole.out_edges();
  const rows_of_hops::hop& mine = at_place.of[at(hop)];
  return with_ids(adjacency(rows(hop + 1), mine.out_offsets, mine.out_neighbours, mine.out_ids), true);
}

kind_rows blocks::state::of(const ir::block_kind& k) const {
  using role = ir::block_kind::role;
  const std::int64_t mine = rows(k.hop);
  const adjacency alone = with_ids(adjacency(mine, at_place.nothing, nullptr, nullptr), false);
  switch (k.what) {
    case role::vertices:
      return {mine, alone, alone};
    case role::edges:
      return {edges(k.hop), in_edges(k.hop), out_edges(k.hop)};
    case role::rows: {
      const std::int64_t* const from = is_whole() || k.hop >= hops() ? at_place.counted : at_place.of[at(k.hop)].ends;
      return {mine, with_ids(adjacency(mine, at_place.counted, at_place.themselves, nullptr), false),
              with_ids(adjacency(rows(k.from), from, at_place.themselves, nullptr), false)};
    }
    case role::degrees:
      return {0, with_ids(adjacency(mine, at_place.degrees, nullptr, nullptr), false), alone};
  }
  return {};
}

blocks::blocks(const graph& all) {
  auto s = std::make_shared<state>();
  s->whole = all.to(host);
  s->prepare({}, {});
  state_ = std::move(s);
  *this = to(all.place());
}

namespace {

void check(const graph& sample, std::span<const std::int64_t> offsets, std::span<const std::int32_t> vertices,
           std::span<const std::int32_t> degrees) {
  if (!sample.place().is_host())
    throw error("blocks: the sample lies on " + to_string(sample.place()) +
                "; make them of the one on the host, then bring them there: blocks(...).to(stg::cuda())");
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

void blocks::let_go(const std::shared_ptr<state>& memory) {
  if (memory == nullptr || memory.use_count() > 1) return;
  std::atomic_thread_fence(std::memory_order_acquire);  // its last reader is done
  memory->whole = graph();
}

location blocks::place() const { return state_->whole.place(); }

blocks blocks::to(location where) const {
  if (where == place()) return *this;
  blocks there;
  if (where.is_host()) {
    there.state_ = state_->on_host;
    return there;
  }
  auto s = std::make_shared<state>();
  s->on_host = state_->on_host ? state_->on_host : state_;
  s->on_host->copy_to(where, *s);
  there.state_ = std::move(s);
  return there;
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
