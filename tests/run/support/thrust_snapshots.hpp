// Snapshots of a graph sequence on a fake of CUDA: by Thrust's host backend, when the stream comes to them.
#pragma once

#include "emulated_launcher.hpp"  // emulated_launcher

#include <stg/runtime/cuda/snapshots.hpp>  // install_snapshots
#include <stg/runtime/snapshot_build.hpp>  // make_rows, make_snapshot

#include <thrust/execution_policy.h>  // host

namespace stg::test {

inline constexpr gpu::snapshot_functions snapshots_by_thrust{
    [](gpu::device&, gpu::stream_handle on, const gpu::snapshot_change& c) {
      emulated_launcher::on->launch(on, [c] { build::make_snapshot(build::thrust::host, c); });
    },
    [](gpu::device&, gpu::stream_handle on, const gpu::snapshot_rows& r) {
      emulated_launcher::on->launch(on, [r] { build::make_rows(build::thrust::host, r); });
    },
    "80"};

/// They are the program's while this lives.
class thrust_in_place {
 public:
  thrust_in_place() = default;
  thrust_in_place(const thrust_in_place&) = delete;
  ~thrust_in_place() { gpu::install_snapshots(before_); }

 private:
  const gpu::snapshot_functions* before_ = gpu::install_snapshots(&snapshots_by_thrust);
};

}  // namespace stg::test
