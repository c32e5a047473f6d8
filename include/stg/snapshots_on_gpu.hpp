// Graph sequences that keep their changes on a GPU and make each step there: included in one file of a program, which
// is compiled as CUDA. `sequence.to(stg::cuda())` of a sequence of changes then brings these rather than all snapshots.
//
// Thrust's set operations, scans and sorts take nvcc half a minute for each architecture, so no other header includes
// this one. In a file that is compiled for the CPU alone there is nothing in it.
#pragma once

#if defined(__CUDACC__)
#include <stg/runtime/cuda/snapshots.hpp>  // install_snapshots
#include <stg/runtime/snapshot_build.hpp>  // make_rows, make_snapshot

#include <thrust/system/cuda/execution_policy.h>  // par
#include <thrust/system_error.h>                  // system_error

#include <stg/base/error.hpp>  // error

#include <cstddef>  // ptrdiff_t, size_t
#include <string>   // string

#if !defined(STG_CUDA_ARCHITECTURES)
#error "stg: a file that is compiled as CUDA is added with stg_add_program(target file.cpp) in CMake"
#endif

namespace stg::gpu {

namespace detail {

/// Thrust's scratch from the device's pool.
struct pool_for_thrust {
  using value_type = char;
  device* on;
  stream_handle stream;

  char* allocate(std::ptrdiff_t bytes) {
    return static_cast<char*>(on->allocate(static_cast<std::int64_t>(bytes), stream, {"graph sequence"}));
  }
  void deallocate(char* memory, std::size_t) { on->free(memory, stream); }
};

template <class Work> void by_thrust(device& on, stream_handle stream, const Work& work) {
  pool_for_thrust pool{&on, stream};
  try {
    work(::thrust::cuda::par(pool).on(stream));
  } catch (const ::thrust::system_error& e) {
    throw error(std::string("graph sequence: ") + e.what());
  }
}

inline constexpr snapshot_functions snapshots_by_thrust{
    [](device& on, stream_handle stream, const snapshot_change& c) {
      by_thrust(on, stream, [&](const auto& policy) { build::make_snapshot(policy, c); });
    },
    [](device& on, stream_handle stream, const snapshot_rows& r) {
      by_thrust(on, stream, [&](const auto& policy) { build::make_rows(policy, r); });
    },
    STG_CUDA_ARCHITECTURES};

}  // namespace detail

[[maybe_unused]] inline const auto snapshots_before = install_snapshots(&detail::snapshots_by_thrust);

}  // namespace stg::gpu
#endif
