// What ranks exchange of a part that lies on a device: lists of rows there, and the tree of sums as pairs to be joined.
#pragma once

#include <stg/base/error.hpp>            // error
#include <stg/runtime/const_tensor.hpp>  // memory
#include <stg/runtime/rank_rows.hpp>     // rank_rows, way_of

#include "device_link.hpp"  // device_link

#include <array>    // array
#include <cstdint>  // int32_t, int64_t
#include <memory>   // shared_ptr
#include <vector>   // vector

namespace stg::gpu {

/// Row numbers on the device.
struct row_list {
  const std::int32_t* rows = nullptr;
  std::int64_t count = 0;
};
/// Those that this rank exchanges with each other one, by rank.
struct rows_of_ranks {
  std::vector<row_list> sent{}, taken{};
};

/// Nodes of sums are numbered by their first blocks that have rows, and lie in as many places as there are blocks.
struct tree_on_device {
  row_list own_pairs{}, last_pairs{};  // to be joined, two numbers each: of this rank's blocks, then of all ranks'
  rows_of_ranks nodes{};
  int root = -1;  // -1: there are no rows
};

struct rows_on_device {
  std::shared_ptr<device_link> link{};
  rows_of_ranks vertices{}, edges_made_in{}, edges_made_out{};
  tree_on_device tree{};
  std::vector<std::int64_t> block_edges{};  // (own blocks + 1): the first edge into each block's rows
  stg::detail::memory arrays{};
};

/// Sweeps by columns run on the CPU alone.
inline void check_cut_by_rows(const rank_rows& part) {
  if (way_of(&part) != cut_by::rows)
    throw error(
        "the part of a rank is cut by features, which runs on the CPU; on devices cut it by rows, "
        "stg::distributed_graph(cut, ranks)");
}

}  // namespace stg::gpu
