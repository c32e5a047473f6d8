// Scans whose steps have a graph each: programs over them, steps of random edges, and a training call of one.
#pragma once

#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/stg.hpp>                     // scan

#include <cstring>  // memcmp
#include <random>   // mt19937
#include <vector>   // vector

namespace stg::changing {

inline constexpr auto x = over<"T">(vertex_feature<"x", f64, 3>);
inline constexpr auto y = over<"T">(vertex_feature<"y", f64>);
inline constexpr auto f = over<"T">(trainable(edge_feature<"f", f64, 2>));
inline constexpr auto w = over<"T">(edge_feature<"w">);
inline constexpr auto h = trainable(vertex_feature<"h", f64, 4>);
inline constexpr auto W = parameter<"W", f64, 3, 4>;
inline constexpr auto U = over<"L">(parameter<"U", f64, 4, 4>);

inline constexpr auto P = parameter<"P", f64, 2, 3>;

/// Reads edges in every way: their weights, features and products of these, both directions, degrees, a softmax, and,
/// in layers within the step, values of edges that are carried.
inline constexpr auto cell = [](auto v, auto in, auto weight, auto feature, auto state) {
  auto e = v.in_edges();
  auto scores = sum(tanh(matmul(feature, P)), axis<0>) + sum(e.src(state) * v(state), axis<0>);
  auto heard = sum(softmax(scores) * e.src(state) * cast<f64>(weight)) / cast<f64>(v.in_degree() + 1);
  auto deep = scan<"L">(
      v, [](auto v, auto s) { return tanh(matmul(sum(v.out_edges().dst(s)), U) + s); }, heard);
  return tanh(matmul(in, W) + 0.5 * state + deep);
};
inline constexpr auto loss = [](auto v) {
  auto errors = std::get<1>(scan<"T">(
      v,
      [](auto v, auto state) {
        auto e = v.in_edges();
        auto n = cell(v, v(x), dropout(e(w), 0.2), e(f), state);
        return next(n).gives(mean(square(sum(n, axis<0>) - v(y)), all_vertices));
      },
      v(h)));
  return mean(stacked(errors), axis<0>);
};

inline tensor<double> drawn(const dimensions& shape, std::uint64_t seed) {
  tensor<double> t(shape);
  uniform(t, -1, 1, seed);
  return t;
}
inline bool same_bits(const tensor<double>& a, const tensor<double>& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

/// Steps of random edges, some of which stay; every third has none.
inline std::vector<snapshot_edges> random_steps(std::int64_t steps, std::int64_t vertices, std::size_t edges,
                                                unsigned seed) {
  std::mt19937 random(seed);
  std::vector<snapshot_edges> all(static_cast<std::size_t>(steps));
  snapshot_edges now;
  for (std::size_t t = 0; t < all.size(); ++t) {
    if (t % 3 == 2) continue;
    now.src.resize(edges + t), now.dst.resize(edges + t), now.weights.resize(edges + t);
    for (std::size_t e = 0; e < edges + t; ++e) {
      if (t > 0 && e < edges / 2) continue;
      now.src[e] = random() % static_cast<unsigned>(vertices);
      now.dst[e] = random() % static_cast<unsigned>(vertices);
      now.weights[e] = 0.25 * (random() % 9) - 1;
    }
    all[t] = now;
  }
  return all;
}
inline graph_sequence sequence_of(std::int64_t vertices, const std::vector<snapshot_edges>& steps,
                                  snapshot_store store) {
  return graph_sequence::from_steps(vertices, steps, {.store = store});
}
inline constexpr snapshot_store stores[] = {snapshot_store::resident, snapshot_store::changes};

struct inputs {
  tensor<double> in, feature, start, weights, layers, d_last, d_all, products;
};
inline inputs inputs_of(std::int64_t T, std::int64_t V, std::int64_t edges) {
  return {drawn({T, V, 3}, 4), drawn({edges, 2}, 5), drawn({V, 4}, 1),    drawn({3, 4}, 2),
          drawn({2, 4, 4}, 3), drawn({V, 4}, 6),     drawn({T, V, 4}, 7), drawn({2, 3}, 9)};
}

/// What a training call gives.
struct trained {
  double value;
  tensor<double> d_h, d_W, d_U, d_f;
};
template <class Step> trained trained_once(Step& step, const graph_sequence& graphs, const inputs& i) {
  step.seed(7);
  const auto target = drawn({graphs.steps(), graphs.vertices()}, 8);
  auto now = step(graphs, x = i.in, y = target, f = graphs.edge_steps(i.feature), w = graphs.weights(), h = i.start,
                  W = i.weights, U = i.layers, P = i.products);
  return {now.loss, now.gradients[h].clone(), now.gradients[W].clone(), now.gradients[U].clone(),
          now.gradients[f].values().clone()};
}
inline bool same_bits(const trained& a, const trained& b) {
  return std::memcmp(&a.value, &b.value, sizeof a.value) == 0 && same_bits(a.d_h, b.d_h) && same_bits(a.d_W, b.d_W) &&
         same_bits(a.d_U, b.d_U) && same_bits(a.d_f, b.d_f);
}

}  // namespace stg::changing
