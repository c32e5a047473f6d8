// What each loss computes, written once more: dense matrices, no line of the library.
#pragma once

#include "dense_matrix.hpp"  // matrix
#include "given.hpp"         // given, numbers

#include <cmath>   // abs, exp, log
#include <vector>  // vector

namespace stg::references {

inline bool is_known(const given& g, int i) { return g.inputs.at("known")[static_cast<std::size_t>(i)] != 0; }
/// Mean over the known vertices of -log_p(i, label_i).
inline double minus_mean_at_label(const given& g, const matrix& log_p) {
  double sum = 0, counted = 0;
  for (int i = 0; i < g.n; ++i) {
    if (!is_known(g, i)) continue;
    sum -= log_p(i, static_cast<int>(g.inputs.at("label")[static_cast<std::size_t>(i)]));
    counted += 1;
  }
  return sum / counted;
}
inline std::vector<numbers> of_labels(const given& g) {
  const matrix y = g.get("scores", g.n, 5);
  const matrix total = each(y, [](double s) { return std::exp(s); }).sum_of_columns();
  const matrix log_total = each(total, [](double s) { return std::log(s); });
  return {{minus_mean_at_label(g, y - log_total * matrix(1, 5, numbers(5, 1.0)))}, {minus_mean_at_label(g, y)}};
}
/// Means of four losses over all vertices or the known ones.
inline std::vector<numbers> of_targets(const given& g, bool masked) {
  const matrix y = g.get("scores", g.n, 5), t = g.get("target", g.n, 5);
  double sums[4] = {}, counted = 0;
  for (int i = 0; i < g.n; ++i) {
    if (masked && !is_known(g, i)) continue;
    for (int k = 0; k < 5; ++k) {
      const double d = y(i, k) - t(i, k), p = 1 / (1 + std::exp(-y(i, k)));
      sums[0] += d * d;
      sums[1] += std::abs(d);
      sums[2] += std::abs(d) < 0.8 ? d * d / 2 : 0.8 * (std::abs(d) - 0.4);
      sums[3] -= t(i, k) * std::log(p) + (1 - t(i, k)) * std::log(1 - p);
      counted += 1;
    }
  }
  return {{sums[0] / counted}, {sums[1] / counted}, {sums[2] / counted}, {sums[3] / counted}};
}

}  // namespace stg::references
