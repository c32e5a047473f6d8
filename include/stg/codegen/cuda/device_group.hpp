// The thread-group interface in CUDA C++: every call is inlined and becomes one or a few instructions.
#pragma once

#if defined(__CUDACC__)

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/cuda/group.hpp>  // pack, Kernel, divides_block

namespace stg::gpu {

namespace detail {

/// An unsigned number, or a vector of them, of so many bytes: what one instruction moves.
template <std::size_t Bytes> struct word;
template <> struct word<1> { using type = unsigned char; };
template <> struct word<2> { using type = unsigned short; };
template <> struct word<4> { using type = unsigned int; };
template <> struct word<8> { using type = uint2; };
template <> struct word<16> { using type = uint4; };

/// A T as the words that move it: one, or several of 16 bytes.
template <class T> struct words {
  static constexpr int count = sizeof(T) <= 16 ? 1 : sizeof(T) / 16;
  using type = typename word<sizeof(T) / count>::type;
  type at[count];
};

/// The same bits as another type of the same size. It costs nothing: both live in registers. By value: through
/// a reference to memory the compiler forgets what the address is a multiple of, and moves bytes.
template <class To, class From> __device__ __forceinline__ To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

/// A T of words that `load` takes from p.
template <class T, class Load> __device__ __forceinline__ T load_words(const void* p, Load load) {
  words<T> loaded;
#pragma unroll
  for (int i = 0; i < words<T>::count; ++i) loaded.at[i] = load(static_cast<const typename words<T>::type*>(p) + i);
  return bits_as<T>(loaded);
}

/// Shared memory that a reduction over more than 32 lanes passes its partial results through: one for each run of 32.
/// It takes room only in kernels that call it.
__device__ __forceinline__ void* partial_results() {
  __shared__ uint2 results[32];
  return results;
}

/// The address that instructions of shared memory take.
__device__ __forceinline__ unsigned shared_address(void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

}  // namespace detail

/// Access to memory, the part that blocks and groups have in common.
struct device_memory {
  template <class T> __device__ __forceinline__ T load(const T* p) const { return *p; }
  template <class T> __device__ __forceinline__ void store(T* p, T v) const { *p = v; }

  template <int N, class T> __device__ __forceinline__ pack<T, N> load_pack(const T* p) const {
    return detail::load_words<pack<T, N>>(p, [](auto* word) { return *word; });
  }
  template <class T, int N> __device__ __forceinline__ void store_pack(T* p, const pack<T, N>& v) const {
    using words = detail::words<pack<T, N>>;
    const words stored = detail::bits_as<words>(v);
#pragma unroll
    for (int i = 0; i < words::count; ++i) reinterpret_cast<typename words::type*>(p)[i] = stored.at[i];
  }

  template <class T> __device__ __forceinline__ T load_constant(const T* p) const {
    return detail::load_words<T>(p, [](auto* word) { return __ldg(word); });
  }
  template <int N, class T> __device__ __forceinline__ pack<T, N> load_constant_pack(const T* p) const {
    return detail::load_words<pack<T, N>>(p, [](auto* word) { return __ldg(word); });
  }

  template <class T> __device__ __forceinline__ T atomic_add(T* p, T v) const {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      return static_cast<T>(atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(v)));
    } else {
      static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomic_add takes a number of 4 or 8 bytes");
      return atomicAdd(p, v);
    }
  }

  template <int N = 1, class T> __device__ __forceinline__ void copy_async(T* to, const T* from) const {
    constexpr int bytes = N * sizeof(T);
    static_assert(bytes == 4 || bytes == 8 || bytes == 16, "copy_async moves 4, 8 or 16 bytes");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (bytes ==
                  16)  // past the L1 cache, which only a copy of 16 bytes can do: the data is read from shared memory
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(detail::shared_address(to)), "l"(from) : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(detail::shared_address(to)), "l"(from), "n"(bytes)
                   : "memory");
#else
    using word = typename detail::word<bytes>::type;
    *reinterpret_cast<word*>(to) = *reinterpret_cast<const word*>(from);
#endif
  }
  __device__ __forceinline__ void wait_copies() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  }
};

