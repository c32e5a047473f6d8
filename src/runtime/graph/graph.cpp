// Graphs on the host: edge lists checked, sorted both ways, and derived from one another.
#include "../memory/copied_arrays.hpp"  // copied_arrays
#include "graph_state.hpp"              // state, identity_term
#include "placed_by_row.hpp"            // place_by_row

#include <stg/base/error.hpp>             // error
#include <stg/runtime/graph.hpp>          // graph
#include <stg/runtime/long_rows.hpp>      // find_long_rows
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/runtime/row_order.hpp>      // rows_by_degree
#include <stg/runtime/self_loops.hpp>     // all_edges

#include <cstring>  // memcpy
#include <limits>   // numeric_limits
#include <numeric>  // iota
#include <string>   // to_string
#include <utility>  // move

namespace stg {

namespace {

constexpr std::int64_t most_vertices = std::numeric_limits<std::int32_t>::max();

void check_vertices(std::int64_t vertices) {
  if (vertices < 0 || vertices > most_vertices)
    throw error("graph of " + std::to_string(vertices) + " vertices; use 0 to " + std::to_string(most_vertices));
}

template <class Index>
std::vector<std::int32_t> checked(const char* field, std::int64_t vertices, std::span<const Index> endpoints) {
  std::vector<std::int32_t> narrow(endpoints.size());
  for (std::size_t e = 0; e < endpoints.size(); ++e) {
    const std::int64_t v = endpoints[e];
    if (v < 0 || v >= vertices)
      throw error("graph edge " + std::to_string(e) + " has " + field + " " + std::to_string(v) +
                  "; it must be in [0, " + std::to_string(vertices) + ")");
    narrow[e] = static_cast<std::int32_t>(v);
  }
  return narrow;
}

std::shared_ptr<const graph::state> sorted_between(std::int64_t source_count, std::int64_t destination_count,
                                                   bool two_sets, const edge_list& list) {
  const std::size_t edges = list.src.size();
  auto s = std::make_shared<graph::state>();
  s->resize_between(source_count, destination_count, static_cast<std::int64_t>(edges));
  s->input_position.resize(edges);
  s->joins_two_sets = two_sets;

  std::vector<std::int64_t> counts;
  std::vector<std::int32_t> destinations(edges);  // in id order
  const std::int32_t *const src = list.src.data(), *const dst = list.dst.data();
  std::int32_t *const in = s->in_neighbours.data(), *const out = s->out_neighbours.data(),
                      *const to = destinations.data();
  std::int64_t *const positions = s->input_position.data(), *const ids = s->out_ids.data();
  detail::place_by_row(
      destination_count, s->edges, counts, s->in_offsets.data(), s->in_degrees.data(),
      [dst](std::int64_t e) { return dst[e]; },
      [src, dst, in, to, positions](std::int64_t e, std::int64_t id) {
        in[id] = src[e];
        to[id] = dst[e];
        positions[id] = e;
      });
  detail::place_by_row(
      source_count, s->edges, counts, s->out_offsets.data(), s->out_degrees.data(),
      [in](std::int64_t id) { return in[id]; },
      [out, to, ids](std::int64_t id, std::int64_t place) {
        out[place] = to[id];
        ids[place] = id;
      });
  s->finish();
  return s;
}
std::shared_ptr<const graph::state> sorted_both_ways(std::int64_t vertices, const edge_list& list) {
  return sorted_between(vertices, vertices, false, list);
}

void check_one_kind(const graph& g, const char* what) {
  detail::graph_access::check_whole(g, what);
  if (g.has_kinds())
    throw error(std::string(what) + " is for a graph of one set of vertices; graphs." + what +
                "(cites) names a relation");
}
/// Loops, and edges of both directions, are of one set of vertices.
void check_one_set(const graph& g, const char* what) {
  check_one_kind(g, what);
  if (detail::graph_access::joins_two_sets(g))
    throw error(std::string(what) + " is for a graph of one set of vertices; this relation joins two");
}

template <class Index>
std::shared_ptr<const graph::state> from(std::int64_t vertices, std::span<const Index> src,
                                         std::span<const Index> dst) {
  check_vertices(vertices);
  if (src.size() != dst.size())
    throw error("graph edges have " + std::to_string(src.size()) + " sources and " + std::to_string(dst.size()) +
                " destinations; give one of each per edge");
  return sorted_both_ways(vertices, {checked("source", vertices, src), checked("destination", vertices, dst)});
}

/// Edges in ascending order of one end, below `count`, and as they are given where that is the same.
edge_list ordered_by(std::vector<std::int32_t> edge_list::*end, std::int64_t count, const edge_list& list) {
  const std::size_t edges = list.src.size();
  edge_list ordered{std::vector<std::int32_t>(edges), std::vector<std::int32_t>(edges)};
  std::vector<std::int64_t> counts, offsets(static_cast<std::size_t>(count) + 1);
  std::vector<std::int32_t> degrees(static_cast<std::size_t>(count));
  const std::int32_t *const src = list.src.data(), *const dst = list.dst.data(), *const by = (list.*end).data();
  std::int32_t *const ordered_src = ordered.src.data(), *const ordered_dst = ordered.dst.data();
  detail::place_by_row(
      count, static_cast<std::int64_t>(edges), counts, offsets.data(), degrees.data(),
      [by](std::int64_t e) { return by[e]; },
      [src, dst, ordered_src, ordered_dst](std::int64_t e, std::int64_t place) {
        ordered_src[place] = src[e];
        ordered_dst[place] = dst[e];
      });
  return ordered;
}

/// Each edge once, ascending by (source, destination).
edge_list distinct(std::int64_t sources, std::int64_t destinations, const edge_list& list) {
  edge_list once = ordered_by(&edge_list::src, sources, ordered_by(&edge_list::dst, destinations, list));
  std::size_t left = 0;
  for (std::size_t e = 0; e < once.src.size(); ++e) {
    const std::int32_t src = once.src[e], dst = once.dst[e];
    if (left > 0 && once.src[left - 1] == src && once.dst[left - 1] == dst) continue;
    once.src[left] = src;
    once.dst[left] = dst;
    ++left;
  }
  once.src.resize(left);
  once.dst.resize(left);
  return once;
}

std::uint64_t identity_of(const adjacency& in) {
  std::uint64_t sum = detail::identity_of_rows(in.rows());
  for (std::int64_t v = 0; v < in.rows(); ++v) sum += detail::identity_of_row_end(v, in.end(v));
  for (std::int64_t k = 0; k < in.edges(); ++k) sum += detail::identity_of_edge(k, in.neighbour(k));
  return detail::identity_of_sum(sum);
}

}  // namespace

graph::graph() try {
  static const std::shared_ptr<const state> empty = sorted_both_ways(0, {});
  state_ = empty;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graph graph::from_edges(std::int64_t vertices, std::span<const std::int64_t> src,
                        std::span<const std::int64_t> dst) try {
  return graph(from(vertices, src, dst));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graph graph::from_edges(std::int64_t vertices, std::span<const std::int32_t> src,
                        std::span<const std::int32_t> dst) try {
  return graph(from(vertices, src, dst));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

namespace {

template <class Index> graph from_pairs(std::int64_t vertices, const const_tensor<Index>& edge_index) {
  if (edge_index.rank() != 2 || edge_index.shape()[0] != 2)
    throw error("graph edge_index of shape " + to_string(edge_index.shape()) + "; give (2, edges)");
  return graph::from_edges(vertices, edge_index.row(0), edge_index.row(1));
}

}  // namespace

graph graph::from_edge_index(std::int64_t vertices, const const_tensor<std::int64_t>& edge_index) {
  return from_pairs(vertices, edge_index);
}
graph graph::from_edge_index(std::int64_t vertices, const const_tensor<std::int32_t>& edge_index) {
  return from_pairs(vertices, edge_index);
}

std::int64_t graph::vertices() const { return state_->destinations; }
graph detail::graph_access::between(std::int64_t sources, std::int64_t destinations, bool two_sets,
                                    const stg::edge_list& edges) try {
  return graph(sorted_between(sources, destinations, two_sets, edges));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void detail::graph_access::check_whole(const graph& g, const char* what) {
  if (g.ranks() != nullptr)
    throw error(std::string(what) + " is for a whole graph; this is the part of one rank, so do it before the cut");
}
const detail::kind_table* graph::kinds() const { return state_->kinds.get(); }
const rank_rows* graph::ranks() const { return state_->ranks.get(); }
communicator* graph::messages() const { return state_->messages; }

std::int64_t graph::sources() const { return state_->sources; }
std::int64_t graph::destinations() const { return state_->destinations; }
std::int64_t graph::edges() const { return state_->edges; }

adjacency graph::in_edges() const& { return state_->in; }
adjacency graph::out_edges() const& { return state_->out; }

std::span<const std::int32_t> graph::in_degrees() const& { return state_->host().in_degrees; }
std::span<const std::int32_t> graph::out_degrees() const& { return state_->host().out_degrees; }

void graph::prepare() const try {
  if (const auto& order = state_->described().out_order) order->prepare();
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

edge_identity graph::edge_identity() const {
  if (const std::uint64_t known = state_->identity.load(std::memory_order_relaxed))
    return static_cast<stg::edge_identity>(known);
  const state& s = state_->host();
  if (s.kinds != nullptr) return stg::edge_identity::unknown;  // its relations' have their own
  std::uint64_t identity = s.identity.load(std::memory_order_relaxed);
  if (identity == 0) {  // threads that ask at the same time find the same
    identity = identity_of(s.in);
    s.identity.store(identity, std::memory_order_relaxed);
  }
  return static_cast<stg::edge_identity>(identity);
}

location graph::place() const { return state_->place; }

void detail::graph_has_no_host(location where) {
  throw error("graph of a step was made on " + to_string(where) +
              " and is nowhere else; ask that of the host, sequence.to(stg::host).at(t)");
}

std::shared_ptr<graph::state> detail::graph_access::rows_at(location where,
                                                            const std::shared_ptr<const graph::state>& from,
                                                            std::int32_t part_edges) {
  auto s = std::make_shared<graph::state>();
  s->sources = from->sources, s->destinations = from->destinations, s->edges = from->edges;
  s->place = where;
  s->on_host = from;
  const std::int64_t *in_offsets = nullptr, *out_offsets = nullptr, *out_ids = nullptr;
  const std::int32_t *in_neighbours = nullptr, *out_neighbours = nullptr;
  detail::copied_arrays arrays;
  arrays.add(from->in_offsets, &in_offsets);
  arrays.add(from->in_neighbours, &in_neighbours);
  arrays.add(from->out_offsets, &out_offsets);
  arrays.add(from->out_neighbours, &out_neighbours);
  arrays.add(from->out_ids, &out_ids);
  const long_row_list in_long = find_long_rows(from->in, part_edges), out_long = find_long_rows(from->out, part_edges);
  const std::int32_t *in_rows = nullptr, *in_parts = nullptr, *out_rows = nullptr, *out_parts = nullptr;
  arrays.add(in_long.row, &in_rows);
  arrays.add(in_long.first_part, &in_parts);
  arrays.add(out_long.row, &out_rows);
  arrays.add(out_long.first_part, &out_parts);
  const std::vector<std::int32_t> in_ordered = rows_by_degree(from->in), out_ordered = rows_by_degree(from->out);
  const std::int32_t *in_order = nullptr, *out_order = nullptr;
  arrays.add(in_ordered, &in_order);
  arrays.add(out_ordered, &out_order);
  const std::int32_t *vertices = nullptr, *sources = nullptr;
  const std::int64_t *edges = nullptr, *known_degrees = nullptr, *known_out_degrees = nullptr;
  if (!from->known_degrees.empty()) arrays.add(from->known_degrees, &known_degrees);
  if (!from->known_out_degrees.empty()) arrays.add(from->known_out_degrees, &known_out_degrees);
  if (!from->larger_vertices.empty()) arrays.add(from->larger_vertices, &vertices);
  if (!from->larger_sources.empty()) arrays.add(from->larger_sources, &sources);
  if (!from->larger_edges.empty()) arrays.add(from->larger_edges, &edges);
  s->on_device = arrays.copy(where, "graph");
  s->larger_edges_there = edges;
  s->in = adjacency(s->destinations, in_offsets, in_neighbours, nullptr)
              .with(in_long.view_of(in_rows, in_parts))
              .with_row_order(in_order)
              .within_larger(vertices, edges);
  if (known_degrees != nullptr) s->in = s->in.with_known_degrees(known_degrees);
  s->out = adjacency(s->sources, out_offsets, out_neighbours, out_ids)
               .with(out_long.view_of(out_rows, out_parts))
               .with_row_order(out_order)
               .within_larger(from->joins_two_sets ? sources : vertices, edges);
  if (known_out_degrees != nullptr) s->out = s->out.with_known_degrees(known_out_degrees);
  return s;
}

graph graph::to(location where) const try {
  if (where == place()) return *this;
  if (!state_->on_host && !place().is_host()) detail::graph_has_no_host(place());
  if (where.is_host()) return graph(state_->on_host);
  if (ranks() != nullptr)
    throw error("the part of one rank comes to a device by the links of ranks: stg::device_links(ranks, " +
                spelled(where) + ").to_device(part)");
  const auto from = state_->on_host ? state_->on_host : state_;
  if (has_kinds()) return detail::graph_access::of(detail::kinds_at(where, from));
  return graph(detail::graph_access::rows_at(where, from, long_row_edges_of_device(from->edges)));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

edge_list graph::edge_list() const try {
  stg::edge_list list;
  list.src.resize(static_cast<std::size_t>(edges()));
  list.dst.resize(list.src.size());
  const state& from = state_->host();
  const adjacency in = from.in;
  for (std::int64_t v = 0; v < in.rows(); ++v)
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k) {
      const auto id = static_cast<std::size_t>(k);
      const auto at = from.input_position.empty() ? id : static_cast<std::size_t>(from.input_position[id]);
      list.src[at] = in.neighbour(k);
      list.dst[at] = static_cast<std::int32_t>(v);
    }
  return list;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graph graph::add_self_loops() const try {
  check_one_set(*this, "add_self_loops");
  stg::edge_list list = edge_list();
  for (std::int64_t v = 0; v < vertices(); ++v) {
    list.src.push_back(static_cast<std::int32_t>(v));
    list.dst.push_back(static_cast<std::int32_t>(v));
  }
  return graph(sorted_both_ways(vertices(), list));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graph graph::add_remaining_self_loops() const try {
  check_one_set(*this, "add_remaining_self_loops");
  stg::edge_list list = edge_list();
  const adjacency in = state_->host().in;
  for (std::int64_t v = 0; v < vertices(); ++v) {
    bool has_loop = false;
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k) has_loop = has_loop || in.neighbour(k) == v;
    if (has_loop) continue;
    list.src.push_back(static_cast<std::int32_t>(v));
    list.dst.push_back(static_cast<std::int32_t>(v));
  }
  return graph(sorted_both_ways(vertices(), list));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graph graph::remove_self_loops() const try {
  check_one_set(*this, "remove_self_loops");
  const stg::edge_list all = edge_list();
  stg::edge_list list;
  for (std::size_t e = 0; e < all.src.size(); ++e) {
    if (all.src[e] == all.dst[e]) continue;
    list.src.push_back(all.src[e]);
    list.dst.push_back(all.dst[e]);
  }
  return graph(sorted_both_ways(vertices(), list));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graph graph::to_undirected() const try {
  check_one_set(*this, "to_undirected");
  stg::edge_list list = edge_list();
  const auto edges = static_cast<std::ptrdiff_t>(list.src.size());
  list.src.insert(list.src.end(), list.dst.begin(), list.dst.end());
  list.dst.insert(list.dst.end(), list.src.begin(), list.src.begin() + edges);
  return graph(sorted_both_ways(vertices(), distinct(vertices(), vertices(), list)));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
graph graph::coalesce() const try {
  check_one_kind(*this, "coalesce");
  const bool two_sets = detail::graph_access::joins_two_sets(*this);
  return graph(sorted_between(sources(), destinations(), two_sets, distinct(sources(), destinations(), edge_list())));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graph::check_rows(const dimensions& shape, location where) const {
  detail::graph_access::check_whole(*this, "the order of an edge list");
  if (!where.is_host()) detail::not_on_host(shape, where);
  if (shape.rank() == 0 || shape[0] != edges())
    throw error("edge values of shape " + to_string(shape) + " for a graph of " + std::to_string(edges()) +
                " edges; give one row per edge");
}

void graph::check_steps(const dimensions& shape, location where) const {
  detail::graph_access::check_whole(*this, "the order of an edge list");
  if (!where.is_host()) detail::not_on_host(shape, where);
  if (shape.rank() < 2 || shape[1] != edges())
    throw error("edge values of shape " + to_string(shape) + " for a graph of " + std::to_string(edges()) +
                " edges; give (steps, edges, ...)");
}

void graph::check_identity(stg::edge_identity of) const {
  if (of != stg::edge_identity::unknown && of != edge_identity())
    throw error("edge values are those of another graph; give values that graph.edge_values made, or a call gave");
}

void graph::to_id_order(const std::byte* from, std::byte* to, std::int64_t bytes) const {
  const auto row = static_cast<std::size_t>(edges() == 0 ? 0 : bytes / edges());
  if (state_->host().input_position.empty() && bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  for (const std::int64_t position : state_->host().input_position) {
    if (row != 0) std::memcpy(to, from + static_cast<std::size_t>(position) * row, row);
    to += row;
  }
}

void graph::to_input_order(const std::byte* from, std::byte* to, std::int64_t bytes) const {
  const auto row = static_cast<std::size_t>(edges() == 0 ? 0 : bytes / edges());
  if (state_->host().input_position.empty() && bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  for (const std::int64_t position : state_->host().input_position) {
    if (row != 0) std::memcpy(to + static_cast<std::size_t>(position) * row, from, row);
    from += row;
  }
}

std::vector<std::int64_t> detail::all_edges(const graph& g) try {
  std::vector<std::int64_t> all(static_cast<std::size_t>(g.edges()));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return all;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

std::vector<std::int64_t> detail::edges_but_loops(const graph& g) try {
  const edge_list list = g.edge_list();
  std::vector<std::int64_t> kept;
  for (std::size_t e = 0; e < list.src.size(); ++e)
    if (list.src[e] != list.dst[e]) kept.push_back(static_cast<std::int64_t>(e));
  return kept;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
