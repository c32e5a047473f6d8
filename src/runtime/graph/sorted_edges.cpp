// Sorting edges, and taking changes: Thrust's set operations, on one part of the rows for each thread.
#include "sorted_edges.hpp"  // sorted_edges

#include <stg/runtime/graph_build.hpp>  // difference, take_changes
#include <stg/runtime/parallel.hpp>     // parallel_if_worth

#include <thrust/execution_policy.h>  // seq

#include <algorithm>  // lower_bound, max, sort
#include <utility>    // pair

namespace stg::detail {

namespace {

namespace thrust = build::thrust;

/// Edges that one thread takes in 100 us.
constexpr std::int64_t edges_of_part = 1 << 14;

}  // namespace

std::int64_t edge_span::before(std::uint64_t key) const { return std::lower_bound(keys, keys + size, key) - keys; }

void sort_edges(sorted_edges& edges) {
  std::vector<std::uint64_t>& keys = edges.keys;
  std::vector<float>& weights = edges.weights;
  if (weights.empty()) {
    thrust::sort(thrust::seq, keys.begin(), keys.end());
    return;
  }
  thrust::stable_sort_by_key(thrust::seq, keys.begin(), keys.end(), weights.begin());
  for (std::size_t first = 0, last = 0; first < keys.size(); first = last) {  // parallel edges by weight
    while (last < keys.size() && keys[last] == keys[first]) ++last;
    std::sort(&weights[first], &weights[first] + (last - first),
              [](float a, float b) { return weight_order(a) < weight_order(b); });
  }
}

void append_difference(edge_span of, edge_span without, sorted_edges& to) {
  const auto had = static_cast<std::int64_t>(to.keys.size());
  to.keys.resize(static_cast<std::size_t>(had + of.size));
  const bool weighted = of.weights != nullptr || without.weights != nullptr;
  if (weighted) to.weights.resize(to.keys.size());
  const edge_room all{to.keys.data(), weighted ? to.weights.data() : nullptr};
  const auto size = static_cast<std::size_t>(had + build::difference(thrust::seq, of, without, all.from(had)));
  to.keys.resize(size);
  if (weighted) to.weights.resize(size);
}

void take_changes(edge_span from, const edge_changes& changes, change_scratch& scratch, std::uint64_t* keys,
                  float* weights) {
  const edge_span removed = changes.removed, added = changes.added;
  const std::int64_t parts = std::max<std::int64_t>(1, from.size / edges_of_part);
  scratch.keys.resize(static_cast<std::size_t>(from.size));
  if (weights != nullptr) scratch.weights.resize(static_cast<std::size_t>(from.size));
  // The first key of a part is that of a row, so that nobody needs to know how edges with equal keys are cut.
  const auto first_key = [&](std::int64_t part) -> std::uint64_t {
    return part == 0 ? 0 : from.keys[from.size / parts * part] >> 32 << 32;
  };
  constexpr std::int64_t picoseconds_of_edge = 6000;
  parallel_if_worth((from.size + added.size) * picoseconds_of_edge / 1000, parts, [&](std::int64_t part) {
    const auto cut = [&](edge_span of) {
      const std::int64_t first = part == 0 ? 0 : of.before(first_key(part));
      return std::pair(first, part + 1 == parts ? of.size : of.before(first_key(part + 1)));
    };
    const auto [first, last] = cut(from);
    const auto [first_removed, last_removed] = cut(removed);
    const auto [first_added, last_added] = cut(added);
    const std::int64_t to = first - first_removed + first_added;
    const edge_room kept{scratch.keys.data(), weights == nullptr ? nullptr : scratch.weights.data()};
    build::take_changes(thrust::seq, from.part(first, last),
                        {removed.part(first_removed, last_removed), added.part(first_added, last_added)},
                        kept.from(first), edge_room{keys, weights}.from(to));
  });
}

}  // namespace stg::detail
