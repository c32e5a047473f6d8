// The network of 01_gcn.cpp on a graph that is cut into four parts: trained by one rank, and by four, threads in the
// place of processes. Losses, parameters and accuracies are the same, to the bit.
#include <common/dataset.hpp>   // load_dataset
#include <common/finite.hpp>    // require_finite
#include <common/options.hpp>   // options, run_example
#include <common/progress.hpp>  // progress
#include <common/result.hpp>    // result

#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/sampling/clusters.hpp>              // has_partition
#include <stg/stg.hpp>                            // the language

#include <iostream>  // cerr
#include <utility>   // pair
#include <vector>    // vector

inline constexpr auto x = stg::sparse_feature<"x", stg::extent<"F">>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, 16>;
inline constexpr auto b1 = stg::parameter<"b1", 16>;
inline constexpr auto W2 = stg::parameter<"W2", 16, stg::extent<"C">>;
inline constexpr auto b2 = stg::parameter<"b2", stg::extent<"C">>;

inline constexpr auto gcn = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, dropout(v(x), 0.5), W1) + b1);  // (16)
  return stg::nn::gcn_conv(v, dropout(h, 0.5), W2) + b2;             // (C)
};
inline constexpr auto loss = [](auto v) { return cross_entropy(gcn(v), v(label), v(known)); };

/// Trains one seed on the part of a rank, and returns the scores of all vertices and the last loss.
static std::pair<stg::tensor<float>, float> train(const stg::distributed_graph& part,
                                                  const stg::node_classification& data,
                                                  const stg::sparse_tensor<float>& features, int seed, int epochs) {
  const auto mine = part.rows(features);
  const auto labels = part.rows(data.labels);
  const auto mask = part.rows(data.train);
  auto step = stg::value_and_grad<loss>();
  auto params = stg::parameters<loss>(stg::sized<"F">(data.features.extent(1)), stg::sized<"C">(data.classes));
  stg::initialize(params, seed);
  step.seed(seed);
  stg::adam optimizer(params, {.learning_rate = 0.01});
  optimizer.weight_decay(W1, 5e-4).weight_decay(b1, 5e-4);
  float last = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    auto now = step(part, x = mine, label = labels, known = mask, params);
    common::require_finite(now.loss, seed, epoch);
    optimizer.step(now.gradients);
    last = now.loss;
  }
  return {part.gathered(stg::compile<gcn>()(part, x = mine, params)), last};
}

static void train_both(const common::options& options) {
  auto data = common::load_dataset(options.dataset);
  stg::normalize_rows(data.features);
  const auto features = stg::sparse(data.features);
  const auto graph = data.graph.add_self_loops();
  const auto cut = stg::has_partition() ? stg::cut::by_metis(graph, 4) : stg::cut::by_ranges(graph, 4);
  std::cerr << cut << '\n';
  std::vector<float> losses;
  for (const int ranks : {1, 4}) {
    common::result result(data.name, ranks == 1 ? "gcn_1_rank" : "gcn_4_ranks");
    for (int seed = 0; seed < options.seeds; ++seed)
      stg::run_ranks(ranks, [&](stg::communicator& here) {
        const stg::distributed_graph part(cut, here);
        const auto [logits, last] = train(part, data, features, seed, options.epochs);
        if (here.rank() != 0) return;
        result.add(stg::accuracy(logits, data.labels, data.test));
        losses.push_back(last);
      });
    result.print();
  }
  for (std::size_t seed = 0; seed < losses.size() / 2; ++seed)
    if (losses[seed] != losses[seed + losses.size() / 2]) throw stg::error("four ranks give another loss than one");
}

int main(int argc, char** argv) {
  return common::run_example(argc, argv, {.seeds = 1, .epochs = 200}, "trains a graph convolutional network on ranks",
                             train_both);
}
