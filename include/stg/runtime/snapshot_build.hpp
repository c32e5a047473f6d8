// Making snapshots on a device over Thrust, written once for a GPU's execution policy and those of the host.
#pragma once

#include <stg/runtime/cuda/snapshots.hpp>  // snapshot_change, snapshot_rows
#include <stg/runtime/graph_build.hpp>     // sort_into_rows, take_changes

#include <thrust/fill.h>                         // fill_n
#include <thrust/iterator/transform_iterator.h>  // make_transform_iterator
#include <thrust/transform_scan.h>               // transform_inclusive_scan

#include <cstdint>  // int32_t, int64_t, uint64_t

namespace stg::build {

struct first_key_of_row {
  STG_HOST_DEVICE std::uint64_t operator()(std::int64_t row) const { return stg::detail::edge_key(0, row); }
};
struct source_of_key {
  STG_HOST_DEVICE std::int32_t operator()(std::uint64_t key) const { return stg::detail::source_of(key); }
};
struct destination_of_key {
  STG_HOST_DEVICE std::int32_t operator()(std::uint64_t key) const { return stg::detail::destination_of(key); }
};
/// Rows of one bin have about as many edges (row_order.hpp).
struct bin_of_degree {
  STG_HOST_DEVICE std::int32_t operator()(std::int32_t degree) const {
    std::int32_t bin = 63;
    for (; degree > 0; degree >>= 1) --bin;
    return bin;
  }
};
struct is_long {
  std::int32_t part_edges;
  STG_HOST_DEVICE bool operator()(std::int32_t degree) const { return degree > part_edges; }
};
struct parts_of_row {
  const std::int32_t* degrees;
  std::int32_t part_edges;
  STG_HOST_DEVICE std::int32_t operator()(std::int32_t row) const { return (degrees[row] - 1) / part_edges + 1; }
};

/// The edges of a snapshot, of the one before it.
template <class Policy> void make_snapshot(const Policy& on, const gpu::snapshot_change& c) {
  take_changes(on, c.from, c.changes, c.kept, c.to);
}

/// The order in which groups take the rows of a side, and which of them are long. degrees: those of the side.
template <class Policy>
void order_rows(const Policy& on, const gpu::snapshot_rows& r, const gpu::snapshot_rows::side& s) {
  thrust::fill_n(on, s.first_part, 1, 0);
  if (r.vertices == 0) return;
  thrust::transform(on, r.degrees, r.degrees + r.vertices, r.bins, bin_of_degree());
  thrust::sequence(on, s.order, s.order + r.vertices);
  thrust::stable_sort_by_key(on, r.bins, r.bins + r.vertices, s.order);
  if (s.long_rows == 0) return;
  const thrust::counting_iterator<std::int32_t> row(0);
  thrust::copy_if(on, row, row + static_cast<std::int32_t>(r.vertices), r.degrees, s.long_row, is_long{r.part_edges});
  thrust::transform_inclusive_scan(on, s.long_row, s.long_row + s.long_rows, s.first_part + 1,
                                   parts_of_row{r.degrees, r.part_edges}, thrust::plus<std::int32_t>());
}

/// The rows of the graph whose edges these are, both ways.
template <class Policy> void make_rows(const Policy& on, const gpu::snapshot_rows& r) {
  const std::uint64_t *const keys = r.edges.keys, *const end = keys + r.edges.size;
  const auto of_source = thrust::make_transform_iterator(keys, source_of_key());
  const auto of_destination = thrust::make_transform_iterator(keys, destination_of_key());
  const auto first_key =
      thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), first_key_of_row());
  thrust::lower_bound(on, keys, end, first_key, first_key + r.vertices + 1, r.in.offsets);
  thrust::copy(on, of_source, of_source + r.edges.size, r.in.neighbours);
  thrust::transform(on, r.in.offsets + 1, r.in.offsets + r.vertices + 1, r.in.offsets, r.degrees,
                    thrust::minus<std::int64_t>());
  order_rows(on, r, r.in);
  sort_into_rows(on, r.edges.size, of_source, of_destination,
                 rows{r.vertices, r.out.offsets, r.out.neighbours, r.out.ids, r.degrees}, r.sorted);
  order_rows(on, r, r.out);
}

}  // namespace stg::build
