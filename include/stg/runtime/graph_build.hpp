// Building adjacencies over Thrust, written once for plain C++ and a GPU's execution policy.
//
// Included by the library's sources, and by snapshots_on_gpu.hpp; nobody else pays for Thrust.
#pragma once

#if !defined(__CUDACC__) && !defined(THRUST_DEVICE_SYSTEM)
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP  // there is no CUDA that its headers could include
#endif

#include <stg/base/config.hpp>        // STG_HOST_DEVICE
#include <stg/runtime/edge_span.hpp>  // edge_span, edge_changes

#include <thrust/binary_search.h>               // lower_bound
#include <thrust/copy.h>                        // copy
#include <thrust/functional.h>                  // minus
#include <thrust/gather.h>                      // gather
#include <thrust/iterator/counting_iterator.h>  // counting_iterator
#include <thrust/iterator/zip_iterator.h>       // make_zip_iterator
#include <thrust/merge.h>                       // merge
#include <thrust/sequence.h>                    // sequence
#include <thrust/set_operations.h>              // set_difference
#include <thrust/sort.h>                        // stable_sort_by_key
#include <thrust/transform.h>                   // transform

#include <cstdint>  // int32_t, int64_t

namespace stg::build {

namespace thrust = THRUST_NS_QUALIFIER;

/// One direction of a graph, in memory of the policy's side.
struct rows {
  std::int64_t count;        // rows
  std::int64_t* offsets;     // (rows + 1)
  std::int32_t* neighbours;  // (edges)
  std::int64_t* positions;   // (edges) where each edge stood in the order that was sorted
  std::int32_t* degrees;     // (rows)
};

/// Sorts edges by the row that they belong to, keeping the order within a row.
/// row_of, neighbour_of: (edges), in the given order; sorted_rows: (edges), the rows in the new order.
template <class Policy, class RowOf, class NeighbourOf>
void sort_into_rows(const Policy& on, std::int64_t edges, RowOf row_of, NeighbourOf neighbour_of, rows out,
                    std::int32_t* sorted_rows) {
  if (edges > 0) {  // on one thread copies are memcpy's, which no null may reach
    thrust::copy(on, row_of, row_of + edges, sorted_rows);
    thrust::sequence(on, out.positions, out.positions + edges);
    thrust::stable_sort_by_key(on, sorted_rows, sorted_rows + edges, out.positions);
    thrust::gather(on, out.positions, out.positions + edges, neighbour_of, out.neighbours);
  }
  const thrust::counting_iterator<std::int64_t> row(0);
  thrust::lower_bound(on, sorted_rows, sorted_rows + edges, row, row + out.count + 1, out.offsets);
  thrust::transform(on, out.offsets + 1, out.offsets + out.count + 1, out.offsets, out.degrees,
                    thrust::minus<std::int64_t>());
}

/// The order of edges with weights.
struct weighed_before {
  template <class A, class B> STG_HOST_DEVICE bool operator()(const A& a, const B& b) const {
    const std::uint64_t left = thrust::get<0>(a), right = thrust::get<0>(b);
    if (left != right) return left < right;
    return stg::detail::weight_order(thrust::get<1>(a)) < stg::detail::weight_order(thrust::get<1>(b));
  }
};
/// Edges with weights as elements: pairs that lie in two arrays.
template <class Key, class Weight> auto pairs(Key* keys, Weight* weights) {
  return thrust::make_zip_iterator(thrust::make_tuple(keys, weights));
}

/// Writes the edges of `of` that `without` does not have, as often as they are more. Returns how many.
template <class Policy>
std::int64_t difference(const Policy& on, stg::detail::edge_span of, stg::detail::edge_span without,
                        stg::detail::edge_room to) {
  if (of.weights == nullptr && without.weights == nullptr)
    return thrust::set_difference(on, of.keys, of.keys + of.size, without.keys, without.keys + without.size, to.keys) -
           to.keys;
  const auto first = pairs(of.keys, of.weights), out = pairs(without.keys, without.weights);
  const auto begin = pairs(to.keys, to.weights);
  return thrust::set_difference(on, first, first + of.size, out, out + without.size, begin, weighed_before()) - begin;
}

/// Writes `from` without what is removed, all of which is there, and with what is added; an edge that is there several
/// times goes as often as it is removed. kept: room for what is not removed.
template <class Policy>
void take_changes(const Policy& on, stg::detail::edge_span from, const stg::detail::edge_changes& changes,
                  stg::detail::edge_room kept, stg::detail::edge_room to) {
  const std::int64_t left = difference(on, from, changes.removed, kept);
  const stg::detail::edge_span& added = changes.added;
  if (to.weights == nullptr) {
    thrust::merge(on, kept.keys, kept.keys + left, added.keys, added.keys + added.size, to.keys);
    return;
  }
  const auto first = pairs(kept.keys, kept.weights);
  const auto second = pairs(added.keys, added.weights);
  thrust::merge(on, first, first + left, second, second + added.size, pairs(to.keys, to.weights), weighed_before());
}

}  // namespace stg::build
