// Edges of a snapshot in their one order: as one number each, with their weights.
#pragma once

#include <stg/base/config.hpp>  // STG_HOST_DEVICE

#include <bit>      // bit_cast
#include <cstdint>  // int32_t, int64_t, uint64_t

namespace stg::detail {

/// An edge as one number, which puts edges in the order of their ids: by destination, then by source.
STG_HOST_DEVICE constexpr std::uint64_t edge_key(std::int64_t src, std::int64_t dst) {
  return static_cast<std::uint64_t>(dst) << 32 | static_cast<std::uint64_t>(src);
}
STG_HOST_DEVICE constexpr std::int32_t source_of(std::uint64_t key) {
  return static_cast<std::int32_t>(key & 0xffffffffu);
}
STG_HOST_DEVICE constexpr std::int32_t destination_of(std::uint64_t key) {
  return static_cast<std::int32_t>(key >> 32);
}

/// A weight as a number in the order of weights, -0 before 0: equal where all bits are.
STG_HOST_DEVICE constexpr std::uint32_t weight_order(float weight) {
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
  /// How many edges have a smaller key. On the host.
  std::int64_t before(std::uint64_t key) const;
};
/// Room for edges.
struct edge_room {
  std::uint64_t* keys = nullptr;
  float* weights = nullptr;

  edge_room from(std::int64_t first) const { return {keys + first, weights == nullptr ? nullptr : weights + first}; }
};

/// What makes a snapshot of the one before it; the other way round, the one before of it.
struct edge_changes {
  edge_span removed, added;
};

}  // namespace stg::detail
