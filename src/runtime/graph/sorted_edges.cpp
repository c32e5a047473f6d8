// Sorting edges, and taking changes: Thrust's set operations, on one part of the rows for each thread.
#include "graph_build.hpp"   // take_changes
#include "sorted_edges.hpp"  // sorted_edges

#include <stg/runtime/parallel.hpp>  // parallel_if_worth

#include <thrust/execution_policy.h>       // seq
#include <thrust/iterator/zip_iterator.h>  // make_zip_iterator

#include <algorithm>  // lower_bound, max, sort
#include <utility>    // pair

namespace stg::detail {

namespace {

namespace thrust = build::thrust;

struct weighed_before {
  template <class A, class B> bool operator()(const A& a, const B& b) const {
    const std::uint64_t left = thrust::get<0>(a), right = thrust::get<0>(b);
    return left != right ? left < right : weight_order(thrust::get<1>(a)) < weight_order(thrust::get<1>(b));
  }
};

/// Elements of edges with weights: pairs that lie in two arrays.
template <class Key, class Weight> auto pairs(Key* keys, Weight* weights, std::int64_t at) {
  return thrust::make_zip_iterator(thrust::make_tuple(keys + at, weights + at));
}

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
  const std::size_t had = to.keys.size();
  to.keys.resize(had + static_cast<std::size_t>(of.size));
  std::size_t size = 0;
  if (of.weights == nullptr && without.weights == nullptr) {
    size = static_cast<std::size_t>(thrust::set_difference(thrust::seq, of.keys, of.keys + of.size, without.keys,
                                                           without.keys + without.size, to.keys.data() + had) -
                                    to.keys.data());
  } else {
    to.weights.resize(to.keys.size());
    const auto out = pairs(to.keys.data(), to.weights.data(), static_cast<std::int64_t>(had));
    size =
        had + static_cast<std::size_t>(
                  thrust::set_difference(thrust::seq, pairs(of.keys, of.weights, 0),
                                         pairs(of.keys, of.weights, of.size), pairs(without.keys, without.weights, 0),
                                         pairs(without.keys, without.weights, without.size), out, weighed_before()) -
                  out);
    to.weights.resize(size);
  }
  to.keys.resize(size);
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
    if (weights == nullptr)
      build::take_changes(thrust::seq, from.keys + first, from.keys + last, removed.keys + first_removed,
                          removed.keys + last_removed, added.keys + first_added, added.keys + last_added,
                          scratch.keys.data() + first, keys + to, thrust::less<std::uint64_t>());
    else
      build::take_changes(
          thrust::seq, pairs(from.keys, from.weights, first), pairs(from.keys, from.weights, last),
          pairs(removed.keys, removed.weights, first_removed), pairs(removed.keys, removed.weights, last_removed),
          pairs(added.keys, added.weights, first_added), pairs(added.keys, added.weights, last_added),
          pairs(scratch.keys.data(), scratch.weights.data(), first), pairs(keys, weights, to), weighed_before());
  });
}

}  // namespace stg::detail
