// What normalisations compute, written once more from their papers.
#pragma once

#include "dense_matrix.hpp"  // matrix
#include "given.hpp"         // given, numbers

#include <cmath>   // sqrt
#include <vector>  // vector

namespace stg::references {

/// c / √(variance + eps), one variance per column.
inline matrix scaled(const matrix& c, const matrix& variance, double eps) {
  return c * each(variance, [&](double s) { return 1 / std::sqrt(s + eps); }).transposed().diagonal();
}
inline matrix centred(const matrix& X) { return with_row(X, -1.0 * X.mean_of_rows()); }
inline matrix layer_norm(const matrix& X) {
  const matrix c = centred(X.transposed());  // what is a row there is a column here
  return scaled(c, square(c).mean_of_rows(), 1e-5).transposed();
}
inline matrix layer_norm_of_graph(const matrix& X) {
  const double count = X.rows() * X.columns(), mean = X.sum() / count;
  const matrix c = each(X, [&](double x) { return x - mean; });
  return 1 / std::sqrt(square(c).sum() / count + 1e-3) * c;
}
/// The value and both running statistics; momentum 0.3.
inline std::vector<numbers> batch_norm(const given& g, bool trains) {
  const matrix X = g.x(), mean = X.mean_of_rows(), biased = square(centred(X)).mean_of_rows();
  const matrix old_mean = g.row("mean_so_far", 3), old_variance = g.row("positive_variance", 3);
  if (!trains)
    return {scaled(with_row(X, -1.0 * old_mean), old_variance, 1e-5).numbers(), old_mean.numbers(),
            old_variance.numbers()};
  const double n = g.n;
  return {scaled(centred(X), biased, 1e-5).numbers(), (0.3 * mean + 0.7 * old_mean).numbers(),
          (0.3 * n / (n - 1) * biased + 0.7 * old_variance).numbers()};
}
inline matrix pair_norm(const matrix& X, bool alone) {
  const matrix c = centred(X);
  const double together = square(c).sum() / c.rows();
  const matrix scale =
      each(square(c).sum_of_columns(), [&](double s) { return 1.5 / std::sqrt((alone ? s : together) + 1e-5); });
  return scale.diagonal() * c;
}
inline matrix graph_norm(const given& g) {
  const matrix c = with_row(g.x(), -1.0 * hadamard(g.row("shift", 3), g.x().mean_of_rows()));
  return scaled(c, square(c).mean_of_rows(), 1e-5);
}

}  // namespace stg::references
