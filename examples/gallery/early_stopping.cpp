// A loop that ends when accuracy on held-back vertices grows no more, and goes back to its best epoch.
#include <stg/data/karate.hpp>             // karate_club
#include <stg/data/split.hpp>              // random_split
#include <stg/runtime/accuracy.hpp>        // accuracy
#include <stg/runtime/early_stopping.hpp>  // early_stopping
#include <stg/stg.hpp>                     // the language

#include <cstdio>  // printf

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto W = stg::parameter<"W", 34, 4>;
inline constexpr auto model = [](auto v) { return stg::nn::sgc(v, v(x), W, 2); };
inline constexpr auto loss = [](auto v) { return cross_entropy(model(v), v(label), v(known)); };

int main() {
  const auto club = stg::karate_club();
  const auto graph = club.graph.add_self_loops();
  const auto split = stg::random_split(club.labels, stg::split_fractions{.train = 0.5, .val = 0.25}, 3);
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adamw optimizer(params, {.learning_rate = 0.05});
  stg::early_stopping stopping(params, {.patience = 20, .larger_is_better = true});
  auto step = stg::value_and_grad<loss>();
  const auto predict = stg::compile<model>();
  int epochs = 0;
  for (; epochs < 1000; ++epochs) {
    optimizer.step(step(graph, x = club.features, label = club.labels, known = split.train, params).gradients);
    const auto logits = predict(graph, x = club.features, params);
    if (stopping.stop_after(stg::accuracy(logits, club.labels, split.val))) break;
  }
  stopping.restore();
  std::printf("ended early: %s\n", epochs < 1000 ? "yes" : "no");
}

// last line: ended early: yes
