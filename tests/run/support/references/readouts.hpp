// What readouts of a graph and of several layers compute, written once more from their papers.
#pragma once

#include "dense_matrix.hpp"  // matrix
#include "given.hpp"         // given

#include <cmath>   // exp, tanh
#include <string>  // string
#include <vector>  // vector

namespace stg::references {

/// Σ_i softmax_i(score) ⊙ value, where score has one column or one for each of value's.
inline matrix attention_pool(const matrix& score, const matrix& value) {
  const matrix weight = each(score, [](double s) { return std::exp(s); });
  matrix y(1, value.columns());
  for (int k = 0; k < value.columns(); ++k) {
    const matrix w = weight.middle(score.columns() == 1 ? 0 : k, 1);
    y(0, k) = hadamard(w, value.middle(k, 1)).sum() / w.sum();
  }
  return y;
}
/// Hidden states of one direction, two features, in the order in which the layers are given.
inline std::vector<matrix> lstm(const given& g, const std::vector<matrix>& layers, const std::string& direction) {
  std::vector<matrix> states;
  matrix state(g.n, 2), cell(g.n, 2);
  const auto logistic = [](double s) { return 1 / (1 + std::exp(-s)); };
  const auto hyperbolic = [](double s) { return std::tanh(s); };
  for (const matrix& x : layers) {
    const matrix a =
        with_row(x * g.get("W" + direction, 4, 8) + state * g.get("U" + direction, 2, 8), g.row("b" + direction, 8));
    cell = hadamard(each(a.middle(2, 2), logistic), cell) +
           hadamard(each(a.middle(0, 2), logistic), each(a.middle(4, 2), hyperbolic));
    state = hadamard(each(a.middle(6, 2), logistic), each(cell, hyperbolic));
    states.push_back(state);
  }
  return states;
}
inline matrix jump_lstm(const given& g) {
  const std::vector<matrix> layers = {g.get("h", g.n, 4), g.x() * g("W"), g.x() * g("U")};
  const std::vector<matrix> there = lstm(g, layers, "f"), back = lstm(g, {layers[2], layers[1], layers[0]}, "b");
  matrix y(g.n, 4), total(g.n, 1);
  for (std::size_t t = 0; t < 3; ++t) {
    const matrix score = beside(there[t], back[2 - t]) * g.get("weight_of_layer", 4, 1);
    const matrix weight = each(score, [](double s) { return std::exp(s); });
    y = y + weight.diagonal() * layers[t];
    total = total + weight;
  }
  return each(total, [](double s) { return 1 / s; }).diagonal() * y;
}

}  // namespace stg::references
