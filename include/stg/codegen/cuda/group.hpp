// The thread-group interface: all that a kernel knows of the machine it runs on, and how CUDA provides it.
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // int64_t
#include <type_traits>  // is_trivially_copyable

#include <stg/base/config.hpp>        // STG_HOST_DEVICE
#include <stg/codegen/cuda/pack.hpp>  // pack

/// A kernel is a trivially copyable struct of at most kernel_bytes that is called once per thread:
///
///     struct scale {
///       float* x;           // (count)
///       std::int64_t count;
///       template <class Block> STG_HOST_DEVICE void operator()(Block& block) const {
///         std::int64_t i = block.index() * block.threads() + block.thread();
///         if (i < count) block.store(x + i, 2 * block.load(x + i));
///       }
///     };
///
/// It touches memory that other threads can see only through its block and the groups of it. On a GPU every call below
/// is one or a few instructions; tests execute the same source on the host, where each call is checked
/// (tests/emulator/README.md).
///
/// What a Block offers, an object for each thread:
///
///     std::int64_t index(), count();  // this block, all blocks of the launch
///     int thread(), threads();        // this thread, all threads of the block
///     void sync();                    // barrier of the block: what was stored before it is seen by all after it
///     std::byte* shared();            // the block's shared memory, grid::shared_bytes of it, at a multiple of 16
///     auto group<Lanes>();            // the Lanes consecutive threads that this one is among
///
/// What a group offers. Lanes is 1, 2, 4, 8, 16 or 32, and threads() a multiple of it; or it equals threads(), a
/// multiple of 32. All lanes of a group make its calls together, from the same line of the kernel.
///
///     int rank();                     // which of its lanes this thread is
///     static constexpr int size();    // Lanes
///     void sync();                    // barrier of its lanes: what was stored before it is seen by them after it
///     T shuffle(T v, int from);       // the v of lane `from`, 0 <= from < size()              Lanes <= 32
///     unsigned ballot(bool b);        // bit i: lane i passed true                             Lanes <= 32
///     bool any(bool b);               // whether a lane passed true                            Lanes <= 32
///     T reduce(T v, Op op);           // the v of all lanes combined, the same bits in every lane
///
/// reduce pairs lanes whose numbers differ in one bit, the highest first, so it asks for a commutative op and its order
/// is fixed; more than 32 lanes first combine in runs of 32, then the runs in ascending order. shuffle, ballot, any and
/// a reduce of up to 32 lanes order no memory; a reduce of more is a barrier of its lanes as well.
///
/// Memory, offered by blocks and groups alike; addresses are multiples of what is moved at once:
///
// clang-format off
///     T load(const T* p);                              // 1, 2, 4 or 8 bytes
///     void store(T* p, T v);
///     pack<T, N> load_pack<N>(const T* p);             // up to 16 bytes in one access
///     void store_pack(T* p, pack<T, N> v);
///     T load_constant(const T* p);                     // what no thread of the launch writes
///     pack<T, N> load_constant_pack<N>(const T* p);
///     T atomic_add(T* p, T v);                         // the number before; float, double, integers of 4 or 8 bytes
///     void copy_async<N>(T* to, const T* from);        // global to shared memory, 4, 8 or 16 bytes, without waiting
///     void wait_copies();                              // they are there: for this thread, for others after a barrier
// clang-format on
namespace stg::gpu {

/// How a kernel is launched: how many blocks, threads in each (1 to 1024), bytes of shared memory that each block has.
struct grid {
  std::int64_t blocks = 0;
  int threads = 0;
  int shared_bytes = 0;
};

/// The most bytes that a kernel may have: it is passed by value. A unit of a program takes some 20 for each value.
#if defined(__CUDACC_VER_MAJOR__) && \
    (__CUDACC_VER_MAJOR__ < 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ < 1))
inline constexpr std::size_t kernel_bytes = 4096;
#else
inline constexpr std::size_t kernel_bytes = 32764;
#endif

/// What can be launched.
template <class T>
concept Kernel = std::is_trivially_copyable_v<T> && sizeof(T) <= kernel_bytes;

/// Whether a block of `threads` threads, 0 when that is not known, divides into groups of Lanes.
template <int Lanes> STG_HOST_DEVICE constexpr bool divides_block(int threads = 0) {
  if (Lanes > 32) return Lanes % 32 == 0 && Lanes <= 1024 && (threads == 0 || threads == Lanes);
  return Lanes >= 1 && (Lanes & (Lanes - 1)) == 0 && threads % Lanes == 0;
}

}  // namespace stg::gpu

#if defined(__CUDACC__)
#include <stg/codegen/cuda/device_group.hpp>  // device_block, run_kernel
#endif
