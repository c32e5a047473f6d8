// A trained row for each vertex, so that neighbours have similar ones.
#include <stg/data/karate.hpp>              // karate_club
#include <stg/sampling/negative_edges.hpp>  // negative_edges
#include <stg/runtime/metrics.hpp>          // roc_auc
#include <stg/stg.hpp>                      // the language

#include <cstdio>  // printf

inline constexpr auto z = trainable(stg::vertex_feature<"z", 8>);
inline constexpr auto is_edge = stg::edge_feature<"is_edge">;
inline constexpr auto score = [](auto v) { return stg::nn::dot_score(v.in_edges(), v(z)); };
inline constexpr auto loss = [](auto v) { return bce_with_logits(score(v), v.in_edges()(is_edge)); };

int main() {
  const auto club = stg::karate_club();
  auto pairs = club.graph.edge_list();
  const auto edges = pairs.src.size();
  const auto none = stg::negative_edges(club.graph, std::int64_t(edges), 1);
  pairs.src.insert(pairs.src.end(), none.src.begin(), none.src.end());
  pairs.dst.insert(pairs.dst.end(), none.dst.begin(), none.dst.end());
  const auto asked = stg::graph::from_edges(34, pairs.src, pairs.dst);
  stg::tensor<float> truth({std::int64_t(2 * edges)});
  stg::tensor<bool> mask({std::int64_t(2 * edges)});
  for (std::size_t i = 0; i < edges; ++i) truth(std::int64_t(i)) = 1, mask(std::int64_t(i)) = true;

  stg::tensor<float> Z({34, 8});
  stg::normal(Z, 0, 0.3, 1);
  auto step = stg::value_and_grad<loss>();
  for (int epoch = 0; epoch < 300; ++epoch) {
    auto now = step(asked, z = Z, is_edge = asked.edge_values(truth));
    for (std::int64_t k = 0; k < Z.size(); ++k) Z.data()[k] -= 10 * now.gradients[z].data()[k];
  }
  const auto scores = asked.to_input_order(stg::compile<score>()(asked, z = Z));
  std::printf("AUC of what was trained on: %.1f\n", stg::roc_auc(scores, mask));
}

// last line: AUC of what was trained on: 1.0
