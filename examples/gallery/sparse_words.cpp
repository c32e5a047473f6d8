// Sparse features: words of papers, stored as entries and multiplied as such.
#include <stg/stg.hpp>  // the language

#include <cstdio>  // printf

inline constexpr auto words = stg::sparse_feature<"words", 1000>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto W = stg::parameter<"W", 1000, 2>;
inline constexpr auto loss = [](auto v) { return cross_entropy(matmul(dropout(v(words), 0.1), W), v(label)); };

int main() {
  const auto graph = stg::graph::from_edges(4, {0, 2}, {1, 3});
  const std::int64_t paper[] = {0, 0, 1, 2, 3, 3}, word[] = {17, 500, 17, 999, 999, 42};
  const float count[] = {1, 2, 1, 1, 3, 1};
  const auto entries = stg::sparse_tensor<float>::from_entries({4, 1000}, paper, word, count);
  const auto labels = stg::tensor<std::int32_t>::from({4}, {0, 0, 1, 1});
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.1});
  auto step = stg::value_and_grad<loss>();
  float last = 0;
  for (int k = 0; k < 50; ++k) {
    auto now = step(graph, words = entries, label = labels, params);
    optimizer.step(now.gradients);
    last = now.loss;
  }
  std::printf("loss below 0.2: %s\n", last < 0.2f ? "yes" : "no");
}

// last line: loss below 0.2: yes
