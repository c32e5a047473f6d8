// The kernels of shipped layers, called plainly, forward and gradient, and those of optimisers. Compiled and looked at
// by layer_kernels.py.
#include <utility>  // integer_sequence

#include <stg/codegen/cuda/executable.hpp>  // executable
#include <stg/codegen/cuda/group.hpp>       // run_kernel
#include <stg/codegen/cuda/sweep.hpp>       // sweep_kernel
#include <stg/codegen/cuda/update.hpp>      // update_kernel
#include <stg/compile.hpp>                  // inferred, differentiated
#include <stg/dsl/outputs.hpp>              // outputs
#include <stg/dsl/scope.hpp>                // scope
#include <stg/nn/conv.hpp>                  // gcn_conv, gat_conv, …
#include <stg/nn/norm.hpp>                  // layer_norm
#include <stg/op/list.hpp>                  // the operators

namespace app {

inline constexpr auto x = stg::trainable(stg::vertex_feature<"x", 64>);
inline constexpr auto h = stg::trainable(stg::vertex_feature<"h", 128>);
inline constexpr auto w = stg::edge_feature<"w">;

inline constexpr auto weighted_sum = [](auto v) { return sum(v.in_edges()(w) * v.in_edges().src(v(h))); };

inline constexpr auto W = stg::parameter<"W", 64, 64>;
inline constexpr auto b = stg::parameter<"b", 64>;
inline constexpr auto gcn = [](auto v) { return relu(stg::nn::gcn_conv(v, v(x), W) + b); };

inline constexpr auto from = stg::parameter<"from", 8, 8>;
inline constexpr auto to = stg::parameter<"to", 8, 8>;
inline constexpr auto gat = [](auto v) { return elu(stg::nn::gat_conv(v, v(x), W, from, to, 0.6)); };

#if defined(STG_EVERY_LAYER)
inline constexpr auto U = stg::parameter<"U", 64, 64>;
inline constexpr auto sage = [](auto v) { return relu(stg::nn::sage_conv(v, v(x), W, U)); };

inline constexpr auto near = stg::parameter<"near", 64, 16>;
inline constexpr auto far = stg::parameter<"far", 64, 16>;
inline constexpr auto all = stg::parameter<"all", 256, 64>;  // 64 + 12 · 16
inline constexpr auto pna = [](auto v) { return stg::nn::pna_conv(v, v(x), near, far, all, 1.0); };

inline constexpr auto normed = [](auto v) { return relu(stg::nn::layer_norm(sum(v.in_edges().src(v(h))))); };
#endif

}  // namespace app

template <class V> void kernel() {
  using kernel = stg::gpu::sweep_kernel<V>;
  const stg::codegen::launch call;
  stg::gpu::run_kernel<kernel><<<1, stg::gpu::block_threads>>>(kernel{stg::gpu::arguments<V>(call)});
}
template <class P, int Unit> void unit() {
  using view = stg::gpu::unit_view<P, Unit>;
  if constexpr (P::plan.units[Unit].kind == stg::pass::unit_kind::sweep) kernel<view>();
}
template <class P, int... Unit> void units(std::integer_sequence<int, Unit...>) { (unit<P, Unit>(), ...); }
template <class Program> void kernels_of() {
  using P = stg::gpu::executable<Program>;
  units<P>(std::make_integer_sequence<int, P::plan.unit_count>());
}
template <const auto& F> void kernels() {
  using training = stg::differentiated<stg::ref<F>, stg::provided<0>, stg::required<>>;
  kernels_of<stg::inferred<stg::ref<F>>>();
  kernels_of<typename training::forward>();
  kernels_of<typename training::gradient>();
}

template <class T> void optimizers() {
  using namespace stg::gpu;
  const update_kernel<T, detail::sgd_element<T>> sgd(detail::sgd_element<T>{T(), stg::detail::average<T>(0)});
  const update_kernel<T, detail::adam_element<T>> adam(
      {stg::detail::average<T>(0.9), stg::detail::average<T>(0.999), T(1e-8), nullptr, nullptr});
  run_kernel<<<1, 1>>>(sgd);
  run_kernel<<<1, 1>>>(adam);
}

void all_kernels() {
  optimizers<float>();
  optimizers<double>();
  kernels<app::weighted_sum>();
  kernels<app::gcn>();
  kernels<app::gat>();
#if defined(STG_EVERY_LAYER)
  kernels<app::sage>();
  kernels<app::pna>();
  kernels<app::normed>();
#endif
}
