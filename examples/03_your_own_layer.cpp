// A layer that the library does not have: the gated mean of the neighbours beside their maximum. Plain loops check what
// it computes, central differences check its gradient, and a model of two such layers is trained.
#include <common/dataset.hpp>   // load_dataset
#include <common/finite.hpp>    // require_finite
#include <common/options.hpp>   // options, run_example
#include <common/progress.hpp>  // progress
#include <common/result.hpp>    // result
#include <stg/data/karate.hpp>  // karate_club
#include <stg/stg.hpp>          // the language

#include <algorithm>  // max
#include <cmath>      // abs, exp
#include <cstdio>     // printf

// A layer is a function over expressions: x (in), W (in, out), a and b (out, 1) → (2 · out).
inline constexpr auto gated_conv = [](auto v, auto x, auto W, auto a, auto b) {
  auto e = v.in_edges();
  auto h = matmul(x, W);                                           // (out)
  auto gate = sigmoid(e.src(matmul(h, a)) + e.dst(matmul(h, b)));  // (1) per edge
  auto mean = sum(gate * e.src(h)) / max(sum(gate), 1e-6);         // (out)
  return stg::concat<stg::axis<0>>(mean, max(e.src(h)));
};

inline constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;  // whose label the loss may see
inline constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, 16>;
inline constexpr auto a1 = stg::parameter<"a1", 16, 1>;
inline constexpr auto b1 = stg::parameter<"b1", 16, 1>;
inline constexpr auto W2 = stg::parameter<"W2", 32, 16>;
inline constexpr auto a2 = stg::parameter<"a2", 16, 1>;
inline constexpr auto b2 = stg::parameter<"b2", 16, 1>;
inline constexpr auto W3 = stg::parameter<"W3", 32, stg::extent<"C">>;

inline constexpr auto model = [](auto v) {
  auto h = relu(stg::scope<"conv1">(v, gated_conv, dropout(v(x), 0.5), W1, a1, b1));  // (32)
  auto g = relu(stg::scope<"conv2">(v, gated_conv, dropout(h, 0.5), W2, a2, b2));     // (32)
  return matmul(dropout(g, 0.5), W3);                                                 // (C)
};
inline constexpr auto loss = [](auto v) { return cross_entropy(model(v), v(label), v(known)); };

static void train(const common::options& options) {
  auto data = common::load_dataset(options.dataset);
  stg::normalize_rows(data.features);
  const auto graph = data.graph.add_self_loops();
  auto predict = stg::compile<model>();
  auto step = stg::value_and_grad<loss>();
  common::progress progress(options);
  common::result result(data.name, "gated");
  for (int seed = 0; seed < options.seeds; ++seed) {
    auto params = stg::parameters<loss>(stg::sized<"F">(data.features.extent(1)), stg::sized<"C">(data.classes));
    stg::initialize(params, seed);
    step.seed(seed);
    stg::adam optimizer(params, {.learning_rate = 0.01});
    optimizer.weight_decay(5e-4);
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
      auto now = step(graph, x = data.features, label = data.labels, known = data.train, params);
      common::require_finite(now.loss, seed, epoch);
      optimizer.step(now.gradients);
      const auto logits = predict(graph, x = data.features, params);
      progress.update(seed, epoch, now.loss, stg::accuracy(logits, data.labels, data.val));
    }
    const auto logits = predict(graph, x = data.features, params);
    result.add(stg::accuracy(logits, data.labels, data.test));
  }
  progress.clear();
  result.print();
}

// The layer by itself, in f64 so that differences are exact enough to check a gradient.
inline constexpr auto u = stg::vertex_feature<"u", stg::f64, 4>;
inline constexpr auto W = stg::parameter<"W", stg::f64, 4, 3>;
inline constexpr auto a = stg::parameter<"a", stg::f64, 3, 1>;
inline constexpr auto b = stg::parameter<"b", stg::f64, 3, 1>;
inline constexpr auto layer = [](auto v) { return gated_conv(v, v(u), W, a, b); };

// The largest difference between the layer's output y, (vertices, 6), and what its definition says.
template <class Parameters>
double distance_from_loops(const stg::graph& graph, const stg::tensor<double>& U, const Parameters& params,
                           const stg::tensor<double>& y) {
  const auto in = graph.in_edges();
  auto project = [&](auto v, int k) {  // h(v, k)
    double h = 0;
    for (int i = 0; i < 4; ++i) h += U(v, i) * params[W](i, k);
    return h;
  };
  double worst = 0;
  for (int v = 0; v < graph.vertices(); ++v)
    for (int k = 0; k < 3; ++k) {
      double total = 0, gates = 0, largest = project(in.neighbour(in.begin(v)), k);
      for (auto edge = in.begin(v); edge != in.end(v); ++edge) {
        const auto from = in.neighbour(edge);
        double score = 0;
        for (int j = 0; j < 3; ++j) score += project(from, j) * params[a](j, 0) + project(v, j) * params[b](j, 0);
        const double gate = 1 / (1 + std::exp(-score));
        total += gate * project(from, k);
        gates += gate;
        largest = std::max(largest, project(from, k));
      }
      worst = std::max({worst, std::abs(y(v, k) - total / gates), std::abs(y(v, k + 3) - largest)});
    }
  return worst;
}

static void check() {
  const auto graph = stg::karate_club().graph.add_self_loops();
  auto params = stg::parameters<layer>();
  stg::initialize(params, 1);
  stg::tensor<double> U({graph.vertices(), 4});
  stg::uniform(U, -1, 1, 2);

  auto forward = stg::compile<layer>();
  const double off = distance_from_loops(graph, U, params, forward(graph, u = U, params));
  std::printf("layer against plain loops: largest difference %.0e\n", off);

  // How the officer's row of the output (vertex 33) depends on everybody's features.
  auto record = stg::compile_for_training<layer, u>();
  auto tape = record.record(graph, u = U, params);
  stg::tensor<double> cotangent({graph.vertices(), 6});
  for (int k = 0; k < 6; ++k) cotangent(33, k) = 1;
  const auto gradients = tape.backward(cotangent);
  auto officer = [&] {
    const auto y = forward(graph, u = U, params);
    double total = 0;
    for (int k = 0; k < 6; ++k) total += y(33, k);
    return total;
  };
  double worst = 0;
  int influential = 0;
  for (int v = 0; v < graph.vertices(); ++v) {
    bool any = false;
    for (int i = 0; i < 4; ++i) {
      const double at = U(v, i), h = 1e-6;
      U(v, i) = at + h;
      const double up = officer();
      U(v, i) = at - h;
      const double down = officer();
      U(v, i) = at;
      worst = std::max(worst, std::abs(gradients[u](v, i) - (up - down) / (2 * h)));
      any = any || gradients[u](v, i) != 0;
    }
    influential += any;
  }
  std::printf(
      "gradient against central differences: largest difference %.0e; %d of %d members reach the officer's row\n",
      worst, influential, static_cast<int>(graph.vertices()));
  if (off > 1e-12 || worst > 1e-6 || influential != graph.in_degrees()[33])
    throw stg::error("the layer does not do what its definition says");
}

int main(int argc, char** argv) {
  return common::run_example(argc, argv, {.seeds = 5, .epochs = 200}, "checks and trains a layer of your own",
                             [](const common::options& options) {
                               check();
                               train(options);
                             });
}
