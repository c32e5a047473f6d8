// pack: a run of consecutive numbers that one thread moves between memory and registers in a single access.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstddef>  // size_t

namespace stg::gpu {

/// What a pack is aligned to, and with it the address that it is loaded from: its own size, at most 16 bytes, the
/// widest access of a thread.
template <class T, int N>
inline constexpr std::size_t pack_alignment = N * sizeof(T) < 16 ? N * sizeof(T) : std::size_t(16);

/// N consecutive numbers, N one of 1, 2, 4, 8. It is a plain array, so it lives in registers wherever its indices are
/// known when the kernel is compiled: unroll the loops over it.
///
///     auto x = group.template load_pack<4>(row + 4 * group.rank());  // (4), 128 bits at once for floats
///     for (int i = 0; i < 4; ++i) sum.at[i] += weight * x.at[i];
template <class T, int N> struct alignas(pack_alignment<T, N>) pack {
  static_assert(N == 1 || N == 2 || N == 4 || N == 8, "a pack has 1, 2, 4 or 8 numbers");
  T at[N];
};

}  // namespace stg::gpu
