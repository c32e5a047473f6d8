// The GPU that tests of whole calls run on: kernels by the emulator and all else by a fake of CUDA; with STG_ON_DEVICE
// a GPU, where there is one. What only a fake can do is left out there: calls that fail, a second device, a look into
// its memory.
#pragma once

#include <stg/codegen/cuda/device_backend.hpp>  // device_backend

#ifdef STG_ON_DEVICE
#include <stg/stg.hpp>  // gpu::cuda_launcher, cuda
#else
#include "../run/support/cuda_on_host.hpp"       // cuda_on_host
#include "../run/support/each_call.hpp"          // fail_each_call, fake_cuda
#include "../run/support/emulated_launcher.hpp"  // emulated_launcher

#include <stg/codegen/cuda/update.hpp>  // updates_of
#endif

#include <gtest/gtest.h>  // Test

namespace stg::test {

#ifdef STG_ON_DEVICE
using gpu_launcher = gpu::cuda_launcher;

struct gpu_under_test : testing::Test {
  void SetUp() override {
    if (!stg::cuda::available()) GTEST_SKIP() << "not run: " << stg::cuda::problem();
  }
};
struct without_checks {
  without_checks() {}
};
#else
using gpu_launcher = emulated_launcher;

struct gpu_under_test : cuda_on_host {
  gpu_under_test() { emulated_launcher::on = &fake; }
  ~gpu_under_test() override { gpu::install_updates(before_); }

 private:
  const gpu::update_functions* before_ = gpu::install_updates(&gpu::updates_of<emulated_launcher>);
};

/// The emulator looks at no kernel while this lives: others do, and these run hundreds of times.
struct without_checks {
  without_checks() { emulated_launcher::options.checks = emulator::checks::none(); }
  ~without_checks() { emulated_launcher::options = {}; }
};
#endif

using on_gpu = gpu::device_backend<gpu_launcher>;

}  // namespace stg::test
