// The model that processes train, and a graph with a hub for it.
#pragma once

#include <stg/stg.hpp>  // the language

#include <cstdint>  // int32_t, int64_t
#include <random>   // mt19937
#include <vector>   // vector

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 8, 16>;
constexpr auto V = stg::parameter<"V", 16, 4>;

constexpr auto loss = [](auto v) {
  auto h = relu(mean(v.in_edges().src(matmul(v(x), W))));
  return cross_entropy(matmul(dropout(mean(v.in_edges().src(h)), 0.3), V), v(label));
};

struct task {
  stg::graph graph;
  stg::tensor<float> X;
  stg::tensor<std::int32_t> Y;
};

inline task drawn() {
  constexpr std::int64_t n = 500, m = 4000;
  std::mt19937 random(1);
  std::vector<std::int64_t> src, dst;
  for (std::int64_t k = 0; k < m; ++k) {
    src.push_back(static_cast<std::int64_t>(random() % n));
    dst.push_back(k % 3 == 0 ? 7 : static_cast<std::int64_t>(random() % n));
  }
  task t{stg::graph::from_edges(n, src, dst), stg::tensor<float>({n, 8}), stg::tensor<std::int32_t>({n})};
  for (std::int64_t k = 0; k < t.X.size(); ++k) t.X.data()[k] = static_cast<float>(random() % 1000) / 1000;
  for (std::int64_t v = 0; v < n; ++v) t.Y(v) = static_cast<std::int32_t>(random() % 4);
  return t;
}
