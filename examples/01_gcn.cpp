// A two-layer graph convolutional network, written as one lambda.
// Kipf and Welling, Semi-supervised classification with graph convolutional networks, ICLR 2017.
#include <common/dataset.hpp>   // load_dataset
#include <common/finite.hpp>    // require_finite
#include <common/options.hpp>   // options, run_example
#include <common/progress.hpp>  // progress
#include <common/result.hpp>    // result
#include <stg/stg.hpp>          // the language

inline constexpr auto x = stg::sparse_feature<"x", stg::extent<"F">>;  // few are not 0
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;  // whose label the loss may see
inline constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, 16>;
inline constexpr auto b1 = stg::parameter<"b1", 16>;
inline constexpr auto W2 = stg::parameter<"W2", 16, stg::extent<"C">>;
inline constexpr auto b2 = stg::parameter<"b2", stg::extent<"C">>;

inline constexpr auto gcn = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, dropout(v(x), 0.5), W1) + b1);  // (16)
  return stg::nn::gcn_conv(v, dropout(h, 0.5), W2) + b2;             // (C)
};
inline constexpr auto loss = [](auto v) { return cross_entropy(gcn(v), v(label), v(known)); };

static void train(const common::options& options) {
  auto data = common::load_dataset(options.dataset);
  stg::normalize_rows(data.features);
  const auto features = stg::sparse(data.features);
  const auto graph = data.graph.add_self_loops();
  auto predict = stg::compile<gcn>();
  auto step = stg::value_and_grad<loss>();
  common::progress progress(options);
  common::result result(data.name, "gcn");
  for (int seed = 0; seed < options.seeds; ++seed) {
    auto params = stg::parameters<loss>(stg::sized<"F">(data.features.extent(1)), stg::sized<"C">(data.classes));
    stg::initialize(params, seed);
    step.seed(seed);
    stg::adam optimizer(params, {.learning_rate = 0.01});
    optimizer.weight_decay(W1, 5e-4).weight_decay(b1, 5e-4);
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
      auto now = step(graph, x = features, label = data.labels, known = data.train, params);
      common::require_finite(now.loss, seed, epoch);
      optimizer.step(now.gradients);
      const auto logits = predict(graph, x = features, params);
      progress.update(seed, epoch, now.loss, stg::accuracy(logits, data.labels, data.val));
    }
    const auto logits = predict(graph, x = features, params);
    result.add(stg::accuracy(logits, data.labels, data.test));
  }
  progress.clear();
  result.print();
}

int main(int argc, char** argv) {
  return common::run_example(argc, argv, {.seeds = 10, .epochs = 200}, "trains a graph convolutional network", train);
}
