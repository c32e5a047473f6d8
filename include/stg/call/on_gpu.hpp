// Programs for a GPU: `stg::compile<gat>(stg::cuda())` and its kin, in files that are compiled as CUDA.
#pragma once

#include <stg/call/model.hpp>     // checked_model
#include <stg/call/training.hpp>  // checked_trainer, checked_step
#include <stg/runtime/cuda.hpp>   // cuda

#if defined(__CUDACC__)
#include <stg/codegen/cuda/device_backend.hpp>  // device_backend
#include <stg/codegen/cuda/group.hpp>           // run_kernel
#include <stg/codegen/cuda/update.hpp>          // updates_of
#endif

namespace stg {

#if defined(__CUDACC__)
#if !defined(STG_CUDA_ARCHITECTURES)
#error "stg: a file that is compiled as CUDA is added with stg_add_program(target file.cpp) in CMake"
#endif
namespace gpu {

struct cuda_launcher {
  template <class Kernel> static void launch(const Kernel& kernel, const grid& g, CUstream_st* stream) {
    run_kernel<<<static_cast<unsigned>(g.blocks), static_cast<unsigned>(g.threads),
                 static_cast<std::size_t>(g.shared_bytes), stream>>>(kernel);
  }
  static constexpr std::string_view architectures() { return STG_CUDA_ARCHITECTURES; }
};

/// Optimisers of this program update parameters in place.
[[maybe_unused]] inline const auto updates_before = install_updates(&updates_of<cuda_launcher>);

}  // namespace gpu

namespace detail {
template <const auto&> using backend_on_gpu = gpu::device_backend<gpu::cuda_launcher>;
}  // namespace detail
#else
namespace detail {

/// Replaces the backend for programs without kernels for it.
struct no_backend_on_gpu : default_backend {
  explicit no_backend_on_gpu(const cuda&) {}
};
template <const auto&> inline constexpr bool is_compiled_as_cuda = false;
template <const auto& F> struct backend_or_mistake {
  static_assert(is_compiled_as_cuda<F>,
                "stg: this file has no kernels for GPUs; add it with stg_add_program(target file.cpp) in CMake");
  using type = no_backend_on_gpu;
};
template <const auto& F> using backend_on_gpu = typename backend_or_mistake<F>::type;

}  // namespace detail
#endif

/// The same program on a GPU: `to(stg::cuda())` brings tensors, parameters and the graph there, and results lie there.
/// Calls do not wait for the device; bringing a result back does. Errors: as on the CPU, of the device, and for
/// arguments elsewhere.
///
///   auto layer = stg::compile<gat>(stg::cuda());
///   auto out = layer(graph.to(stg::cuda()), h = H.to(stg::cuda()), params.to(stg::cuda())).to(stg::host);
template <const auto& F> auto compile(const cuda& where) {
#include <stg/call/look_into.inc>
  return detail::checked_model<ref<F>>(detail::backend_on_gpu<F>(where));
}

/// As compile_for_training, on a GPU.
template <const auto& F, const auto&... Wrt> auto compile_for_training(const cuda& where) {
#include <stg/call/look_into.inc>
  return detail::checked_trainer<ref<F>, detail::backend_on_gpu<F>, std::remove_cvref_t<decltype(Wrt)>...>(
      detail::backend_on_gpu<F>(where));
}

/// As value_and_grad, on a GPU. The loss is brought to the host, which waits for the step.
template <const auto& F, const auto&... Wrt> auto value_and_grad(const cuda& where) {
#include <stg/call/look_into.inc>
  return detail::checked_step<ref<F>, detail::backend_on_gpu<F>, std::remove_cvref_t<decltype(Wrt)>...>(
      detail::backend_on_gpu<F>(where));
}

}  // namespace stg
