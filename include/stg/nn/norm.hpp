// Normalisations: layer_norm batch_norm pair_norm graph_norm. None has a scale or shift of its own: write
// gain * layer_norm(x) + bias with parameters of shape (features).
//
// What is taken over the graph is taken over all vertices at hand. Where these are those of many graphs, a relation
// from them to their graphs stands before the value, and each graph is normalised by itself, as with PyG's batch:
// graph_norm(g(molecule).in_edges(part_of), h, shift). Each vertex is in one graph.
#pragma once

#include <stg/dsl/other_calls.hpp>  // STG_OTHER_CALLS
#include <stg/dsl/vertex.hpp>       // count_of, vertex_view
#include <stg/dsl/written.hpp>      // written
#include <stg/nn/ends.hpp>          // at_other_end, at_members
#include <stg/op/for_layers.hpp>    // for_layers
#include <stg/op/list.hpp>          // mean, rsqrt, training

namespace stg::nn {

namespace detail {

// Means over what is normalised together, as functions of a value: they differ in nothing but this.

struct over_row {
  template <class Y> constexpr auto operator()(Y y) const { return mean(y, axis<-1>, keepdim); }
};
struct over_vertices {
  template <class Y> constexpr auto operator()(Y y) const { return mean(y, all_vertices); }
};
/// On the blocks of a sample, the rows of the hop that is normalised; else over_vertices.
struct over_rows_of_batch {
  template <class Y> constexpr auto operator()(Y y) const { return mean(y, over_batch); }
};
/// Of each graph of a batch, at its vertices.
template <class Side> struct over_each_graph {
  edge_view<Side> members;
  template <class Y> constexpr auto operator()(Y y) const {
    return at_members(members, mean(at_other_end(members, y)));
  }
};
/// One mean over all features, too.
template <class Mean> struct and_features {
  Mean mean_of;
  template <class Y> constexpr auto operator()(Y y) const { return mean_of(for_layers::mean_of_row(y)); }
};

/// The mean, taken a second time of what the first left: that is what rounding took, and of n equal numbers c it may be
/// n · c · 1e-7, beside a variance of nothing else. Equal numbers leave 0. It is no function of x.
template <class X, class Mean> constexpr auto exact_mean(X x, Mean mean_of) {
  auto first = mean_of(x);
  return first + detach(mean_of(x - first));
}
/// Notes an eps that is none: the width of a value, which other libraries take there.
constexpr void check_eps(tracer& t, written eps) {
  if (!(eps.value >= 0 && eps.value < 1)) t.note(ir::mistake::eps_outside, text("eps"), eps.line);
}
template <class X, class Mean> constexpr auto standardised(X x, Mean mean_of, written eps) {
  if constexpr (Expression<X>) check_eps(*x.trace, eps);
  auto centred = x - exact_mean(x, mean_of);
  return centred * rsqrt(mean_of(centred * centred) + eps.value);
}

}  // namespace detail

/// (x - mean) / √(variance + eps) along the last axis, each vertex for itself; the variance is the biased one. Shape as
/// x's. Ba et al., arXiv:1607.06450, section 3; PyG's LayerNorm with mode node.
template <Read X> constexpr auto layer_norm(X x, written eps = 1e-5) {
  return detail::standardised(x, detail::over_row(), eps);
}

/// The same with one mean and one variance over all vertices and features of the graph. PyG's LayerNorm with mode
/// graph, its default, which without a batch divides by √variance + eps instead.
template <Read X> constexpr auto layer_norm(X x, all_vertices_t, written eps = 1e-5) {
  return detail::standardised(x, detail::and_features<detail::over_vertices>(), eps);
}
/// The same for each graph of a batch: PyG's LayerNorm with mode graph and a batch.
template <class Side, class X> constexpr auto layer_norm(edge_view<Side> members, X x, written eps = 1e-5) {
  return detail::standardised(x, detail::and_features<detail::over_each_graph<Side>>{{members}}, eps);
}

/// What batch_norm gives: the normalised value, and the running statistics as they are after this call.
template <class Value, class Mean, class Variance> struct batch_normalised {
  Value value;
  Mean running_mean;
  Variance running_variance;
};

}  // namespace stg::nn
namespace stg {
template <class M, class V> inline constexpr bool is_mistake<nn::batch_normalised<mistake, M, V>> = true;
template <class Y, class M, class V> inline constexpr bool detail::has_several<nn::batch_normalised<Y, M, V>> = true;
}  // namespace stg
namespace stg::nn {

/// (x - mean) / √(variance + eps) for each feature. In a training step mean and biased variance are those of x over all
/// vertices, and the running statistics move towards them, the variance by its unbiased estimate; called plainly a
/// program normalises by the running statistics and leaves them as they are. On the blocks of a sample a step takes the
/// rows that it computes: of the last layer the seeds, of the one before them and their neighbours, as PyG does with a
/// bipartite graph for each layer. x (features), running statistics graph_features (features) → value (features) with
/// both statistics, for outputs.
/// Ioffe and Szegedy, ICML 2015, algorithms 1 and 2; PyG's BatchNorm, PyTorch's momentum.
///
///   auto [y, m, s] = stg::nn::batch_norm(h, mean_so_far, variance_so_far);
///   return stg::outputs(loss(y), mean_so_far = m, variance_so_far = s);
template <Read X, class Mean, class Variance>
constexpr auto batch_norm(X x, Mean running_mean, Variance running_variance, written momentum = 0.1,
                          written eps = 1e-5) {
  const vertex_view v{x.trace};
  detail::check_eps(*x.trace, eps);
  const double share = momentum;
  if (!(share >= 0 && share <= 1)) x.trace->note(ir::mistake::momentum_outside, text("momentum"), momentum.line);
  const detail::over_rows_of_batch mean_of;
  auto centre = detail::exact_mean(x, mean_of);
  auto centred = x - centre;
  auto variance = mean_of(centred * centred);
  auto value = (x - training(centre, running_mean)) * rsqrt(training(variance, running_variance) + eps.value);

  auto moved = [share](auto now, auto so_far) { return training(share * now + (1 - share) * so_far, so_far); };
  using rows = for_layers::operand_traits<X>;
  auto n = for_layers::count_of<typename rows::where, rows::type>(x.trace, ir::over_batch);
  auto next_mean = moved(centre, v(running_mean));
  auto next_variance = moved(variance * (n / max(n - 1.0, 1.0)), v(running_variance));
  return batch_normalised<decltype(value), decltype(next_mean), decltype(next_variance)>{value, next_mean,
                                                                                         next_variance};
}

/// How pair_norm brings centred rows to length `scale`: their mean square together, or each row on its own.
enum class lengths : int { together, alone };

namespace detail {
template <class X, class Mean> constexpr auto pair_norm(X x, Mean mean_of, double scale, lengths which, written eps) {
  if constexpr (Expression<X>) check_eps(*x.trace, eps);
  auto centred = x - exact_mean(x, mean_of);
  auto square = sum(centred * centred, axis<-1>, keepdim);
  const auto to_length = [=](auto of) { return centred * (scale * rsqrt(of + eps.value)); };
  return which == lengths::alone ? to_length(square) : to_length(mean_of(square));
}
template <class X, class Shift, class Mean> constexpr auto graph_norm(X x, Shift shift, Mean mean_of, written eps) {
  if constexpr (Expression<X>) check_eps(*x.trace, eps);
  auto centred = x - for_layers::begun(shift, init::ones) * exact_mean(x, mean_of);
  return centred * rsqrt(mean_of(centred * centred) + eps.value);
}
}  // namespace detail

/// scale · c_i / √(mean_j |c_j|² + eps) with c_i = x_i - mean_j x_j; alone, scale · c_i / √(|c_i|² + eps). x (features)
/// → (features). Zhao and Akoglu, ICLR 2020, equations 10 and 11; PyG's PairNorm, which puts eps beside the length in
/// the second case.
template <Read X>
constexpr auto pair_norm(X x, double scale = 1, lengths which = lengths::together, written eps = 1e-5) {
  return detail::pair_norm(x, detail::over_vertices(), scale, which, eps);
}
/// The same for each graph of a batch.
template <class Side, class X>
constexpr auto pair_norm(edge_view<Side> members, X x, double scale = 1, lengths which = lengths::together,
                         written eps = 1e-5) {
  return detail::pair_norm(x, detail::over_each_graph<Side>{members}, scale, which, eps);
}

/// c_i / √(mean_j c_j² + eps) for each feature, with c_i = x_i - shift ⊙ mean_j x_j: x (features), the parameter shift
/// (features) → (features). Cai et al., ICML 2021; PyG's GraphNorm, where shift is mean_scale. It begins
/// with 1.
template <Read X, class Shift> constexpr auto graph_norm(X x, Shift shift, written eps = 1e-5) {
  return detail::graph_norm(x, shift, detail::over_vertices(), eps);
}
/// The same for each graph of a batch.
///
///   auto y = stg::nn::graph_norm(g(molecule).in_edges(part_of), h, alpha);
template <class Side, class X, class Shift>
constexpr auto graph_norm(edge_view<Side> members, X x, Shift shift, written eps = 1e-5) {
  return detail::graph_norm(x, shift, detail::over_each_graph<Side>{members}, eps);
}

namespace detail {
using no_batch_normalised = batch_normalised<mistake, mistake, mistake>;
/// Whether a value or a parameter stands where a norm takes a number.
template <class Weight>
inline constexpr bool is_weight = Expression<Weight> || Symbol<Weight> || for_layers::is_loose<Weight>;
}  // namespace detail
// With a weight and a bias behind the value: what to write.
#define STG_NORM_HAS_NO_WEIGHT(form) "stg: a norm has no weight or bias of its own; write gain * " form " + bias"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_NO_WEIGHT(form) \
  __attribute__((diagnose_if(sizeof...(Bias) < 99, STG_NORM_HAS_NO_WEIGHT(form), "error")))
#define STG_CHECK_NO_WEIGHT(form)
#else
#define STG_SAYS_NO_WEIGHT(form)
#define STG_CHECK_NO_WEIGHT(form)                  \
  constexpr bool has_none = sizeof...(Bias) == 99; \
  static_assert(has_none, STG_NORM_HAS_NO_WEIGHT(form))
#endif
template <Expression X, class Weight, class... Bias>
  requires detail::is_weight<Weight> STG_SAYS_NO_WEIGHT("layer_norm(h)")
constexpr mistake layer_norm(X, Weight, Bias...) {
  STG_CHECK_NO_WEIGHT("layer_norm(h)");
  return {};
}
template <Expression X, class Mean, class Variance, class Weight, class... Bias>
  requires detail::is_weight<Weight> STG_SAYS_NO_WEIGHT("y")
constexpr detail::no_batch_normalised batch_norm(X, Mean, Variance, Weight, Bias...) {
  STG_CHECK_NO_WEIGHT("y");
  return {};
}
// Calls that are none of these.
STG_OTHER_CALLS(value, 1, 3, "layer_norm", "layer_norm(h)", mistake, layer_norm)
STG_OTHER_CALLS(value, 1, 5, "pair_norm", "pair_norm(h)", mistake, pair_norm)
STG_OTHER_CALLS(value, 2, 4, "graph_norm", "graph_norm(h, shift)", mistake, graph_norm)
STG_OTHER_CALLS(value, 3, 5, "batch_norm", "batch_norm(h, running_mean, running_variance)", detail::no_batch_normalised,
                batch_norm)

}  // namespace stg::nn
