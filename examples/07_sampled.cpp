// GraphSAGE on batches of sampled neighbours, beside the same lambda on the whole graph, with one split.
// Hamilton et al., Inductive representation learning on large graphs, NeurIPS 2017.
#include <common/finite.hpp>                   // require_finite
#include <common/options.hpp>                  // options, run_example
#include <common/progress.hpp>                 // progress
#include <common/result.hpp>                   // result
#include <stg/data/dataset.hpp>                // load_node_classification
#include <stg/data/karate.hpp>                 // karate_club
#include <stg/data/split.hpp>                  // random_split
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <algorithm>  // max
#include <iostream>   // cerr
#include <vector>     // vector

inline constexpr auto x = stg::sparse_feature<"x", stg::extent<"F">>;  // few are not 0
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;  // whose label the loss may see
inline constexpr auto U1 = stg::parameter<"U1", stg::extent<"F">, 64>;
inline constexpr auto V1 = stg::parameter<"V1", stg::extent<"F">, 64>;
inline constexpr auto b1 = stg::parameter<"b1", 64>;
inline constexpr auto U2 = stg::parameter<"U2", 64, stg::extent<"C">>;
inline constexpr auto V2 = stg::parameter<"V2", 64, stg::extent<"C">>;
inline constexpr auto b2 = stg::parameter<"b2", stg::extent<"C">>;

inline constexpr auto sage = [](auto v) {
  auto h = relu(stg::nn::sage_conv(v, dropout(v(x), 0.5), U1, V1) + b1);  // (64)
  return stg::nn::sage_conv(v, dropout(h, 0.5), U2, V2) + b2;             // (C)
};
inline constexpr auto loss = [](auto v) { return cross_entropy(sage(v), v(label), v(known)); };

/// What both trainings have in common: 60 % of each class to train on, 20 % to choose by, 20 % to report.
struct task {
  stg::node_classification data;
  stg::sparse_tensor<float> features;
  stg::vertex_split split;
};

static task load(const std::string& name) {
  constexpr const char* preferred = "coauthor_cs";
  task t;
  if (name == "karate_club" || (name == "auto" && stg::find_dataset(preferred).folder.empty())) {
    if (name == "auto") std::cerr << preferred << " is not found, training on the built-in karate club instead\n";
    t.data = stg::karate_club();
  } else {
    t.data = stg::load_node_classification(name == "auto" ? preferred : name);
  }
  if (t.data.features.size() == 0) throw stg::error("data set " + t.data.name + " has no features; take another one");
  stg::normalize_rows(t.data.features);
  t.features = stg::sparse(t.data.features);
  t.split = stg::random_split(t.data.labels, stg::split_fractions{.train = 0.6, .val = 0.2}, 7);
  return t;
}

static auto parameters_of(const task& t, int seed) {
  auto params = stg::parameters<loss>(stg::sized<"F">(t.features.shape()[1]), stg::sized<"C">(t.data.classes));
  stg::initialize(params, seed);
  return params;
}

/// Test accuracy on the whole graph after the epoch with the best accuracy on the vertices to choose by.
class best {
 public:
  template <class Logits> void look(const task& t, const Logits& logits) {
    const double now = stg::accuracy(logits, t.data.labels, t.split.val);
    if (now > val_) val_ = now, test_ = stg::accuracy(logits, t.data.labels, t.split.test);
  }
  double val() const { return val_; }
  double test() const { return test_; }

 private:
  double val_ = -1, test_ = 0;
};

static double train_full(const task& t, int seed, int epochs, common::progress& progress) {
  auto params = parameters_of(t, seed);
  auto step = stg::value_and_grad<loss>();
  step.seed(seed);
  const auto predict = stg::compile<sage>();
  stg::adam optimizer(params, {.learning_rate = 0.01});
  best found;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    auto now = step(t.data.graph, x = t.features, label = t.data.labels, known = t.split.train, params);
    common::require_finite(now.loss, seed, epoch);
    optimizer.step(now.gradients);
    found.look(t, predict(t.data.graph, x = t.features, params));
    progress.update(seed, epoch, now.loss, found.val());
  }
  return found.test();
}

/// An epoch takes a step for each batch, so it does with fewer epochs.
static double train_sampled(const task& t, int seed, int epochs, common::progress& progress) {
  std::vector<std::int32_t> seeds;
  for (std::int32_t v = 0; v < t.split.train.size(); ++v)
    if (t.split.train(v)) seeds.push_back(v);
  stg::loader loader(stg::neighbour_sampler(t.data.graph, {.fan_outs = {10, 10}}), std::move(seeds),
                     {.batch_size = 512, .seed = static_cast<std::uint64_t>(seed)});
  const auto X = loader.rows(t.features);
  const auto Y = loader.rows(t.data.labels);

  auto params = parameters_of(t, seed);
  auto step = stg::value_and_grad<loss>();
  step.seed(seed);
  const auto predict = stg::compile<sage>();
  stg::adam optimizer(params, {.learning_rate = 0.01});
  best found;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    double sum = 0;
    for (const stg::loaded_batch& b : loader.epoch(epoch)) {
      auto now = step(b.blocks(), x = b[X], label = b[Y], known = b.known, params);  // the rows that the seeds need
      common::require_finite(now.loss, seed, epoch);
      optimizer.step(now.gradients);
      sum += now.loss;
    }
    found.look(t, predict(t.data.graph, x = t.features, params));
    progress.update(seed, epoch, sum / static_cast<double>(loader.batches()), found.val());
  }
  return found.test();
}

static void train(const common::options& options) {
  const task t = load(options.dataset);
  const int sampled_epochs = std::max(1, options.epochs / 5);
  common::result full(t.data.name, "sage_full");
  for (int seed = 0; seed < options.seeds; ++seed) {
    common::progress progress(options, options.epochs, "full");
    full.add(train_full(t, seed, options.epochs, progress));
  }
  full.print();
  common::result sampled(t.data.name, "sage_sampled");
  for (int seed = 0; seed < options.seeds; ++seed) {
    common::progress progress(options, sampled_epochs, "sampled");
    sampled.add(train_sampled(t, seed, sampled_epochs, progress));
  }
  sampled.print();
}

int main(int argc, char** argv) {
  return common::run_example(argc, argv, {.seeds = 3, .epochs = 50},
                             "trains GraphSAGE on batches and on the whole graph", train);
}
