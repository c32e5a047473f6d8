// Classes of whole graphs: rings and paths, side by side as one graph with a set of the graphs.
#include <stg/runtime/accuracy.hpp>       // accuracy
#include <stg/sampling/graphs_union.hpp>  // batch_graphs
#include <stg/stg.hpp>                    // the language

#include <cstdio>  // printf
#include <vector>  // vector

inline constexpr auto vertex = stg::vertex_set<"vertex">;
inline constexpr auto whole = stg::vertex_set<"graph">;
inline constexpr auto joins = stg::relation<"joins", vertex, vertex>;
inline constexpr auto part_of = stg::relation<"part of", vertex, whole>;
inline constexpr auto kind = whole.feature<"kind", stg::i32>;
inline constexpr auto W = stg::parameter<"W", 2, 8>;
inline constexpr auto b = stg::parameter<"b", 8>;
inline constexpr auto V = stg::parameter<"V", 8, 2>;
inline constexpr auto model = [](auto g) {
  auto v = g(vertex);
  auto degree = stg::ones<1>(v) * v.in_degree(joins);
  auto around = mean(v.in_edges(joins).src(degree));
  auto h = relu(matmul(stg::concat<stg::axis<0>>(degree, around), W) + b);  // (8) per vertex
  return matmul(mean(g(whole).in_edges(part_of).src(h)), V);                // (2) per graph
};
inline constexpr auto loss = [](auto g) { return cross_entropy(model(g), g(whole)(kind)); };

int main() {
  std::vector<stg::graph> graphs;
  stg::tensor<std::int32_t> kinds({20});
  for (std::int64_t i = 0; i < 20; ++i) {
    std::vector<std::int64_t> src, dst;
    const std::int64_t n = 4 + i % 5;
    for (std::int64_t v = 0; v < n - i % 2; ++v) src.push_back(v), dst.push_back((v + 1) % n);  // odd ones do not close
    graphs.push_back(stg::graph::from_edges(n, src, dst).to_undirected());
    kinds(i) = std::int32_t(i % 2);
  }
  const auto all = stg::batch_graphs(graphs, joins, part_of);
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.05});
  auto step = stg::value_and_grad<loss>();
  for (int epoch = 0; epoch < 200; ++epoch) optimizer.step(step(all.graph, kind = kinds, params).gradients);
  const auto logits = stg::compile<model>()(all.graph, params);
  std::printf("accuracy %.2f\n", stg::accuracy(logits, kinds));
}

// last line: accuracy 1.00
