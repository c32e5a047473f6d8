// What a graph keeps, for the sources that make one.
#pragma once

#include <stg/runtime/edge_order.hpp>  // edge_order
#include <stg/runtime/graph.hpp>       // graph
#include <stg/runtime/long_rows.hpp>   // find_long_rows, long_row_list
#include <stg/runtime/rank_rows.hpp>   // rank_rows

#include <atomic>    // atomic
#include <cstdint>   // int32_t, int64_t, uint64_t
#include <memory>    // shared_ptr, unique_ptr
#include <optional>  // optional
#include <span>      // span
#include <utility>   // move
#include <vector>    // vector

namespace stg {

namespace detail {
[[noreturn]] void graph_has_no_host(location where);
}

struct graph::state {
  std::int64_t sources = 0, destinations = 0, edges = 0;
  std::vector<std::int64_t> in_offsets, out_offsets;        // (destinations + 1), (sources + 1)
  std::vector<std::int32_t> in_neighbours, out_neighbours;  // (edges) in id order; (edges) by source
  std::vector<std::int64_t> input_position;  // (edges) edge id to place in the edge list; empty where both are the same
  std::vector<std::int64_t> out_ids;         // (edges) by source
  std::vector<std::int32_t> in_degrees, out_degrees;  // (destinations), (sources)
  std::vector<std::int32_t> larger_vertices;          // (destinations) of a part of a larger graph: ids there, or empty
  std::vector<std::int32_t> larger_sources;           // (sources) the same, where they are of another set
  std::vector<std::int64_t> larger_edges;             // (edges) the same
  std::vector<std::int64_t> known_degrees;            // (destinations + 1) of a sample or a part: adjacency's, or empty
  std::vector<std::int64_t> known_out_degrees;        // (sources + 1) of a part: the same
  long_row_list in_long, out_long;                    // rows that the host's threads share
  adjacency in, out;                                  // of the arrays above, or of their copies on a device
  std::optional<edge_order> out_order;                // of the out-edges, on the host
  mutable std::atomic<std::uint64_t> identity{0};     // of the edges; 0 until somebody asks

  bool joins_two_sets = false;                        // which may be as many vertices
  std::shared_ptr<const detail::kind_table> kinds{};  // of a graph of several kinds, which has no edges of its own
  std::unique_ptr<const rank_rows> ranks{};           // of a part of a cut graph
  communicator* messages = nullptr;                   // of a graph that knows its ranks

  // Of a copy on a device: the arrays above are empty.
  location place{};
  std::shared_ptr<const state> on_host{};
  detail::memory on_device{};
  const std::int64_t* larger_edges_there = nullptr;

  /// What is known of its edges on the host. Error where they were made on a device.
  const state& host() const {
    if (!on_host && !place.is_host()) [[unlikely]]
      detail::graph_has_no_host(place);
    return described();
  }
  /// What does not depend on that.
  const state& described() const { return on_host ? *on_host : *this; }

  /// Arrays for so many vertices and edges, with room for `most_edges`: what is in them has to be written.
  void resize(std::int64_t vertices, std::int64_t edge_count, std::int64_t most_edges = 0) {
    resize_between(vertices, vertices, edge_count, most_edges);
  }
  /// The same for edges from some vertices to others.
  void resize_between(std::int64_t source_count, std::int64_t destination_count, std::int64_t edge_count,
                      std::int64_t most_edges = 0) {
    const auto from = static_cast<std::size_t>(source_count), into = static_cast<std::size_t>(destination_count);
    const auto size = static_cast<std::size_t>(edge_count), most = static_cast<std::size_t>(most_edges);
    in_neighbours.reserve(most), out_neighbours.reserve(most), out_ids.reserve(most);
    sources = source_count, destinations = destination_count;
    edges = edge_count;
    in_offsets.resize(into + 1), out_offsets.resize(from + 1);
    in_neighbours.resize(size), out_neighbours.resize(size), out_ids.resize(size);
    in_degrees.resize(into), out_degrees.resize(from);
  }

