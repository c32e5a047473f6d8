// Where the measured programs run: on device 0; with STG_BENCH_ON_HOST the same kernels on the host's threads, which
// is how the benchmark is checked where there is no device.
#pragma once

#include <stg/stg.hpp>  // compile, compile_for_training, value_and_grad

#if defined(STG_BENCH_ON_HOST)
#include <stg/codegen/cuda/host.hpp>  // host_backend
#endif

namespace device_bench {

#if defined(STG_BENCH_ON_HOST)
inline constexpr bool on_device = false;
inline constexpr stg::location place = stg::host;
template <const auto& F> auto compiled() { return stg::model<stg::program_of<F>, stg::gpu::host_backend>(); }
template <const auto& F> auto compiled_for_training() {
  return stg::detail::checked_trainer<F>(stg::gpu::host_backend());
}
#else
inline constexpr bool on_device = true;
inline constexpr stg::cuda place{0};
template <const auto& F> auto compiled() { return stg::compile<F>(place); }
template <const auto& F> auto compiled_for_training() { return stg::compile_for_training<F>(place); }
#endif

}  // namespace device_bench
