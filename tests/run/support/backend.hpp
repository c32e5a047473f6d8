// The backend that a test runs on: the CPU; with STG_EMULATED defined CUDA kernels on the emulator, with STG_ON_DEVICE
// a GPU, with STG_ON_FAKE_DEVICE all of the way to a GPU but for the GPU, with STG_ON_DRAFT the CPU without compiled
// kernels. A test that gets its programs here is compiled once for each.
#pragma once

#include <stg/stg.hpp>  // model, trainer

#if defined(STG_EMULATED)
#include "emulated.hpp"  // emulated
#elif defined(STG_ON_DEVICE)
#include "on_device.hpp"  // on_device
#elif defined(STG_ON_FAKE_DEVICE)
#include "emulated_launcher.hpp"  // emulated_launcher
#include "on_device.hpp"          // on_device
#elif defined(STG_ON_DRAFT)
#include <stg/codegen/draft/backend.hpp>  // draft
#else
#include "cut_rows.hpp"  // cut_rows
#endif

namespace stg::test {

#if defined(STG_EMULATED)
using backend = emulated;
#elif defined(STG_ON_DEVICE)
using backend = on_device<gpu::cuda_launcher>;
#elif defined(STG_ON_FAKE_DEVICE)
using backend = on_device<emulated_launcher>;
#elif defined(STG_ON_DRAFT)
using backend = draft;
#else
using backend = cut_rows;
#endif

/// Calls body(); on the CPU once more, with rows cut that have more than `edges` edges. Of other backends some cut
/// rows anyway, a draft never does.
template <class Body> void for_each_cut([[maybe_unused]] std::int32_t edges, const Body& body) {
  body();
#if !defined(STG_EMULATED) && !defined(STG_ON_DEVICE) && !defined(STG_ON_FAKE_DEVICE) && !defined(STG_ON_DRAFT)
  backend::long_row_edges = edges;
  body();
  backend::long_row_edges = 0;
#endif
}

/// As stg::compile, for this backend.
template <const auto& F> auto compiled() { return model<ref<F>, backend>(); }

/// As stg::compile_for_training, for this backend.
template <const auto& F> auto compiled_for_training() {
  using Ref = ref<F>;
  return trainer<Ref, stg::detail::all_real_outputs<Ref>, stg::detail::trainable_entries<Ref>, backend>();
}

}  // namespace stg::test