  /// What follows from the arrays, once they are written.
  void finish() {
    in = {destinations, in_offsets.data(), in_neighbours.data(), nullptr};
    out = {sources, out_offsets.data(), out_neighbours.data(), out_ids.data()};
    find_long_rows(in, long_row_edges_of_host, in_long);
    find_long_rows(out, long_row_edges_of_host, out_long);
    in = in.with(in_long.view());
    out = out.with(out_long.view());
    if (edges <= edge_order::most_edges) out = out.with(out_order.emplace(out));
    in = in.within_larger(ids_of(larger_vertices), ids_of(larger_edges));
    if (!known_degrees.empty()) in = in.with_known_degrees(known_degrees.data());
    if (!known_out_degrees.empty()) out = out.with_known_degrees(known_out_degrees.data());
    out = out.within_larger(ids_of(joins_two_sets ? larger_sources : larger_vertices), ids_of(larger_edges));
  }
  /// Where the ids lie that edges have in a larger graph; null where they are their own.
  const std::int64_t* global_edges() const { return on_host ? larger_edges_there : ids_of(larger_edges); }
  template <class T> static const T* ids_of(const std::vector<T>& ids) { return ids.empty() ? nullptr : ids.data(); }
};

namespace detail {

/// Who makes graphs of states.
struct graph_access {
  static graph of(std::shared_ptr<const graph::state> state) { return graph(std::move(state)); }
  static const graph::state& state_of(const graph& g) { return *g.state_; }
  static const std::shared_ptr<const graph::state>& share_of(const graph& g) { return g.state_; }
  /// The rows of a graph on the host, not of several kinds, copied to a device. part_edges: of its long rows.
  static std::shared_ptr<graph::state> rows_at(location where, const std::shared_ptr<const graph::state>& from,
                                               std::int32_t part_edges);
  /// Edges from some vertices to others, whose ids lie below these numbers; of two sets, or of one and itself.
  static graph between(std::int64_t sources, std::int64_t destinations, bool two_sets, const edge_list& edges);
  /// Edges of several graphs as those of one: vertices of the first, then of the second, and so on; likewise the order
  /// of the edge list, and ids. Nothing is sorted. All of them join two sets, or none. The ends are below 2^31.
  static graph side_by_side(std::span<const graph> parts);
  /// An edge from each of `offsets.back()` vertices to the one whose range they are in, [offset i, offset i + 1).
  static graph to_containers(std::span<const std::int64_t> offsets);
  /// Errors for the part of a cut graph: `what` is for a whole one.
  static void check_whole(const graph& g, const char* what);
  /// Whether edges go from the vertices of one set to those of another.
  static bool joins_two_sets(const graph& g) { return g.state_->described().joins_two_sets; }
};

/// A graph of several kinds with the rows of its relations on a device; `from` lies on the host.
std::shared_ptr<const graph::state> kinds_at(location where, const std::shared_ptr<const graph::state>& from);

/// Mixes all bits of a number: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/// A graph's identity is a sum of terms, each of which holds a place and what is there: of the end of each row, and of
/// the neighbour at each position. It begins with that of the number of rows, and is never 0.
inline std::uint64_t identity_of_rows(std::int64_t rows) { return mixed(static_cast<std::uint64_t>(rows)); }
inline std::uint64_t identity_term(std::uint64_t kind, std::int64_t place, std::int64_t there) {
  return mixed(mixed(static_cast<std::uint64_t>(place) * 2 + kind) ^ static_cast<std::uint64_t>(there));
}
inline std::uint64_t identity_of_row_end(std::int64_t row, std::int64_t end) { return identity_term(0, row, end); }
inline std::uint64_t identity_of_edge(std::int64_t id, std::int64_t neighbour) {
  return identity_term(1, id, neighbour);
}
inline std::uint64_t identity_of_sum(std::uint64_t sum) { return sum | 1; }

}  // namespace detail

}  // namespace stg
