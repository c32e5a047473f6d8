// Milliseconds of fused layers, forward and in training, on a power-law graph of 0.17 M vertices and 2.3 M edges.
#include <stg/runtime/initialize.hpp>  // normal
#include <stg/stg.hpp>                 // the language

#include <benchmark/benchmark.h>  // BENCHMARK

#include <algorithm>  // shuffle
#include <cstdint>    // int64_t
#include <numeric>    // iota
#include <random>     // mt19937_64
#include <vector>     // vector

namespace {

inline constexpr auto x = stg::trainable(stg::vertex_feature<"x", stg::extent<"F">>);
inline constexpr auto c = stg::vertex_feature<"c">;
inline constexpr auto h = stg::trainable(stg::vertex_feature<"h", 8, 8>);
inline constexpr auto el = stg::trainable(stg::vertex_feature<"el", 8, 1>);
inline constexpr auto er = stg::trainable(stg::vertex_feature<"er", 8, 1>);

inline constexpr auto weighted_sum = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(c) * e.src(x));
};
inline constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(el) + v(er), 0.2)) * e.src(h));
};

/// R-MAT (Chakrabarti et al., SDM 2004) with probabilities .57 .19 .19 .05 and permuted ids; the seed is fixed.
const stg::graph& power_law() {
  static const stg::graph graph = [] {
    constexpr std::int64_t vertices = 169343, edges = 2332486;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform;
    std::vector<std::int64_t> id(vertices), src, dst;
    std::iota(id.begin(), id.end(), 0);
    std::shuffle(id.begin(), id.end(), random);
    while (static_cast<std::int64_t>(src.size()) < edges) {
      std::int64_t from = 0, to = 0;
      for (std::int64_t bit = 1; bit < vertices; bit *= 2) {
        const double quarter = uniform(random);
        from = 2 * from + (quarter >= .76);
        to = 2 * to + ((quarter >= .57 && quarter < .76) || quarter >= .95);
      }
      if (from >= vertices || to >= vertices) continue;
      src.push_back(id[static_cast<std::size_t>(from)]);
      dst.push_back(id[static_cast<std::size_t>(to)]);
    }
    return stg::graph::from_edges(vertices, std::span<const std::int64_t>(src), std::span<const std::int64_t>(dst));
  }();
  return graph;
}

stg::tensor<float> random_tensor(const stg::dimensions& shape, std::uint64_t seed) {
  stg::tensor<float> t(shape);
  stg::normal(t, 0, 1, seed);
  return t;
}

void count_edges(benchmark::State& state) {
  state.counters["edges/s"] = benchmark::Counter(
      static_cast<double>(power_law().edges()) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void weighted_sum_forward(benchmark::State& state) {
  const stg::graph& g = power_law();
  const auto X = random_tensor({g.vertices(), state.range(0)}, 1), C = random_tensor({g.vertices()}, 2);
  auto layer = stg::compile<weighted_sum>();
  auto y = layer(g, x = X, c = C);
  for (auto _ : state) layer.into(y, g, x = X, c = C);
  count_edges(state);
}

void weighted_sum_training(benchmark::State& state) {
  const stg::graph& g = power_law();
  const auto X = random_tensor({g.vertices(), state.range(0)}, 1), C = random_tensor({g.vertices()}, 2);
  const auto D = random_tensor(X.shape(), 3);
  auto layer = stg::compile_for_training<weighted_sum>();
  for (auto _ : state) layer.record(g, x = X, c = C).backward(D);
  count_edges(state);
}

void attention_forward(benchmark::State& state) {
  const stg::graph& g = power_law();
  const auto H = random_tensor({g.vertices(), 8, 8}, 1), L = random_tensor({g.vertices(), 8, 1}, 2),
             R = random_tensor({g.vertices(), 8, 1}, 3);
  auto layer = stg::compile<attention>();
  auto y = layer(g, h = H, el = L, er = R);
  for (auto _ : state) layer.into(y, g, h = H, el = L, er = R);
  count_edges(state);
}

void attention_training(benchmark::State& state) {
  const stg::graph& g = power_law();
  const auto H = random_tensor({g.vertices(), 8, 8}, 1), L = random_tensor({g.vertices(), 8, 1}, 2),
             R = random_tensor({g.vertices(), 8, 1}, 3);
  const auto D = random_tensor(H.shape(), 4);
  auto layer = stg::compile_for_training<attention>();
  for (auto _ : state) layer.record(g, h = H, el = L, er = R).backward(D);
  count_edges(state);
}

}  // namespace

BENCHMARK(weighted_sum_forward)
    ->ArgName("width")
    ->Arg(16)
    ->Arg(64)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(weighted_sum_training)
    ->ArgName("width")
    ->Arg(16)
    ->Arg(64)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(attention_forward)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(attention_training)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_MAIN();
