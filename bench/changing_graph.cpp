// A training epoch of a TGCN over the snapshots of a changing graph: resident, and from the store of changes.
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/stg.hpp>                     // the language

#include <cstdio>   // printf
#include <cstring>  // memcmp

#include "drawn_steps.hpp"  // drawn_steps
#include "rounds.hpp"       // medians, timed

namespace {

constexpr int features = 32, hidden = 64;

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", features>);
constexpr auto y = stg::over<"T">(stg::vertex_feature<"y">);
constexpr auto w = stg::over<"T">(stg::edge_feature<"w">);
constexpr auto W = stg::parameter<"W", features, hidden>;
constexpr auto I = stg::parameter<"I", hidden, 3 * hidden>;
constexpr auto U = stg::parameter<"U", hidden, 2 * hidden>;
constexpr auto C = stg::parameter<"C", hidden, hidden>;
constexpr auto b = stg::parameter<"b", 3 * hidden>;
constexpr auto r = stg::parameter<"r", hidden, 1>;

constexpr auto loss = [](auto v) {
  auto cell = stg::nn::tgcn{W, I, U, C, b};
  auto errors = std::get<1>(stg::scan<"T">(
      v,
      [=](auto v, auto h) {
        auto n = cell(stg::nn::weighted(v, w), v(x), h);
        return stg::next(n).gives(mse(sum(matmul(n, r), stg::axis<0>), v(y)));
      },
      stg::zeros<hidden>(v)));
  return mean(stg::stacked(errors), stg::axis<0>);
};

}  // namespace

int main() {
  using namespace drawn_steps;
  const auto all = drawn_steps::all();
  auto resident = stg::graph_sequence::from_steps(vertices, all, {.store = stg::snapshot_store::resident});
  auto changing = stg::graph_sequence::from_steps(vertices, all, {.store = stg::snapshot_store::changes});
  std::printf(
      "TGCN, %d features, %d hidden, %d steps of %lld vertices and %lld edges, %d %% others each step; threads: %d\n",
      features, hidden, steps, static_cast<long long>(vertices), static_cast<long long>(edges), percent,
      stg::threads());
  stg::tensor<float> X({steps, vertices, features}), Y({steps, vertices});
  stg::uniform(X, -1, 1, 1);
  stg::uniform(Y, -1, 1, 2);
  auto params = stg::parameters<loss>();
  stg::initialize(params, 3);
  auto step = stg::value_and_grad<loss>();
  const auto epoch = [&](stg::graph_sequence& graphs) {
    return step(graphs, x = X, y = Y, w = graphs.weights(), params).loss;
  };
  const float first = epoch(resident), second = epoch(changing);
  if (std::memcmp(&first, &second, sizeof first) != 0) {
    std::printf("stores differ: %g and %g\n", static_cast<double>(first), static_cast<double>(second));
    return 1;
  }
  const auto results = rounds::medians(
      {rounds::timed("resident", [&] { epoch(resident); }), rounds::timed("changes", [&] { epoch(changing); })}, 5);
  for (const auto& of : results) std::printf("  %-10s %9.1f ms an epoch\n", of.part.c_str(), 1e3 * of.seconds);
  const double held = static_cast<double>(changing.bytes()), whole = static_cast<double>(resident.bytes());
  std::printf("  changes / resident: time %.2f, graphs %.1f MB / %.1f MB = 1 / %.1f; the step takes %.0f MB\n",
              results[1].seconds / results[0].seconds, held / 1e6, whole / 1e6, whole / held,
              static_cast<double>(step.bytes()) / 1e6);
}
