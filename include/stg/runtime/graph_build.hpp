// Building adjacencies over Thrust, written once for every execution policy: OpenMP, plain C++, and a GPU's.
#pragma once

#include <stg/base/config.hpp>  // STG_HOST_DEVICE

#include <thrust/binary_search.h>               // lower_bound
#include <thrust/copy.h>                        // copy, copy_if
#include <thrust/functional.h>                  // minus
#include <thrust/gather.h>                      // gather
#include <thrust/iterator/counting_iterator.h>  // counting_iterator
#include <thrust/merge.h>                       // merge
#include <thrust/sequence.h>                    // sequence
#include <thrust/set_operations.h>              // set_difference
#include <thrust/sort.h>                        // stable_sort_by_key, sort
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
template <class Policy>
void sort_into_rows(const Policy& on, std::int64_t edges, const std::int32_t* row_of, const std::int32_t* neighbour_of,
                    rows out, std::int32_t* sorted_rows) {
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

/// Whether a sorted array has another value at i than at i - 1.
struct differs_from_previous {
  const std::uint64_t* sorted;
  STG_HOST_DEVICE bool operator()(std::int64_t i) const { return i == 0 || sorted[i] != sorted[i - 1]; }
};

/// Sorts edges, each packed into one number, and copies one of each to `distinct`. Returns how many there are.
/// edges: (count), sorted afterwards; distinct: room for (count). thrust::unique reads before the first element (1.17).
template <class Policy>
std::int64_t sort_unique(const Policy& on, std::uint64_t* edges, std::int64_t count, std::uint64_t* distinct) {
  if (count == 0) return 0;
  thrust::sort(on, edges, edges + count);
  const thrust::counting_iterator<std::int64_t> position(0);
  return thrust::copy_if(on, edges, edges + count, position, distinct, differs_from_previous{edges}) - distinct;
}

/// Sorted elements without some of them, and with others: ranges are pairs of iterators, all in the order of `before`.
/// An element that is there several times goes as often as it is removed. scratch: room for what is kept.
template <class Policy, class Sorted, class Scratch, class Out, class Before>
void take_changes(const Policy& on, Sorted first, Sorted last, Sorted first_removed, Sorted last_removed,
                  Sorted first_added, Sorted last_added, Scratch scratch, Out out, Before before) {
  const auto kept = thrust::set_difference(on, first, last, first_removed, last_removed, scratch, before);
  thrust::merge(on, scratch, kept, first_added, last_added, out, before);
}

}  // namespace stg::build
