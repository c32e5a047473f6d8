// Inputs of models that are trained on ranks: features of every kind, labels, a mask and weights of a random graph.
#pragma once

#include <stg/runtime/edge_values.hpp>    // edge_values
#include <stg/runtime/graph.hpp>          // graph
#include <stg/runtime/sparse_tensor.hpp>  // sparse
#include <stg/runtime/tensor.hpp>         // tensor

#include <cstdint>  // int32_t, int64_t
#include <random>   // mt19937
#include <vector>   // vector

namespace stg::test {

struct hub_task {
  graph on;
  tensor<double> X, sequence;
  sparse_tensor<double> sparse_X;
  tensor<std::int32_t> Y;
  tensor<bool> mask;
  edge_values<double> weights;
};

/// A hub has half of the edges.
inline hub_task drawn_with_hub(std::int64_t n, std::int64_t m, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t k) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(k)); };
  const auto number = [&] { return static_cast<double>(below(2001) - 1000) / 1000; };
  std::vector<std::int64_t> src, dst;
  for (std::int64_t k = 0; k < m; ++k) {
    src.push_back(below(n));
    dst.push_back(k % 2 == 0 ? n / 3 : below(n));
  }
  hub_task t{graph::from_edges(n, src, dst),
             tensor<double>({n, 8}),
             tensor<double>({3, n, 3}),
             {},
             tensor<std::int32_t>({n}),
             tensor<bool>({n}),
             {}};
  tensor<double> few({n, 12}), of_edges({m});
  for (std::int64_t k = 0; k < t.X.size(); ++k) t.X.data()[k] = number();
  for (std::int64_t k = 0; k < t.sequence.size(); ++k) t.sequence.data()[k] = number();
  for (std::int64_t k = 0; k < few.size(); ++k) few.data()[k] = below(4) == 0 ? number() : 0;
  for (std::int64_t k = 0; k < m; ++k) of_edges(k) = 0.5 + 0.3 * number();
  for (std::int64_t v = 0; v < n; ++v) {
    t.Y(v) = static_cast<std::int32_t>(below(4));
    t.mask(v) = below(3) != 0;
  }
  t.mask(0) = true;
  t.sparse_X = sparse(few);
  t.weights = t.on.edge_values(of_edges);
  return t;
}

}  // namespace stg::test
