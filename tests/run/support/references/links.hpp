// Scores of pairs once more, pair by pair.
#pragma once

#include "given.hpp"  // given

#include <cmath>   // tanh
#include <vector>  // vector

namespace stg::references {

/// The dot product of both ends, minus the square of their distance, and what a network of one hidden layer makes of
/// them.
inline std::vector<numbers> link_scores(const given& g) {
  const matrix h = g.get("h", g.n, 4), first = g.get("of_pair", 8, 4);
  std::vector<numbers> scores(3);
  for (const auto& [from, to] : g.edges) {
    const int i = static_cast<int>(from), j = static_cast<int>(to);
    double dot = 0, apart = 0, network = 0;
    for (int f = 0; f < 4; ++f) {
      dot += h(i, f) * h(j, f);
      apart += (h(i, f) - h(j, f)) * (h(i, f) - h(j, f));
    }
    for (int k = 0; k < 4; ++k) {
      double hidden = 0;
      for (int f = 0; f < 4; ++f) hidden += h(i, f) * first(f, k) + h(j, f) * first(4 + f, k);
      network += std::tanh(hidden) * g.get("weight_of_layer", 4, 1)(k, 0);
    }
    scores[0].push_back(dot);
    scores[1].push_back(-apart);
    scores[2].push_back(network);
  }
  return scores;
}

}  // namespace stg::references
