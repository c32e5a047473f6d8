// A launcher (codegen/cuda/launch.hpp) for a CUDA of the host's: the emulator runs a kernel when its stream comes to
// it.
#pragma once

#include "emulator/launch.hpp"  // launch
#include "fake_cuda.hpp"        // fake_cuda

#include <stg/codegen/cuda/group.hpp>  // grid

#include <atomic>       // atomic
#include <string_view>  // string_view

namespace stg::test {

struct emulated_launcher {
  static inline fake_cuda* on = nullptr;
  static inline emulator::options options{};
  static inline std::atomic<int> launches = 0;
  template <class Kernel> static void launch(const Kernel& kernel, const gpu::grid& grid, CUstream_st* stream) {
    ++launches;
    on->launch(stream, [kernel, grid] { emulator::launch(kernel, grid, options); });
  }
  static constexpr std::string_view architectures() { return "80"; }
};

}  // namespace stg::test
