// Edges of a snapshot in their one order, and what changes from one snapshot to the next.
#pragma once

#include <stg/runtime/edge_span.hpp>  // edge_changes, edge_span
#include <stg/runtime/graph.hpp>      // graph

#include <cstdint>  // int64_t, uint64_t
#include <span>     // span
#include <vector>   // vector

namespace stg::detail {

/// Edges in order, with memory of their own.
struct sorted_edges {
  std::vector<std::uint64_t> keys{};
  std::vector<float> weights{};  // empty where edges have none

  edge_span view() const {
    return {keys.data(), weights.empty() ? nullptr : weights.data(), static_cast<std::int64_t>(keys.size())};
  }
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
