// Training steps as drafts beside the same steps compiled, in turn: what a draft costs while a model is being written.
#include <stg/stg.hpp>  // the language

#include <cstdio>   // printf
#include <string>   // string
#include <utility>  // move

#include "graphs.hpp"  // arxiv_like, dataset
#include "rounds.hpp"  // medians, timed

namespace {

constexpr auto x = stg::sparse_feature<"x", stg::extent<"F">>;
constexpr auto dense = stg::vertex_feature<"x", stg::extent<"F">>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto classes = stg::extent<"C">;

constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, 16>;
constexpr auto b1 = stg::parameter<"b1", 16>;
constexpr auto W2 = stg::parameter<"W2", 16, classes>;
template <const auto& Features> struct convolutions {
  static constexpr auto loss = [](auto v) {
    auto hidden = relu(stg::nn::gcn_conv(v, dropout(v(Features), 0.5), W1) + b1);  // (16)
    return cross_entropy(stg::nn::gcn_conv(v, dropout(hidden, 0.5), W2), v(label), v(known));
  };
};

constexpr auto U1 = stg::parameter<"U1", stg::extent<"F">, 64>;
constexpr auto s1 = stg::parameter<"s1", 8, 8>;
constexpr auto t1 = stg::parameter<"t1", 8, 8>;
constexpr auto U2 = stg::parameter<"U2", 64, classes>;
constexpr auto s2 = stg::parameter<"s2", 1, classes>;
constexpr auto t2 = stg::parameter<"t2", 1, classes>;
template <const auto& Features> struct attention {
  static constexpr auto loss = [](auto v) {
    auto heads = stg::nn::gat_conv(v, dropout(v(Features), 0.6), U1, s1, t1, 0.6);  // (8, 8)
    auto hidden = dropout(elu(reshape<64>(heads)), 0.6);                            // (64)
    auto logits = reshape<classes>(stg::nn::gat_conv(v, hidden, U2, s2, t2, 0.6));  // (C)
    return cross_entropy(logits, v(label), v(known));
  };
};

struct training_data {
  stg::graph graph;
  stg::tensor<float> features;
  stg::tensor<std::int32_t> labels;
  stg::tensor<bool> train;
  std::int64_t classes;
};

/// 128 features and 40 classes, as ogbn-arxiv has them.
training_data drawn() {
  training_data d{graphs::arxiv_like(), {}, {}, {}, 40};
  d.features = stg::tensor<float>({d.graph.vertices(), 128});
  d.labels = stg::tensor<std::int32_t>({d.graph.vertices()});
  d.train = stg::tensor<bool>({d.graph.vertices()});
  stg::uniform(d.features, -1, 1, 1);
  for (std::int64_t v = 0; v < d.graph.vertices(); ++v) {
    d.labels(v) = static_cast<std::int32_t>(v * 7 % 40);
    d.train(v) = v % 2 == 0;
  }
  return d;
}

template <const auto& Loss, const auto& Features, class Given>
void compare(const std::string& name, const training_data& d, const Given& features, int rounds) {
  auto params = stg::parameters<Loss>(stg::sized<"F">(d.features.extent(1)), stg::sized<"C">(d.classes));
  stg::initialize(params, 1);
  auto compiled = stg::value_and_grad<Loss>();
  auto drafted = stg::value_and_grad<Loss>(stg::draft());
  double losses[2] = {};
  const auto m = rounds::medians(
      {rounds::timed(
           "compiled",
           [&] { losses[0] = compiled(d.graph, Features = features, label = d.labels, known = d.train, params).loss; }),
       rounds::timed(
           "draft",
           [&] { losses[1] = drafted(d.graph, Features = features, label = d.labels, known = d.train, params).loss; })},
      rounds);
  std::printf("%-18s compiled %9.3f ms   draft %9.3f ms   ratio %5.2f   losses %.6f %.6f\n", name.c_str(),
              1e3 * m[0].seconds, 1e3 * m[1].seconds, m[1].seconds / m[0].seconds, losses[0], losses[1]);
}

}  // namespace

int main() {
  if (auto cora = graphs::dataset("cora")) {
    training_data d{cora->graph.add_self_loops(), {}, {}, {}, cora->classes};
    stg::normalize_rows(cora->features);
    d.features = std::move(cora->features);
    d.labels = std::move(cora->labels);
    d.train = std::move(cora->train);
    const auto sparse = stg::sparse(d.features);
    compare<convolutions<x>::loss, x>("GCN, Cora", d, sparse, 101);
    compare<attention<x>::loss, x>("GAT, Cora", d, sparse, 51);
  }
  const training_data d = drawn();
  compare<convolutions<dense>::loss, dense>("GCN, arxiv-like", d, d.features, 9);
  compare<attention<dense>::loss, dense>("GAT, arxiv-like", d, d.features, 5);
}
