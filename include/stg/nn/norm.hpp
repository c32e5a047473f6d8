// Normalisations: layer_norm batch_norm pair_norm graph_norm. None has a scale or shift of its own: write
// gain * layer_norm(x) + bias with parameters of shape (features).
#pragma once

#include <stg/dsl/vertex.hpp>     // count_of, vertex_view
#include <stg/op/for_layers.hpp>  // for_layers
#include <stg/op/list.hpp>        // mean, rsqrt, training

namespace stg::nn {

/// (x - mean) / √(variance + eps) along the last axis, each vertex for itself; the variance is the biased one. Shape as
/// x's. Ba et al., arXiv:1607.06450, section 3; PyG's LayerNorm with mode node.
template <class X> constexpr auto layer_norm(X x, double eps = 1e-5) {
  auto centred = x - mean(x, axis<-1>, keepdim);
  return centred * rsqrt(mean(centred * centred, axis<-1>, keepdim) + eps);
}

/// The same with one mean and one variance over all vertices and features of the graph. PyG's LayerNorm with mode
/// graph, its default, which without a batch divides by √variance + eps instead.
template <class X> constexpr auto layer_norm(X x, all_vertices_t, double eps = 1e-5) {
  auto mean_of = [](auto y) { return mean(for_layers::mean_of_row(y), all_vertices); };
  auto centred = x - mean_of(x);
  return centred * rsqrt(mean_of(centred * centred) + eps);
}

/// What batch_norm gives: the normalised value, and the running statistics as they are after this call.
template <class Value, class Mean, class Variance> struct batch_normalised {
  Value value;
  Mean running_mean;
  Variance running_variance;
};

/// (x - mean) / √(variance + eps) for each feature. In a training step mean and biased variance are those of x over all
/// vertices, and the running statistics move towards them, the variance by its unbiased estimate; called plainly a
/// program normalises by the running statistics and leaves them as they are. x (features), running statistics
/// graph_features (features) → value (features) with both statistics, for outputs.
/// Ioffe and Szegedy, ICML 2015, algorithms 1 and 2; PyG's BatchNorm, PyTorch's momentum.
///
///   auto [y, m, s] = stg::nn::batch_norm(h, mean_so_far, variance_so_far);
///   return stg::outputs(loss(y), mean_so_far = m, variance_so_far = s);
template <class X, class Mean, class Variance>
constexpr auto batch_norm(X x, Mean running_mean, Variance running_variance, double momentum = 0.1, double eps = 1e-5) {
  const vertex_view v{x.trace};
  auto centre = mean(x, all_vertices);
  auto centred = x - centre;
  auto variance = mean(centred * centred, all_vertices);
  auto value = (x - training(centre, running_mean)) * rsqrt(training(variance, running_variance) + eps);

  auto moved = [momentum](auto now, auto so_far) { return training(momentum * now + (1 - momentum) * so_far, so_far); };
  using rows = for_layers::operand_traits<X>;
  auto n = for_layers::count_of<typename rows::where, rows::type>(x.trace);
  auto next_mean = moved(centre, v(running_mean));
  auto next_variance = moved(variance * (n / max(n - 1.0, 1.0)), v(running_variance));
  return batch_normalised<decltype(value), decltype(next_mean), decltype(next_variance)>{value, next_mean,
                                                                                         next_variance};
}

/// How pair_norm brings centred rows to length `scale`: their mean square together, or each row on its own.
enum class lengths : int { together, alone };

/// scale · c_i / √(mean_j |c_j|² + eps) with c_i = x_i - mean_j x_j; alone, scale · c_i / √(|c_i|² + eps). x (features)
/// → (features). Zhao and Akoglu, ICLR 2020, equations 10 and 11; PyG's PairNorm, which puts eps beside the length in
/// the second case.
template <class X>
constexpr auto pair_norm(X x, double scale = 1, lengths which = lengths::together, double eps = 1e-5) {
  auto centred = x - mean(x, all_vertices);
  auto square = sum(centred * centred, axis<-1>, keepdim);
  if (which == lengths::alone) return centred * (scale * rsqrt(square + eps));
  return centred * (scale * rsqrt(mean(square, all_vertices) + eps));
}

/// c_i / √(mean_j c_j² + eps) for each feature, with c_i = x_i - shift ⊙ mean_j x_j: x (features), the parameter shift
/// (features) → (features). Cai et al., ICML 2021; PyG's GraphNorm, where shift is mean_scale and begins
/// as 1.
template <class X, class Shift> constexpr auto graph_norm(X x, Shift shift, double eps = 1e-5) {
  auto centred = x - shift * mean(x, all_vertices);
  return centred * rsqrt(mean(centred * centred, all_vertices) + eps);
}

}  // namespace stg::nn
