// What convolutions compute that are polynomials of the normalised adjacency, written once more from their papers.
#pragma once

#include "dense_matrix.hpp"  // matrix
#include "given.hpp"         // given

#include <cmath>   // pow
#include <string>  // string
#include <vector>  // vector

namespace stg::references {

/// Σ_k T_k(L) x W_k with the polynomials as matrices.
inline matrix chebyshev(const given& g, bool weights, double largest_eigenvalue, const std::vector<std::string>& W) {
  const matrix I = matrix::identity(g.n);
  const matrix L = 2 / largest_eigenvalue * (I - g.normalised(weights)) - I;
  std::vector<matrix> T = {I, L};
  matrix y(g.n, 4);
  for (std::size_t k = 0; k < W.size(); ++k) {
    if (k >= 2) T.push_back(2 * L * T[k - 1] - T[k - 2]);
    y = y + T[k] * g.x() * g(W[k]);
  }
  return y;
}
/// The iteration's closed form: (1 - α)^K P^K H + α Σ_{k < K} (1 - α)^k P^k H.
inline matrix personalised_pagerank(const given& g, int hops, double alpha) {
  const matrix P = g.normalised(true), H = g.x() * g("W");
  matrix y = std::pow(1 - alpha, hops) * power(P, hops) * H;
  for (int k = 0; k < hops; ++k) y = y + alpha * std::pow(1 - alpha, k) * power(P, k) * H;
  return y;
}
inline matrix arma(const given& g) {
  const matrix P = g.normalised(), X = g.x();
  const matrix first = relu(P * X * g("W") + X * g("U"));
  return relu(P * first * g.get("H", 4, 4) + with_row(X * g("V"), g.row("b", 4)));
}

}  // namespace stg::references
