// Training steps of a table that vertices pick rows from, a million rows of 64 by a million vertices: the loss and its
// dense gradient, with ids in a drawn order, and with half of them the same; and a bias for each of 40 relations, read
// by four million edges. embeddings.py takes the same steps in PyTorch.
#include <stg/stg.hpp>  // the language

#include <cstdint>  // int32_t, int64_t
#include <cstdio>   // printf
#include <random>   // mt19937
#include <vector>   // vector

#include "rounds.hpp"  // medians, timed

namespace {

inline constexpr auto id = stg::vertex_feature<"id", stg::i32>;
inline constexpr auto y = stg::vertex_feature<"y", 64>;
inline constexpr auto E = stg::embedding<"E", stg::extent<"N">, 64>;
inline constexpr auto table = [](auto v) { return mse(E[v(id)], v(y)); };

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto relation = stg::edge_feature<"relation", stg::i32>;
inline constexpr auto b = stg::parameter<"b", stg::extent<"R">, 16>;
inline constexpr auto biases = [](auto v) {
  auto e = v.in_edges();
  return mse(sum(e.src(x) + b[e(relation)]), 0.0 * v(x));
};

constexpr std::int64_t million = 1'000'000;

stg::tensor<std::int32_t> drawn_ids(std::int64_t count, std::int64_t rows, bool half_are_one) {
  std::mt19937 random(1);
  stg::tensor<std::int32_t> ids({count});
  for (std::int64_t k = 0; k < count; ++k) {
    const auto any = static_cast<std::int32_t>(random() % static_cast<unsigned>(rows));
    ids(k) = half_are_one && k % 2 == 0 ? 17 : any;
  }
  return ids;
}

/// Milliseconds of a step.
template <class Step> double median_of(const Step& step) {
  return 1e3 * rounds::medians({rounds::timed("step", step)}, 9)[0].seconds;
}

void rows_of_a_table(const char* what, bool half_are_one) {
  const auto ids = drawn_ids(million, million, half_are_one);
  stg::tensor<float> wanted({million, 64});
  stg::uniform(wanted, -1, 1, 2);
  const auto g = stg::graph::from_edges(million, {0}, {1});
  auto params = stg::parameters<table>(stg::sized<"N">(million));
  stg::initialize(params, 3);
  auto step = stg::value_and_grad<table>();
  double loss = 0;
  const double took = median_of([&] { loss = step(g, id = ids, y = wanted, params).loss; });
  std::printf("%-28s %7.1f ms, loss %.6f, memory of the step %.0f MB\n", what, took, loss,
              static_cast<double>(step.bytes()) / 1e6);
}

}  // namespace

int main() {
  rows_of_a_table("1 M of 1 M rows of 64", false);
  rows_of_a_table("half of them the same", true);

  std::mt19937 random(1);
  std::vector<std::int64_t> src(4 * million), dst(4 * million);
  for (std::size_t k = 0; k < src.size(); ++k) src[k] = random() % million, dst[k] = random() % million;
  const auto g = stg::graph::from_edges(million, src, dst);
  stg::tensor<float> features({million, 16});
  stg::uniform(features, -1, 1, 2);
  const auto kinds = g.edge_values(drawn_ids(g.edges(), 40, false));
  auto params = stg::parameters<biases>(stg::sized<"R">(40));
  stg::initialize(params, 3);
  auto step = stg::value_and_grad<biases>();
  const double took = median_of([&] { step(g, x = features, relation = kinds, params); });
  std::printf("%-28s %7.1f ms, memory of the step %.0f MB\n", "40 biases, 4 M edges", took,
              static_cast<double>(step.bytes()) / 1e6);
}
