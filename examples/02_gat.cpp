// A two-layer graph attention network: eight heads, then one. No array of edges × heads exists in memory.
// Veličković et al., Graph attention networks, ICLR 2018.
#include <common/dataset.hpp>   // load_dataset
#include <common/finite.hpp>    // require_finite
#include <common/options.hpp>   // options, run_example
#include <common/progress.hpp>  // progress
#include <common/result.hpp>    // result
#include <stg/stg.hpp>          // the language

inline constexpr auto x = stg::sparse_feature<"x", stg::extent<"F">>;  // few are not 0
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;  // whose label the loss may see
inline constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, 64>;
inline constexpr auto a_src1 = stg::parameter<"a_src1", 8, 8>;  // heads × dim
inline constexpr auto a_dst1 = stg::parameter<"a_dst1", 8, 8>;
inline constexpr auto b1 = stg::parameter<"b1", 64>;
inline constexpr auto W2 = stg::parameter<"W2", 64, stg::extent<"C">>;
inline constexpr auto a_src2 = stg::parameter<"a_src2", 1, stg::extent<"C">>;
inline constexpr auto a_dst2 = stg::parameter<"a_dst2", 1, stg::extent<"C">>;
inline constexpr auto b2 = stg::parameter<"b2", stg::extent<"C">>;

inline constexpr auto gat = [](auto v) {
  auto heads = stg::nn::gat_conv(v, dropout(v(x), 0.6), W1, a_src1, a_dst1, 0.6);  // (8, 8)
  auto h = elu(stg::reshape<64>(heads) + b1);                                      // (64)
  auto out = stg::nn::gat_conv(v, dropout(h, 0.6), W2, a_src2, a_dst2, 0.6);       // (1, C)
  return mean(out, stg::axis<0>) + b2;                                             // (C)
};
inline constexpr auto loss = [](auto v) { return cross_entropy(gat(v), v(label), v(known)); };

static void train(const common::options& options) {
  auto data = common::load_dataset(options.dataset);
  stg::normalize_rows(data.features);
  const auto features = stg::sparse(data.features);
  const auto graph = data.graph.add_self_loops();
  auto predict = stg::compile<gat>();
  auto step = stg::value_and_grad<loss>();
  common::progress progress(options);
  common::result result(data.name, "gat");
  for (int seed = 0; seed < options.seeds; ++seed) {
    auto params = stg::parameters<loss>(stg::sized<"F">(data.features.extent(1)), stg::sized<"C">(data.classes));
    stg::initialize(params, seed);
    step.seed(seed);
    stg::adam optimizer(params, {.learning_rate = 0.005});
    optimizer.weight_decay(5e-4);
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
  return common::run_example(argc, argv, {.seeds = 5, .epochs = 200}, "trains a graph attention network", train);
}