/// Up to 32 lanes of one warp.
template <int Lanes> class device_group : public device_memory {
 public:
  __device__ __forceinline__ int rank() const { return static_cast<int>(threadIdx.x) & (Lanes - 1); }
  __host__ __device__ static constexpr int size() { return Lanes; }
  __device__ __forceinline__ void sync() const { __syncwarp(mask()); }

  template <class T> __device__ __forceinline__ T shuffle(T v, int from) const {
    return exchange(v, [&](unsigned word) { return __shfl_sync(mask(), word, from, Lanes); });
  }
  template <class T, class Op> __device__ __forceinline__ T reduce(T v, Op op) const {
#pragma unroll
    for (int step = Lanes / 2; step > 0; step /= 2)
      v = op(v, exchange(v, [&](unsigned word) { return __shfl_xor_sync(mask(), word, step, Lanes); }));
    return v;
  }
  __device__ __forceinline__ unsigned ballot(bool b) const {
    unsigned bits = __ballot_sync(mask(), b);
    return Lanes == 32 ? bits : (bits >> first()) & low_bits;
  }
  __device__ __forceinline__ bool any(bool b) const { return __any_sync(mask(), b); }

 private:
  static constexpr unsigned low_bits = Lanes == 32 ? ~0u : (1u << (Lanes & 31)) - 1;
  /// Which lane of the warp the group's first one is. The launch has one dimension, so a warp is 32 consecutive
  /// threads.
  __device__ __forceinline__ unsigned first() const { return threadIdx.x & 31u & ~unsigned(Lanes - 1); }
  __device__ __forceinline__ unsigned mask() const { return Lanes == 32 ? ~0u : low_bits << first(); }

  /// Applies `move` to each 32-bit word of v: shuffles move 32 bits.
  template <class T, class Move> __device__ __forceinline__ T exchange(T v, Move move) const {
    if constexpr (sizeof(T) < 4) {
      using word = typename detail::word<sizeof(T)>::type;
      return detail::bits_as<T>(static_cast<word>(move(detail::bits_as<word>(v))));
    } else {
      constexpr int count = sizeof(T) / 4;
      struct words {
        unsigned at[count];
      } moved = detail::bits_as<words>(v);
#pragma unroll
      for (int i = 0; i < count; ++i) moved.at[i] = move(moved.at[i]);
      return detail::bits_as<T>(moved);
    }
  }
};

/// All threads of a block, more than 32 of them.
template <int Lanes>
  requires(Lanes > 32)
class device_group<Lanes> : public device_memory {
 public:
  __device__ __forceinline__ int rank() const { return static_cast<int>(threadIdx.x); }
  __host__ __device__ static constexpr int size() { return Lanes; }
  __device__ __forceinline__ void sync() const { __syncthreads(); }

  template <class T, class Op> __device__ __forceinline__ T reduce(T v, Op op) const {
    static_assert(sizeof(T) <= 8, "a reduction over more than 32 lanes takes a number of up to 8 bytes");
    T* partial = static_cast<T*>(detail::partial_results());  // (Lanes / 32)
    v = device_group<32>().reduce(v, op);
    if (rank() % 32 == 0) partial[rank() / 32] = v;
    __syncthreads();
    v = partial[0];
#pragma unroll
    for (int i = 1; i < Lanes / 32; ++i) v = op(v, partial[i]);
    __syncthreads();  // the next reduction writes there
    return v;
  }
};

/// One thread's view of its block.
class device_block : public device_memory {
 public:
  __device__ __forceinline__ std::int64_t index() const { return blockIdx.x; }
  __device__ __forceinline__ std::int64_t count() const { return gridDim.x; }
  __device__ __forceinline__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ __forceinline__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ __forceinline__ void sync() const { __syncthreads(); }
  __device__ __forceinline__ std::byte* shared() const {
    extern __shared__ uint4 memory[];  // uint4: 16 bytes of alignment
    return reinterpret_cast<std::byte*>(memory);
  }
  template <int Lanes> __device__ __forceinline__ device_group<Lanes> group() const {
    static_assert(divides_block<Lanes>(),
                  "a group has 1, 2, 4, 8, 16 or 32 lanes, or all of its block, a multiple of 32");
    return {};
  }
};

/// Runs a kernel: `run_kernel<<<grid.blocks, grid.threads, grid.shared_bytes, stream>>>(kernel)`.
template <class Kernel> __global__ void run_kernel(const __grid_constant__ Kernel kernel) {
  static_assert(gpu::Kernel<Kernel>,
                "stg: a kernel has more arguments than CUDA passes to it; split the vertex function");
  device_block block;
  kernel(block);
}

}  // namespace stg::gpu

#endif
