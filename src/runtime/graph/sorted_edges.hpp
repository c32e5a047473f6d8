// Edges of a snapshot in their one order, and what changes from one snapshot to the next.
#pragma once

#include <stg/runtime/graph.hpp>  // graph

#include <bit>      // bit_cast
#include <cstddef>  // size_t
#include <cstdint>  // int64_t, uint64_t
#include <span>     // span
#include <vector>   // vector

namespace stg::detail {

/// An edge as one number, which puts edges in the order of their ids: by destination, then by source.
constexpr std::uint64_t edge_key(std::int64_t src, std::int64_t dst) {
  return static_cast<std::uint64_t>(dst) << 32 | static_cast<std::uint64_t>(src);
}
constexpr std::int32_t source_of(std::uint64_t key) { return static_cast<std::int32_t>(key & 0xffffffffu); }
constexpr std::int32_t destination_of(std::uint64_t key) { return static_cast<std::int32_t>(key >> 32); }

/// A weight as a number in the order of weights, -0 before 0: equal where all bits are.
constexpr std::uint32_t weight_order(float weight) {
  const auto bits = std::bit_cast<std::uint32_t>(weight);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

/// Edges in order, parallel ones by weight: a view. `weights` is null where edges have none.
struct edge_span {
  const std::uint64_t* keys = nullptr;  // (size)
  const float* weights = nullptr;       // (size)
  std::int64_t size = 0;

  edge_span part(std::int64_t first, std::int64_t last) const {
    return {keys + first, weights == nullptr ? nullptr : weights + first, last - first};
  }
  /// How many edges have a smaller key.
  std::int64_t before(std::uint64_t key) const;
};

/// The same with memory of its own.
struct sorted_edges {
  std::vector<std::uint64_t> keys{};
  std::vector<float> weights{};  // empty where edges have none

  edge_span view() const {
    return {keys.data(), weights.empty() ? nullptr : weights.data(), static_cast<std::int64_t>(keys.size())};
  }
};

/// What makes a snapshot of the one before it; the other way round, the one before of it.
struct edge_changes {
  edge_span removed, added;
};

/// Puts edges in order. keys: (edges); weights: (edges), or empty.
void sort_edges(sorted_edges& edges);

/// The elements of `of` that `without` does not have, as often as they are more.
void append_difference(edge_span of, edge_span without, sorted_edges& to);

/// Scratch of `take_changes`, kept so that the next call allocates nothing.
struct change_scratch {
  std::vector<std::uint64_t> keys{};
  std::vector<float> weights{};
};

/// Writes `from` without what is removed, all of which is there, and with what is added: (from + added - removed) keys,
/// and as many weights where edges have any. On threads: each takes rows of its own, whose place follows from how many
/// changes are before them.
void take_changes(edge_span from, const edge_changes& changes, change_scratch& scratch, std::uint64_t* keys,
                  float* weights);

/// Writes the arrays of a graph whose in-edges are these, with room for `most_edges`. counts: scratch that is kept.
void build_rows(std::int64_t vertices, edge_span edges, std::int64_t most_edges, std::vector<std::int64_t>& counts,
                graph::state& to);

/// The identity of that graph, and that of the edges of all steps, whose graphs have these.
std::uint64_t identity_of(std::int64_t vertices, edge_span edges);
edge_identity identity_of_steps(std::span<const std::uint64_t> identities);

}  // namespace stg::detail
