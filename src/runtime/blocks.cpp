// The rows and edges of each hop of a sample: the first ones of the sample's graph.
#include <stg/runtime/blocks.hpp>  // blocks

#include <stg/base/error.hpp>  // error

#include <algorithm>  // min
#include <cstddef>    // size_t
#include <numeric>    // iota
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
  std::vector<std::int64_t> vertex_offsets;     // empty of a whole graph
  std::vector<std::int64_t> nothing;            // (vertices + 1): rows without edges
  std::vector<std::int64_t> counted;            // (vertices + 1): 0, 1, …
  std::vector<std::int32_t> themselves;         // (vertices): 0, 1, …
  std::vector<std::int64_t> degrees;            // (vertices + 1): sums of degrees
  std::vector<std::vector<std::int64_t>> ends;  // by hop, (vertices + 1): 0, 1, … up to its rows, and no further
  std::vector<out_rows> out;                    // by hop, but for those that have all edges

  bool is_whole() const { return vertex_offsets.empty(); }
  int hops() const { return is_whole() ? ir::all_hops : static_cast<int>(vertex_offsets.size()) - 2; }
  std::int64_t rows(int hop) const {
    if (is_whole() || hop >= hops()) return whole.vertices();
    return vertex_offsets[at(hop + 1)];
  }

  void prepare(std::span<const std::int32_t> in_degrees);
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

void blocks::state::prepare(std::span<const std::int32_t> in_degrees) {
  const std::int64_t n = whole.vertices();
  nothing.assign(at(n + 1), 0);
  counted.resize(at(n + 1));
  std::iota(counted.begin(), counted.end(), 0);
  themselves.resize(at(n));
  std::iota(themselves.begin(), themselves.end(), 0);
  degrees.resize(at(n + 1));
  const std::int64_t looked_into = is_whole() ? n : vertex_offsets[vertex_offsets.size() - 2];
  const adjacency in = whole.in_edges();
  degrees[0] = 0;
  for (std::int64_t v = 0; v < n; ++v)
    degrees[at(v + 1)] = degrees[at(v)] + (v < looked_into ? in.degree(v) : in_degrees[at(v)]);
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
  s->prepare({});
  state_ = std::move(s);
}

blocks::blocks(const graph& sample, std::span<const std::int64_t> vertex_offsets,
               std::span<const std::int32_t> in_degrees) {
  const std::string where = "blocks: ";
  if (vertex_offsets.size() < 2 || vertex_offsets.front() != 0 || vertex_offsets.back() != sample.vertices())
    throw error(where + "the offsets of hops go from 0 to the sample's " + std::to_string(sample.vertices()) +
                " vertices; give batch.vertex_offsets");
  for (std::size_t h = 1; h < vertex_offsets.size(); ++h)
    if (vertex_offsets[h] < vertex_offsets[h - 1])
      throw error(where + "offset " + std::to_string(h) + " is " + std::to_string(vertex_offsets[h]) +
                  ", below the one before it; give batch.vertex_offsets");
  if (static_cast<std::int64_t>(in_degrees.size()) != sample.vertices())
    throw error(where + std::to_string(in_degrees.size()) + " degrees of " + std::to_string(sample.vertices()) +
                " vertices; give one for each");
  auto s = std::make_shared<state>();
  s->whole = sample;
  s->vertex_offsets.assign(vertex_offsets.begin(), vertex_offsets.end());
  s->prepare(in_degrees);
  state_ = std::move(s);
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
