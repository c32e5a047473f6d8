// Classes of vertices by two graph convolutions, four of 34 vertices labelled.
#include <stg/data/karate.hpp>       // karate_club
#include <stg/runtime/accuracy.hpp>  // accuracy
#include <stg/stg.hpp>               // the language

#include <cstdio>  // printf

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto W1 = stg::parameter<"W1", 34, 16>;
inline constexpr auto W2 = stg::parameter<"W2", 16, 4>;
inline constexpr auto model = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, v(x), W1));  // (16)
  return stg::nn::gcn_conv(v, h, W2);             // (4)
};
inline constexpr auto loss = [](auto v) { return cross_entropy(model(v), v(label), v(known)); };

int main() {
  const auto club = stg::karate_club();
  const auto graph = club.graph.add_self_loops();
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.02});
  auto step = stg::value_and_grad<loss>();
  for (int epoch = 0; epoch < 150; ++epoch)
    optimizer.step(step(graph, x = club.features, label = club.labels, known = club.train, params).gradients);
  const auto logits = stg::compile<model>()(graph, x = club.features, params);
  std::printf("accuracy %.1f\n", stg::accuracy(logits, club.labels));
}

// last line: accuracy 0.9
