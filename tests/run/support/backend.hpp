// The backend that a test runs on: the CPU, or with STG_EMULATED defined CUDA kernels on the emulator. A test that gets
// its programs here is compiled once for each.
#pragma once

#include <stg/stg.hpp>  // model, trainer

#if defined(STG_EMULATED)
#include "emulated.hpp"  // emulated
#endif

namespace stg::test {

#if defined(STG_EMULATED)
using backend = emulated;
#else
using backend = cpu::backend;
#endif

/// As stg::compile, for this backend.
template <const auto& F> auto compiled() { return model<ref<F>, backend>(); }

/// As stg::compile_for_training, for this backend.
template <const auto& F> auto compiled_for_training() {
  using Ref = ref<F>;
  return trainer<Ref, stg::detail::all_real_outputs<Ref>, stg::detail::trainable_entries<Ref>, backend>();
}

}  // namespace stg::test
