// partition, of vertices and edges that weigh more than one another.
#pragma once

#include <stg/sampling/clusters.hpp>  // partition

#include <cstdint>  // int32_t, int64_t, uint64_t
#include <span>     // span

namespace stg::detail {

/// The part of each vertex, as `partition` finds it: equal shares of `work`, (vertices), and the edges between parts
/// weigh as little as may be, (edges) by id.
tensor<std::int32_t> partition_by(const graph& g, std::int64_t parts, std::uint64_t number,
                                  std::span<const std::int64_t> work, std::span<const std::int64_t> edges);

}  // namespace stg::detail
