// Making the snapshots of a graph sequence on a device: its kernels come with a file compiled as CUDA that includes
// snapshots_on_gpu.hpp, which installs them here.
#pragma once

#include <cstdint>      // int32_t, int64_t
#include <string_view>  // string_view

#include <stg/runtime/cuda/device.hpp>  // device
#include <stg/runtime/edge_span.hpp>    // edge_span

namespace stg::gpu {

/// A snapshot is made of the one before it: edges on the device, and room there for edges that stay and for the new
/// ones.
struct snapshot_change {
  stg::detail::edge_span from;
  stg::detail::edge_changes changes;
  stg::detail::edge_room kept, to;
};

/// The rows of a snapshot's graph, in memory of the device. Of in-edges the ids are positions.
struct snapshot_rows {
  struct side {
    std::int64_t* offsets;       // (vertices + 1)
    std::int32_t* neighbours;    // (edges)
    std::int64_t* ids;           // (edges); null of in-edges
    std::int32_t* order;         // (vertices) as rows_by_degree has them
    std::int32_t* long_row;      // (long rows) rows of more than part_edges edges
    std::int32_t* first_part;    // (long rows + 1)
    std::int32_t long_rows = 0;  // how many there are
  };
  std::int64_t vertices = 0;
  stg::detail::edge_span edges;
  std::int32_t part_edges = 0;
  side in, out;
  std::int32_t* sorted = nullptr;   // scratch: (edges)
  std::int32_t* degrees = nullptr;  // (vertices)
  std::int32_t* bins = nullptr;     // (vertices)
};

/// Work on a stream of the current device; complete or not when they return.
struct snapshot_functions {
  void (*take)(device&, stream_handle, const snapshot_change&);
  void (*make_rows)(device&, stream_handle, const snapshot_rows&);
  std::string_view architectures;  // of the compiled kernels
};

/// Installs the program's functions from now on, and returns the earlier ones. They must live as long.
const snapshot_functions* install_snapshots(const snapshot_functions*) noexcept;
/// Null where no file of the program has any.
const snapshot_functions* installed_snapshots() noexcept;

}  // namespace stg::gpu
