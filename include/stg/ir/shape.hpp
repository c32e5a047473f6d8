// The feature shape of one value: a short list of extents. Space axes (|V|, |E|) are not part of it.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t

namespace stg::ir {

/// One axis: an integer when >= 0, otherwise entry -1 - code of the program's table of run-time extents.
struct extent {
  std::int64_t code = 1;
  constexpr extent() = default;
  constexpr explicit extent(std::int64_t c) : code(c) {}
  constexpr bool is_static() const { return code >= 0; }
  constexpr bool is_one() const { return code == 1; }
  constexpr bool operator==(const extent&) const = default;
};

struct shape {
  static constexpr int max_rank = 4;
  struct rank_is_too_high {};  // thrown: a feature has more than max_rank axes

  int rank = 0;
  extent axes[max_rank]{};

  constexpr void push(extent e) {
    if (rank == max_rank) throw rank_is_too_high();
    axes[rank++] = e;
  }
  constexpr bool is_static() const {
    for (int i = 0; i < rank; ++i)
      if (!axes[i].is_static()) return false;
    return true;
  }
  /// Number of elements; only where is_static().
  constexpr std::int64_t size() const {
    std::int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= axes[i].code;
    return n;
  }
  constexpr bool is_scalar() const { return is_static() && size() == 1; }
  /// The axis counted from the right, as broadcasting does; 1 beyond the rank.
  constexpr extent from_right(int i) const { return i < rank ? axes[rank - 1 - i] : extent(); }
  constexpr bool operator==(const shape& other) const {
    if (rank != other.rank) return false;
    for (int i = 0; i < rank; ++i)
      if (!(axes[i] == other.axes[i])) return false;
    return true;
  }
};

/// Right-aligned broadcasting; ok is false if two extents differ and neither is 1.
struct broadcast_result {
  shape dims{};
  bool ok = true;
};

constexpr broadcast_result broadcast(const shape& a, const shape& b) {
  broadcast_result r;
  r.dims.rank = a.rank > b.rank ? a.rank : b.rank;
  for (int i = 0; i < r.dims.rank; ++i) {
    const extent x = a.from_right(i), y = b.from_right(i);
    r.ok = r.ok && (x == y || x.is_one() || y.is_one());
    r.dims.axes[r.dims.rank - 1 - i] = x.is_one() ? y : x;
  }
  return r;
}

}  // namespace stg::ir
