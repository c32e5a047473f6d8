// Every layer of stg::nn and every loss as a program: one table for the tests that interpret them, compare them with a
// dense reference, and compile them.
//
// Every real input is f64, and trainable where a gradient exists. "positive…" is bound to numbers above 0.
#pragma once

#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/dsl/trace.hpp>    // trace
#include <stg/nn/conv.hpp>      // gcn_conv, …
#include <stg/nn/jumping.hpp>   // jumping_knowledge_lstm
#include <stg/nn/link.hpp>      // dot_score, …
#include <stg/nn/norm.hpp>      // layer_norm, …
#include <stg/nn/pool.hpp>      // global_sum_pool, jumping_knowledge

#include <string_view>  // string_view

namespace stg::layers {

inline constexpr auto x = trainable(vertex_feature<"x", f64, 3>);
inline constexpr auto h = trainable(vertex_feature<"h", f64, 4>);
inline constexpr auto w = trainable(edge_feature<"positive_w", f64>);
inline constexpr auto u = trainable(edge_feature<"u", f64, 3>);
inline constexpr auto W = parameter<"W", f64, 3, 4>;
inline constexpr auto U = parameter<"U", f64, 3, 4>;
inline constexpr auto V = parameter<"V", f64, 3, 4>;
inline constexpr auto Q = parameter<"Q", f64, 3, 4>;
inline constexpr auto R = parameter<"R", f64, 3, 4>;
inline constexpr auto S = parameter<"S", f64, 3, 4>;
inline constexpr auto E = parameter<"E", f64, 3, 4>;  // of the edge feature u
inline constexpr auto F = parameter<"F", f64, 3, 4>;
inline constexpr auto H = parameter<"H", f64, 4, 4>;
inline constexpr auto b = parameter<"b", f64, 4>;
inline constexpr auto a = parameter<"a", f64, 2, 2>;  // heads × dim
inline constexpr auto c = parameter<"c", f64, 2, 2>;
inline constexpr auto k = parameter<"k", f64, 2, 2>;
inline constexpr auto beta = parameter<"beta", f64, 12, 1>;  // of a gate over [h, r, h - r]
inline constexpr auto near = parameter<"near", f64, 3, 2>;
inline constexpr auto far = parameter<"far", f64, 3, 2>;
inline constexpr auto along = parameter<"along", f64, 3, 2>;
inline constexpr auto joined = parameter<"joined", f64, 27, 4>;  // 3 + 12 · 2
inline constexpr auto gate = parameter<"gate", f64, 3, 1>;
inline constexpr auto shift = parameter<"shift", f64, 3>;
inline constexpr auto both = parameter<"both", f64, 6, 4>;
inline constexpr auto there = nn::lstm{parameter<"Wf", f64, 4, 8>, parameter<"Uf", f64, 2, 8>, parameter<"bf", f64, 8>};
inline constexpr auto back = nn::lstm{parameter<"Wb", f64, 4, 8>, parameter<"Ub", f64, 2, 8>, parameter<"bb", f64, 8>};
inline constexpr auto of_pair = parameter<"of_pair", f64, 8, 4>;
inline constexpr auto weight_of_layer = parameter<"weight_of_layer", f64, 4, 1>;
inline constexpr auto relation = edge_feature<"relation", i32>;
inline constexpr auto bases = parameter<"bases", f64, 2, 3, 4>;
inline constexpr auto mixture = parameter<"mixture", f64, 5, 2>;  // relations × bases
inline constexpr auto eps = trainable(scalar<"eps", f64>);
inline constexpr auto delta = trainable(scalar<"positive_delta", f64>);
inline constexpr auto mean_so_far = graph_feature<"mean_so_far", f64, 3>;
inline constexpr auto variance_so_far = graph_feature<"positive_variance", f64, 3>;
inline constexpr auto scores = trainable(vertex_feature<"scores", f64, 5>);
inline constexpr auto target = vertex_feature<"target", f64, 5>;
inline constexpr auto label = vertex_feature<"label", i32>;
inline constexpr auto known = vertex_feature<"known", boolean>;

/// Functions in the place of a parameter.
inline constexpr auto affine = [](auto y) { return linear(y, W, b); };
inline constexpr auto perceptron = [](auto y) { return matmul(stg::tanh(linear(y, W, b)), H); };

// ---- polynomials of the normalised adjacency ----

inline constexpr auto gcn = [](auto v) { return nn::gcn_conv(v, v(x), W); };
inline constexpr auto gcn_weighted = [](auto v) { return nn::gcn_conv(nn::weighted(v, w), v(x), W); };
inline constexpr auto cheb = [](auto v) { return nn::cheb_conv(v, v(x), W, U, V, Q); };
inline constexpr auto cheb_scaled = [](auto v) { return nn::cheb_conv(nn::weighted(v, w), v(x), 1.5, W, U, V); };
inline constexpr auto tag = [](auto v) { return nn::tag_conv(v, v(x), affine, U, V); };
inline constexpr auto sgc = [](auto v) { return nn::sgc(v, v(x), W, 3); };
inline constexpr auto appnp = [](auto v) { return nn::appnp(nn::weighted(v, w), matmul(v(x), W), 3, 0.2); };
inline constexpr auto arma = [](auto v) {
  return nn::arma_conv(v, v(x), W, U, H, [](auto y) { return linear(y, V, b); });
};

// ---- attention ----

inline constexpr auto gat = [](auto v) { return nn::gat_conv(v, v(x), W, a, c); };
inline constexpr auto gatv2 = [](auto v) { return nn::gatv2_conv(v, v(x), W, U, a); };
inline constexpr auto transformer = [](auto v) { return nn::transformer_conv<2, 2>(v, v(x), Q, R, V, S); };
inline constexpr auto gat_of_edges = [](auto v) { return nn::gat_conv(v, v(x), u, W, E, a, c, k); };
inline constexpr auto gatv2_of_edges = [](auto v) { return nn::gatv2_conv(v, v(x), u, W, U, E, a); };
inline constexpr auto transformer_of_edges = [](auto v) {
  return nn::transformer_conv<2, 2>(v, v(x), u, Q, R, V, E, S);
};
inline constexpr auto transformer_gated = [](auto v) { return nn::transformer_conv<2, 2>(v, v(x), Q, R, V, S, beta); };
inline constexpr auto transformer_gated_of_edges = [](auto v) {
  return nn::transformer_conv<2, 2>(v, v(x), u, Q, R, V, E, S, beta);
};

// ---- aggregates of neighbours ----

inline constexpr auto sage_mean = [](auto v) { return nn::sage_conv(v, v(x), U, W); };
inline constexpr auto sage_max = [](auto v) { return nn::sage_conv<nn::aggregate::max>(v, v(x), U, W); };
inline constexpr auto sage_sum = [](auto v) { return nn::sage_conv<nn::aggregate::sum>(v, v(x), U, affine); };
inline constexpr auto graph = [](auto v) { return nn::graph_conv(v, v(x), U, W); };
inline constexpr auto graph_weighted = [](auto v) { return nn::graph_conv(nn::weighted(v, w), v(x), U, affine); };
inline constexpr auto gin = [](auto v) { return nn::gin_conv(v, v(x), perceptron); };
inline constexpr auto gin_trained = [](auto v) { return nn::gin_conv(v, v(x), perceptron, eps); };
inline constexpr auto gine = [](auto v) { return nn::gine_conv(v, v(x), u, perceptron, 0.25); };
inline constexpr auto edge = [](auto v) { return nn::edge_conv(v, v(x), both); };
inline constexpr auto edge_of_two = [](auto v) {
  return nn::edge_conv(v, v(x), [](auto m) { return matmul(stg::tanh(matmul(m, both) + b), H); });
};
inline constexpr auto rgcn = [](auto v) { return nn::rgcn_conv(v, v(x), relation, W, bases, mixture); };
inline constexpr auto pna = [](auto v) { return nn::pna_conv(v, v(x), near, far, joined, delta); };
inline constexpr auto pna_of_graph = [](auto v) {
  return nn::pna_conv(v, v(x), near, far, joined, nn::mean_log_degree<f64>(v));
};
inline constexpr auto pna_of_edges = [](auto v) { return nn::pna_conv(v, v(x), u, near, far, along, joined, delta); };
inline constexpr auto pna_of_two_towers = [](auto v) {
  return nn::pna_towers(v, v(x), delta, nn::tower{near, far, joined}, nn::tower{far, along, joined});
};
inline constexpr auto res_gated = [](auto v) { return nn::res_gated_conv(v, v(x), U, V, Q, R); };
inline constexpr auto res_gated_of_edges = [](auto v) { return nn::res_gated_conv(v, v(x), u, U, V, E, Q, R, F); };
inline constexpr auto film = [](auto v) {
  return nn::film_conv(v, v(x), nn::modulation{U, V, Q}, nn::modulation{R, S, affine});
};

// ---- normalisations ----

inline constexpr auto layer_norm = [](auto v) { return nn::layer_norm(v(x)); };
inline constexpr auto layer_norm_of_graph = [](auto v) { return nn::layer_norm(v(x), all_vertices, 1e-3); };
inline constexpr auto batch_norm = [](auto v) {
  auto y = nn::batch_norm(v(x), mean_so_far, variance_so_far, 0.3);
  return outputs(y.value, mean_so_far = y.running_mean, variance_so_far = y.running_variance);
};
inline constexpr auto pair_norm = [](auto v) { return nn::pair_norm(v(x), 1.5); };
inline constexpr auto pair_norm_alone = [](auto v) { return nn::pair_norm(v(x), 1.5, nn::lengths::alone); };
inline constexpr auto graph_norm = [](auto v) { return nn::graph_norm(v(x), shift); };

// ---- readouts ----

inline constexpr auto pools = [](auto v) {
  return outputs(nn::global_sum_pool(v(x)), nn::global_mean_pool(v(x)), nn::global_max_pool(v(x)));
};
inline constexpr auto attention_pool = [](auto v) { return nn::global_attention_pool(v(x), gate, W); };
inline constexpr auto attention_pool_per_feature = [](auto v) {
  return nn::global_attention_pool(v(x), [](auto y) { return y * shift; });
};
inline constexpr auto jump_concat = [](auto v) { return nn::jumping_knowledge(v(x), v(h), matmul(v(x), W)); };
inline constexpr auto jump_max = [](auto v) {
  return nn::jumping_knowledge<nn::combined_by::max>(v(h), matmul(v(x), W), matmul(v(x), U));
};
inline constexpr auto jump_lstm = [](auto v) {
  return nn::jumping_knowledge_lstm(there, back, weight_of_layer, v(h), matmul(v(x), W), matmul(v(x), U));
};

// ---- links ----

inline constexpr auto link_scores = [](auto v) {
  auto pair = v.in_edges();
  return outputs(nn::dot_score(pair, v(h)), nn::distance_score(pair, v(h)), nn::network_score(pair, v(h), [](auto y) {
                   return matmul(stg::tanh(matmul(y, of_pair)), weight_of_layer);
                 }));
};

// ---- losses ----

inline constexpr auto of_labels = [](auto v) {
  return outputs(cross_entropy(v(scores), v(label), v(known)), nll(v(scores), v(label), v(known)));
};
inline constexpr auto of_targets = [](auto v) {
  return outputs(mse(v(scores), v(target)), l1(v(scores), v(target)), huber(v(scores), v(target), 0.8),
                 bce_with_logits(v(scores), v(target)));
};
inline constexpr auto of_masked_targets = [](auto v) {
  return outputs(mse(v(scores), v(target), v(known)), l1(v(scores), v(target), v(known)),
                 huber(v(scores), v(target), 0.8, v(known)), bce_with_logits(v(scores), v(target), v(known)));
};

/// One layer: its program as a lambda at namespace scope, which is what compile<…>() takes.
template <const auto& Program, int Line> struct layer {
  std::string_view name;
  static constexpr const auto& program = Program;
  static constexpr int line = Line;  // tells layers apart, so that a test file can take its share of them
};

/// Calls f(layer<lambda, line>{name}) for every layer.
template <class F> void for_each_layer(F&& f) {
#define STG_LAYER(word) f(layer<word, __LINE__>{#word});
  STG_LAYER(gcn)
  STG_LAYER(gcn_weighted)
  STG_LAYER(cheb)
  STG_LAYER(cheb_scaled)
  STG_LAYER(tag)
  STG_LAYER(sgc)
  STG_LAYER(appnp)
  STG_LAYER(arma)
  STG_LAYER(gat)
  STG_LAYER(gatv2)
  STG_LAYER(transformer)
  STG_LAYER(gat_of_edges)
  STG_LAYER(gatv2_of_edges)
  STG_LAYER(transformer_of_edges)
  STG_LAYER(transformer_gated)
  STG_LAYER(transformer_gated_of_edges)
  STG_LAYER(sage_mean)
  STG_LAYER(sage_max)
  STG_LAYER(sage_sum)
  STG_LAYER(graph)
  STG_LAYER(graph_weighted)
  STG_LAYER(gin)
  STG_LAYER(gin_trained)
  STG_LAYER(gine)
  STG_LAYER(edge)
  STG_LAYER(edge_of_two)
  STG_LAYER(rgcn)
  STG_LAYER(pna)
  STG_LAYER(pna_of_graph)
  STG_LAYER(pna_of_edges)
  STG_LAYER(pna_of_two_towers)
  STG_LAYER(res_gated)
  STG_LAYER(res_gated_of_edges)
  STG_LAYER(film)
  STG_LAYER(layer_norm)
  STG_LAYER(layer_norm_of_graph)
  STG_LAYER(batch_norm)
  STG_LAYER(pair_norm)
  STG_LAYER(pair_norm_alone)
  STG_LAYER(graph_norm)
  STG_LAYER(pools)
  STG_LAYER(attention_pool)
  STG_LAYER(attention_pool_per_feature)
  STG_LAYER(jump_concat)
  STG_LAYER(jump_max)
  STG_LAYER(jump_lstm)
  STG_LAYER(link_scores)
  STG_LAYER(of_labels)
  STG_LAYER(of_targets)
  STG_LAYER(of_masked_targets)
#undef STG_LAYER
}

}  // namespace stg::layers
