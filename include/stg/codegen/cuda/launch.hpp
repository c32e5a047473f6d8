// Launching a kernel on a device.
#pragma once

#include <stg/codegen/cuda/group.hpp>   // grid
#include <stg/runtime/cuda/device.hpp>  // device, check_launch

namespace stg::gpu {

/// Launches a kernel on a stream of the current device; nothing when it has no blocks. Launcher: launches by nvcc's
/// syntax in files that are compiled as CUDA, `Launcher::launch(kernel, grid, stream)`, and by the emulator in tests;
/// and says for which architectures kernels are there.
template <class Launcher, class Kernel>
void launch_on(device& on, const Kernel& kernel, const grid& g, stream_handle stream, const purpose& why) {
  if (g.blocks == 0) return;
  on.calls().last_error();  // what was left by a release that failed is not the launch's
  Launcher::launch(kernel, g, stream);
  check_launch(on.calls(), why);
}
template <class Launcher, class Kernel>
void launch_on(device& on, const Kernel& kernel, stream_handle stream, const purpose& why) {
  launch_on<Launcher>(on, kernel, kernel.launched_with(), stream, why);
}

}  // namespace stg::gpu
